#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::base {

/// A place in an input file. Lines and columns count from 1; 0 means "the file as a whole".
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

enum class Severity { Error, Warning };

/// What is wrong with an input, where, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceLocation location;
  std::string message;    ///< lower case, no full stop
  std::string offending;  ///< the piece of text that is wrong, empty if there is none to show
  std::string line_text;  ///< the whole input line, for the caret display; may be empty
  std::string hint;       ///< may be empty

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// Bad input is a value, not an exception.
template <class T>
using Parsed = std::expected<T, Diagnostics>;

/// One error about a file (or an option) as a whole.
Diagnostics complaint(std::string file, std::string message, std::string hint = {});

/// `file:line:column: error: message`, the line with carets below the offending text, the hint.
std::string render(const Diagnostic& diagnostic);
std::string render(const Diagnostics& diagnostics);

/// The text of line `line` (from 1) of `text`, without its line break; at most 200 characters.
std::string line_of(std::string_view text, std::uint32_t line);

}  // namespace heddle::base
