#include "frontend/text/problems.hpp"

#include <utility>

#include "base/printable.hpp"

namespace heddle::frontend::text {

namespace {

constexpr std::size_t kLongestQuote = 40;

std::string shortened(std::string_view text) {
  if (text.size() <= kLongestQuote) return base::printable(text);
  return base::printable(text.substr(0, kLongestQuote)) + "...";
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == TokenKind::LineEnd) return "the end of the line";
  if (token.kind == TokenKind::OpenComment) return "a comment that does not end";
  if (token.kind == TokenKind::End) return "the end of the text";
  return "'" + shortened(token.text) + "'";
}

void Problems::error(const Token& at, std::string message, std::string hint) {
  errors_.push_back(diagnose(base::Severity::Error, at, std::move(message), std::move(hint)));
}

void Problems::warning(const Token& at, std::string message, std::string hint) {
  if (warnings_.size() < kMostShown)
    warnings_.push_back(diagnose(base::Severity::Warning, at, std::move(message), std::move(hint)));
}

void Problems::error(std::string message, std::string hint) {
  errors_.push_back({.severity = base::Severity::Error,
                     .location = {source_.name, 0, 0},
                     .message = std::move(message),
                     .offending = {},
                     .line_text = {},
                     .hint = std::move(hint)});
}

void Problems::expected(std::string_view what, const Token& found, std::string hint) {
  error(found, "expected " + std::string(what) + ", found " + describe(found), std::move(hint));
}

base::Diagnostics Problems::take_errors() {
  if (full()) error("too many errors, the rest was not read", "fix the first ones and try again");
  return std::exchange(errors_, {});
}

base::Diagnostics Problems::take_warnings() { return std::exchange(warnings_, {}); }

base::Diagnostic Problems::diagnose(base::Severity severity, const Token& at, std::string message,
                                    std::string hint) const {
  return {.severity = severity,
          .location = {source_.name, at.line, at.column},
          .message = std::move(message),
          .offending = shortened(at.text),
          .line_text = base::printable(base::line_of(source_.text, at.line)),
          .hint = std::move(hint)};
}

}  // namespace heddle::frontend::text
