#include "frontend/boolean_program/tokens.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/suggest.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using namespace std::string_view_literals;

constexpr std::array kKeywords = {"F"sv,
                                  "T"sv,
                                  "abortif"sv,
                                  "assert"sv,
                                  "assume"sv,
                                  "atomic_begin"sv,
                                  "atomic_end"sv,
                                  "begin"sv,
                                  "bool"sv,
                                  "broadcast"sv,
                                  "constrain"sv,
                                  "constrain$"sv,
                                  "dead"sv,
                                  "decl"sv,
                                  "dfs"sv,
                                  "do"sv,
                                  "else"sv,
                                  "elsif"sv,
                                  "end"sv,
                                  "end_thread"sv,
                                  "enforce"sv,
                                  "fi"sv,
                                  "goto"sv,
                                  "if"sv,
                                  "od"sv,
                                  "print"sv,
                                  "return"sv,
                                  "schoose"sv,
                                  "signal"sv,
                                  "skip"sv,
                                  "start_thread"sv,
                                  "sync"sv,
                                  "then"sv,
                                  "void"sv,
                                  "wait"sv,
                                  "while"sv};

constexpr int kDeepest = 200;

text::Dialect dialect() {
  return {.line_comment = "//",
          .comment_start = "/*",
          .comment_end = "*/",
          .name_marks = "$",
          .comparison_symbols = true,
          .assignment_symbols = true};
}

}  // namespace

bool is_keyword(std::string_view word) {
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

std::string keyword_hint(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  if (word.size() > kLongest) return {};
  const std::vector<std::string> candidates(kKeywords.begin(), kKeywords.end());
  return base::did_you_mean(word, candidates);
}

Tokens::Tokens(std::string_view text, text::Problems& problems)
    : lexer_(text, dialect()), problems_(problems) {}

void Tokens::expect(std::string_view wanted, std::string_view hint) {
  if (!accept(wanted)) fail_expected("'" + std::string(wanted) + "'", std::string(hint));
}

text::Token Tokens::name(std::string_view what) {
  const text::Token& token = peek();
  if (token.kind != text::TokenKind::Word) fail_expected(what, "names start with a letter or '_'");
  if (is_keyword(token.text))
    fail(token, "'" + std::string(token.text) + "' is a keyword", "choose another name");
  return next();
}

std::string Tokens::label() {
  if (peek().kind == text::TokenKind::Number) return std::string(next().text);
  return std::string(name("a label").text);
}

std::string Tokens::text_from(const text::Token& first) {
  const char* end = first.text.data();
  text::Lexer piece({end, static_cast<std::size_t>(peek().text.data() - end)}, dialect());
  std::string out;
  while (piece.peek().kind != text::TokenKind::End) {
    const text::Token token = piece.next();
    if (token.text.data() != end) out += ' ';
    out += token.text;
    end = token.text.data() + token.text.size();
  }
  return out;
}

void Tokens::fail(const text::Token& at, std::string message, std::string hint) {
  problems_.error(at, std::move(message), std::move(hint));
  throw SyntaxProblem{};
}

void Tokens::fail_expected(std::string_view what, std::string hint) {
  problems_.expected(what, peek(), std::move(hint));
  throw SyntaxProblem{};
}

Tokens::Level::Level(Tokens& tokens) : tokens_(tokens) {
  if (tokens_.depth_ >= kDeepest)
    tokens_.fail(tokens_.peek(),
                 "this is nested more than " + std::to_string(kDeepest) + " levels deep",
                 "split it up");
  ++tokens_.depth_;
}

}  // namespace heddle::frontend::boolean_program
