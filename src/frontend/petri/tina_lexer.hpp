#pragma once

/// Tokens of TINA's `.net` files. Names stand alone (letters, digits, `'` and `_`) or between
/// braces, where `{`, `}` and `\` have a `\` in front; so the lexer of the other formats does not
/// fit.

#include <deque>
#include <string>
#include <string_view>

#include "frontend/text/lexer.hpp"

namespace heddle::frontend::petri {

class TinaLexer {
 public:
  /// The text must outlive the lexer; both must outlive the tokens.
  explicit TinaLexer(std::string_view text) : text_(text) {}

  /// A Word (digits, too), a name in braces as Quoted, a Symbol (`->`, `?-`, `!-` or a single
  /// character), Unknown or End.
  const text::Token& peek();
  text::Token next();
  bool accept(std::string_view symbol);

 private:
  void skip_blanks();
  text::Token scan();
  text::Token scan_braces();
  text::Token take(text::TokenKind kind, std::size_t length);

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::optional<text::Token> ahead_;
  std::deque<std::string> unescaped_;
};

}  // namespace heddle::frontend::petri
