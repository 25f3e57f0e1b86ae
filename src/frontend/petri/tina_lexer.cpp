#include "frontend/petri/tina_lexer.hpp"

#include <algorithm>

namespace heddle::frontend::petri {

using text::Token;
using text::TokenKind;

namespace {

bool is_in_tina_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'';
}

bool is_tina_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

const Token& TinaLexer::peek() {
  if (!ahead_) ahead_ = scan();
  return *ahead_;
}

Token TinaLexer::next() {
  const Token token = peek();
  ahead_.reset();
  return token;
}

bool TinaLexer::accept(std::string_view symbol) {
  if (peek().kind != TokenKind::Symbol || peek().text != symbol) return false;
  ahead_.reset();
  return true;
}

/// A line that begins with '#' is a comment.
void TinaLexer::skip_blanks() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (position_ == 0 && text_.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
  bool starts_line =
      std::ranges::all_of(text_.substr(line_start_, position_ - line_start_), is_tina_blank);
  if (line_ == 1 && position_ == kByteOrderMark.size()) starts_line = true;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '#' && starts_line) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (is_tina_blank(c)) {
      ++position_;
      if (c != '\n') continue;
      ++line_;
      line_start_ = position_;
      starts_line = true;
    } else {
      return;
    }
  }
}

Token TinaLexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), line_,
                    static_cast<std::uint32_t>(position_ - line_start_ + 1)};
  position_ += length;
  return token;
}

/// A brace without its partner takes the rest of the text.
Token TinaLexer::scan_braces() {
  const std::size_t start = position_;
  bool has_escapes = false;
  for (std::size_t at = start + 1; at < text_.size(); ++at) {
    if (text_[at] == '\\') {
      has_escapes = true;
      ++at;
    } else if (text_[at] == '}') {
      Token token = take(TokenKind::Quoted, at + 1 - start);
      for (std::size_t i = start; i <= at; ++i)
        if (text_[i] == '\n') {
          ++line_;
          line_start_ = i + 1;
        }
      token.text = token.text.substr(1, token.text.size() - 2);
      if (!has_escapes) return token;
      std::string& name = unescaped_.emplace_back();
      for (std::size_t i = 0; i < token.text.size(); ++i)
        name += token.text[token.text[i] == '\\' ? ++i : i];
      token.text = name;
      return token;
    }
  }
  const Token open = take(TokenKind::OpenComment, 1);
  position_ = text_.size();
  return open;
}

Token TinaLexer::scan() {
  skip_blanks();
  if (position_ >= text_.size()) return take(TokenKind::End, 0);
  const std::string_view rest = text_.substr(position_);
  if (rest.front() == '{') return scan_braces();
  if (is_in_tina_word(rest.front())) {
    const auto end = std::ranges::find_if_not(rest, is_in_tina_word);
    return take(TokenKind::Word, static_cast<std::size_t>(end - rest.begin()));
  }
  for (const std::string_view symbol : {"->", "?-", "!-"})
    if (rest.starts_with(symbol)) return take(TokenKind::Symbol, 2);
  const bool is_shown = rest.front() > ' ' && rest.front() <= '~';
  return take(is_shown ? TokenKind::Symbol : TokenKind::Unknown, 1);
}

}  // namespace heddle::frontend::petri
