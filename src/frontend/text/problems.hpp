#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/text/lexer.hpp"

namespace heddle::frontend::text {

/// Collects what is wrong with one source. A parser goes on after an error as long as `full` says
/// no, so that a user sees several at once; the text of a line is looked up only when a diagnostic
/// is made. The source must outlive it.
class Problems {
 public:
  explicit Problems(const SourceText& source) : source_(source) {}

  void error(const Token& at, std::string message, std::string hint);
  void warning(const Token& at, std::string message, std::string hint);
  /// An error of the source as a whole.
  void error(std::string message, std::string hint);
  /// `expected <what>, found <token>`
  void expected(std::string_view what, const Token& found, std::string hint);

  bool any_error() const { return !errors_.empty(); }
  bool full() const { return errors_.size() >= kMostShown; }

  /// All errors; the last one says so if reading stopped early.
  base::Diagnostics take_errors();
  base::Diagnostics take_warnings();

 private:
  static constexpr std::size_t kMostShown = 20;

  base::Diagnostic diagnose(base::Severity severity, const Token& at, std::string message,
                            std::string hint) const;

  const SourceText& source_;
  base::Diagnostics errors_;
  base::Diagnostics warnings_;
};

/// `'->'`, shortened and made printable, or `the end of the line`.
std::string describe(const Token& token);

}  // namespace heddle::frontend::text
