#include "base/diagnostic.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace heddle::base {

namespace {

constexpr std::size_t kLongestShownLine = 200;

std::string position(const SourceLocation& at) {
  std::string out = printable(at.file);
  if (at.line > 0) out += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) out += ":" + std::to_string(at.column);
  return out;
}

/// Keeps tabs, so that the carets stand below the text whatever the tab width is.
std::string underline(const Diagnostic& d) {
  const std::size_t before = d.location.column - 1;
  if (d.location.column == 0 || before > d.line_text.size()) return {};
  std::string out;
  for (char c : d.line_text.substr(0, before)) out += c == '\t' ? '\t' : ' ';
  const std::size_t room = std::max<std::size_t>(1, d.line_text.size() - before);
  out.append(std::clamp<std::size_t>(d.offending.size(), 1, room), '^');
  return out;
}

}  // namespace

std::string render(const Diagnostic& d) {
  std::string out = position(d.location);
  if (!out.empty()) out += ": ";
  out += d.severity == Severity::Error ? "error: " : "warning: ";
  out += printable(d.message) + "\n";
  const std::string marks = underline(d);
  if (!d.line_text.empty()) out += "    " + printable(d.line_text) + "\n";
  if (!d.line_text.empty() && !marks.empty()) out += "    " + marks + "\n";
  if (!d.hint.empty()) out += "  hint: " + printable(d.hint) + "\n";
  return out;
}

std::string render(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += render(d);
  return out;
}

std::string line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, std::min(text.find('\n'), kLongestShownLine));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text);
}

Diagnostics complaint(std::string file, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.location.file = std::move(file);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return {std::move(diagnostic)};
}

}  // namespace heddle::base
