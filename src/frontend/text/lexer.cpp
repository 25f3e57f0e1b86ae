#include "frontend/text/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/invariant.hpp"

namespace heddle::frontend::text {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::array kLongSymbols = {"->"sv, "+>"sv, "~>"sv, ">="sv};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }
bool is_printable(char c) { return c > ' ' && c <= '~'; }

std::string_view without_marks_and_blanks(std::string_view comment) {
  while (!comment.empty() && (comment.front() == '#' || is_blank(comment.front())))
    comment.remove_prefix(1);
  while (!comment.empty() && is_blank(comment.back())) comment.remove_suffix(1);
  return comment;
}

std::size_t length_while(std::string_view text, bool (*belongs)(char)) {
  const auto end = std::ranges::find_if_not(text, belongs);
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

Lexer::Lexer(std::string_view text, LineEnds line_ends) : text_(text), line_ends_(line_ends) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

const Token& Lexer::peek() {
  if (!ahead_) ahead_ = scan();
  return *ahead_;
}

Token Lexer::next() {
  const Token token = peek();
  ahead_.reset();
  last_line_ = token.line;
  return token;
}

bool Lexer::accept(std::string_view symbol_or_word) {
  if (!peek().is(symbol_or_word)) return false;
  next();
  return true;
}

void Lexer::skip_line_ends() {
  while (peek().kind == TokenKind::LineEnd) next();
}

void Lexer::skip_rest_of_line() {
  while (!peek().ends_line()) next();
}

std::vector<Comment> Lexer::take_comments() { return std::exchange(comments_, {}); }

void Lexer::read_trailing_comment() {
  HEDDLE_INVARIANT(!ahead_, "no token should be looked ahead when a trailing comment is read");
  while (is_blank(at(position_))) ++position_;
  if (at(position_) == '#') read_comment();
}

char Lexer::at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

void Lexer::read_comment() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  const auto text = without_marks_and_blanks(text_.substr(position_, end - position_));
  if (!text.empty()) comments_.push_back({line_, text});
  position_ = end;
}

void Lexer::skip_blanks() {
  for (;;) {
    const char c = at(position_);
    if (c == '#') {
      read_comment();
    } else if (c == '\n' && line_ends_ == LineEnds::Blanks) {
      line_start_ = ++position_;
      ++line_;
    } else if (is_blank(c)) {
      ++position_;
    } else {
      return;
    }
  }
}

Token Lexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), line_,
                    static_cast<std::uint32_t>(position_ - line_start_ + 1)};
  position_ += length;
  return token;
}

Token Lexer::scan() {
  skip_blanks();
  if (position_ >= text_.size()) return take(TokenKind::End, 0);
  const std::string_view rest = text_.substr(position_);
  const char c = rest.front();
  if (c == '\n') {
    const Token token = take(TokenKind::LineEnd, 0);
    line_start_ = ++position_;
    ++line_;
    return token;
  }
  if (is_word_part(c)) {
    const std::size_t digits = length_while(rest, is_digit);
    const std::size_t length = length_while(rest, is_word_part);
    if (digits == 0) return take(TokenKind::Word, length);
    return take(digits == length ? TokenKind::Number : TokenKind::Unknown, length);
  }
  const bool is_long =
      std::ranges::any_of(kLongSymbols, [&](auto symbol) { return rest.starts_with(symbol); });
  return take(is_printable(c) ? TokenKind::Symbol : TokenKind::Unknown, is_long ? 2 : 1);
}

}  // namespace heddle::frontend::text
