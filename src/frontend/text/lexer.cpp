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
constexpr std::array kComparisonSymbols = {"<="sv, "!="sv, "<>"sv, "&&"sv, "||"sv};
constexpr std::array kAssignmentSymbols = {":="sv, "=>"sv, "=="sv};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_printable(char c) { return c > ' ' && c <= '~'; }

std::string_view without_marks_and_blanks(std::string_view comment) {
  while (!comment.empty() && (comment.front() == '#' || is_blank(comment.front())))
    comment.remove_prefix(1);
  while (!comment.empty() && is_blank(comment.back())) comment.remove_suffix(1);
  return comment;
}

template <class Predicate>
std::size_t length_while(std::string_view text, Predicate belongs) {
  const auto end = std::ranges::find_if_not(text, belongs);
  return static_cast<std::size_t>(end - text.begin());
}

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& symbols) {
  return std::ranges::any_of(symbols, [&](auto symbol) { return text.starts_with(symbol); });
}

}  // namespace

Lexer::Lexer(std::string_view text, LineEnds line_ends)
    : Lexer(text, Dialect{.line_ends = line_ends}) {}

Lexer::Lexer(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {
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

Token Lexer::next_up_to(std::string_view stops) {
  const std::string_view start = peek().text;
  if (start.empty() || ahead_->kind == TokenKind::OpenComment) return next();
  const std::string_view rest = text_.substr(static_cast<std::size_t>(start.data() - text_.data()));
  const std::size_t length = length_while(
      rest, [&](char c) { return is_printable(c) && stops.find(c) == std::string_view::npos; });
  if (length < start.size()) return next();
  ahead_->kind = TokenKind::Word;
  ahead_->text = rest.substr(0, length);
  position_ = static_cast<std::size_t>(start.data() - text_.data()) + length;
  return next();
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
  if (starts_with(dialect_.line_comment)) read_comment();
}

char Lexer::at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

void Lexer::read_comment() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  const auto text = without_marks_and_blanks(text_.substr(position_, end - position_));
  if (!text.empty()) comments_.push_back({line_, text});
  position_ = end;
}

bool Lexer::starts_with(std::string_view mark) const {
  return !mark.empty() && text_.substr(std::min(position_, text_.size())).starts_with(mark);
}

void Lexer::next_line() {
  line_start_ = ++position_;
  ++line_;
}

/// A comment that does not end takes the rest of the text.
bool Lexer::skip_long_comment() {
  const std::size_t start = position_ + dialect_.comment_start.size();
  const std::size_t mark = text_.find(dialect_.comment_end, start);
  if (mark == std::string_view::npos) return false;
  const std::size_t end = mark + dialect_.comment_end.size();
  while (position_ < end) {
    if (text_[position_] == '\n')
      next_line();
    else
      ++position_;
  }
  return true;
}

void Lexer::skip_blanks() {
  for (;;) {
    const char c = at(position_);
    if (starts_with(dialect_.line_comment)) {
      read_comment();
    } else if (starts_with(dialect_.comment_start)) {
      if (!skip_long_comment()) return;
    } else if (c == '\n' && dialect_.line_ends == LineEnds::Blanks) {
      next_line();
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

bool Lexer::is_word_part(char c) const {
  return is_word_start(c) || is_digit(c) || dialect_.name_marks.find(c) != std::string_view::npos;
}

Token Lexer::scan_word(std::string_view rest) {
  const std::size_t digits = length_while(rest, is_digit);
  const std::size_t length = length_while(rest, [this](char c) { return is_word_part(c); });
  if (digits == length) return take(TokenKind::Number, length);
  const bool is_word = digits == 0 || dialect_.digits_start_words;
  return take(is_word ? TokenKind::Word : TokenKind::Unknown, length);
}

/// A quote without its partner on the line is a token of its own.
Token Lexer::scan_quoted(std::string_view rest) {
  const std::size_t end = rest.find_first_of("\"\n", 1);
  if (end == std::string_view::npos || rest[end] == '\n') return take(TokenKind::Unknown, 1);
  Token token = take(TokenKind::Quoted, end + 1);
  token.text = token.text.substr(1, end - 1);
  return token;
}

std::size_t Lexer::symbol_length(std::string_view rest) const {
  const bool is_long = starts_with_any(rest, kLongSymbols) ||
                       (dialect_.comparison_symbols && starts_with_any(rest, kComparisonSymbols)) ||
                       (dialect_.assignment_symbols && starts_with_any(rest, kAssignmentSymbols));
  return is_long ? 2 : 1;
}

Token Lexer::scan() {
  skip_blanks();
  if (position_ >= text_.size()) return take(TokenKind::End, 0);
  const std::string_view rest = text_.substr(position_);
  const char c = rest.front();
  if (c == '\n') {
    const Token token = take(TokenKind::LineEnd, 0);
    next_line();
    return token;
  }
  if (starts_with(dialect_.comment_start)) {
    const Token token = take(TokenKind::OpenComment, dialect_.comment_start.size());
    position_ = text_.size();
    return token;
  }
  if (is_word_part(c) && c != '-') return scan_word(rest);
  if (c == '"' && dialect_.quoted_names) return scan_quoted(rest);
  return take(is_printable(c) ? TokenKind::Symbol : TokenKind::Unknown, symbol_length(rest));
}

}  // namespace heddle::frontend::text
