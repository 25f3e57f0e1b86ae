#pragma once

/// The one lexer behind every text format: numbers, words, symbols, `#` comments. It keeps line and
/// column of each token, holds on to comments for whoever wants them, and never copies the text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::frontend::text {

enum class TokenKind {
  Number,   ///< decimal digits
  Word,     ///< a letter or '_', then letters, digits, '_'
  Symbol,   ///< `->`, `+>`, `~>`, `>=`, or one other printable ASCII character; see Dialect
  Unknown,  ///< a number glued to letters, or a byte that no format uses
  LineEnd,
  End,
  Quoted,      ///< a name between double quotes, which are not part of its text
  OpenComment  ///< the start of a comment that does not end; nothing follows
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  ///< a piece of the source; empty for LineEnd and End
  std::uint32_t line = 1;
  std::uint32_t column = 1;  ///< in bytes, from 1

  /// The symbol or word `wanted`.
  bool is(std::string_view wanted) const {
    return (kind == TokenKind::Symbol || kind == TokenKind::Word) && text == wanted;
  }
  bool ends_line() const { return kind == TokenKind::LineEnd || kind == TokenKind::End; }
};

/// A comment without its leading '#' and the blanks around it.
struct Comment {
  std::uint32_t line;
  std::string_view text;
};

/// Are line ends tokens, or just blanks?
enum class LineEnds { Tokens, Blanks };

/// In what formats differ.
struct Dialect {
  LineEnds line_ends = LineEnds::Blanks;
  std::string_view line_comment = "#";  ///< up to the end of the line; empty: there are none
  std::string_view comment_start = {};  ///< of comments that span lines; empty: there are none
  std::string_view comment_end = {};
  std::string_view name_marks = {};  ///< what words may hold too; '-' cannot start one
  bool digits_start_words = false;   ///< `1a` is a word
  bool quoted_names = false;         ///< `"a b"`, on one line and without escapes
  bool comparison_symbols = false;   ///< `<=`, `!=`, `<>`, `&&` and `||` are symbols too
  bool assignment_symbols = false;   ///< `:=`, `=>` and `==` are symbols too
};

/// Carriage returns are blanks, so that files from other systems read alike; a byte order mark at
/// the start is skipped. The text must outlive the lexer and its tokens. Linear in total.
class Lexer {
 public:
  Lexer(std::string_view text, LineEnds line_ends);
  Lexer(std::string_view text, const Dialect& dialect);

  const Token& peek();
  Token next();
  bool accept(std::string_view symbol_or_word);  ///< takes the next token if it is this one
  /// Takes everything up to a blank, a byte that is not printable ASCII, or one of these, as one
  /// word. If there is nothing before them, it is `next`.
  Token next_up_to(std::string_view stops);
  std::uint32_t last_line() const { return last_line_; }  ///< of the token taken last
  void skip_line_ends();
  void skip_rest_of_line();  ///< up to, not including, the LineEnd

  /// The comments met since the last call. Looking ahead collects comments too, so a caller that
  /// cares which token a comment follows asks before it peeks.
  std::vector<Comment> take_comments();

  /// Collects a comment that follows on the current line. Only without a token looked ahead.
  void read_trailing_comment();

 private:
  char at(std::size_t offset) const;  ///< NUL beyond the end
  void skip_blanks();
  bool starts_with(std::string_view mark) const;  ///< false for an empty mark
  void read_comment();
  bool skip_long_comment();  ///< false if it does not end
  void next_line();
  bool is_word_part(char c) const;
  Token scan();
  Token scan_word(std::string_view rest);
  Token scan_quoted(std::string_view rest);
  std::size_t symbol_length(std::string_view rest) const;
  Token take(TokenKind kind, std::size_t length);

  std::string_view text_;
  Dialect dialect_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t last_line_ = 0;
  std::optional<Token> ahead_;
  std::vector<Comment> comments_;
};

}  // namespace heddle::frontend::text
