#include "frontend/pushdown/format.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "frontend/question_comments.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::pushdown {

namespace {

using model::PushdownRule;
using model::PushdownThread;
using model::SharedState;
using model::StackSymbol;
using text::Lexer;
using text::LineEnds;
using text::Token;
using text::TokenKind;

constexpr std::string_view kHeaderHint =
    "the first line gives the number of shared states; then 'PDA 0 5' begins a thread with stack "
    "symbols 0 to 5";
constexpr std::string_view kRuleHint =
    "a rule is 's a -> s -' (pop), 's a -> s b' (overwrite) or 's a -> s b c' (push, b on top); "
    "'-' on the left is the empty stack";

/// A file is a number and then one block of rules per thread; a broken line does not stop the
/// others from being read.
class Parser {
 public:
  explicit Parser(const SourceText& source)
      : lexer_(source.text, LineEnds::Tokens), problems_(source) {}

  base::Parsed<PushdownFile> run() {
    if (header()) lines();
    if (!problems_.any_error() && system_.threads.empty())
      problems_.error("there is no thread", std::string(kHeaderHint));
    if (problems_.any_error()) return std::unexpected(problems_.take_errors());
    return PushdownFile{std::move(system_), {}, {}, problems_.take_warnings()};
  }

 private:
  bool header();
  void lines();
  void thread();
  void rule();
  bool right_side(PushdownRule& read);
  bool end_of_line(std::string_view hint);
  std::optional<std::uint32_t> number(std::string_view what, std::string_view hint);
  std::optional<SharedState> shared();
  std::optional<StackSymbol> symbol();
  bool at_symbol() { return lexer_.peek().kind == TokenKind::Number; }
  void note_range(const Token& at, StackSymbol found);

  Lexer lexer_;
  text::Problems problems_;
  model::PushdownSystem system_;
  bool warned_ = false;  ///< about this thread's symbols
};

std::optional<std::uint32_t> Parser::number(std::string_view what, std::string_view hint) {
  if (lexer_.peek().kind != TokenKind::Number) {
    problems_.expected(what, lexer_.peek(), std::string(hint));
    return std::nullopt;
  }
  const Token token = lexer_.next();
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
  if (error == std::errc{} && end == token.text.end()) return value;
  problems_.error(
      token, std::string(what) + " is too large: " + text::describe(token),
      "at most " + std::to_string(std::numeric_limits<std::uint32_t>::max()) + " is possible");
  return std::nullopt;
}

bool Parser::header() {
  lexer_.skip_line_ends();
  const Token at = lexer_.peek();
  const auto count = number("the number of shared states", kHeaderHint);
  if (!count) return false;
  if (*count == 0)
    problems_.error(at, "the number of shared states is 0", "there must be at least one");
  system_.shared_count = *count;
  return *count > 0 && end_of_line(kHeaderHint);
}

void Parser::lines() {
  for (;;) {
    lexer_.skip_line_ends();
    if (lexer_.peek().kind == TokenKind::End || problems_.full()) break;
    if (lexer_.accept("PDA")) {
      thread();
    } else {
      rule();
    }
    lexer_.skip_rest_of_line();
  }
}

void Parser::thread() {
  warned_ = false;
  const Token at = lexer_.peek();
  const auto first = number("the first stack symbol", kHeaderHint);
  if (!first) return;
  const auto last = number("the last stack symbol", kHeaderHint);
  if (!last) return;
  if (*last < *first)
    problems_.error(at, "the last stack symbol is below the first", std::string(kHeaderHint));
  system_.threads.push_back({StackSymbol(*first), StackSymbol(*last)});
  end_of_line(kHeaderHint);
}

std::optional<SharedState> Parser::shared() {
  const Token at = lexer_.peek();
  const auto value = number("the number of a shared state", kRuleHint);
  if (!value) return std::nullopt;
  if (*value >= system_.shared_count)
    problems_.error(at, "shared state " + text::describe(at) + " is out of range",
                    "the shared states are 0 to " + std::to_string(system_.shared_count - 1));
  return SharedState(*value);
}

std::optional<StackSymbol> Parser::symbol() {
  const Token at = lexer_.peek();
  const auto value = number("a stack symbol", kRuleHint);
  if (!value) return std::nullopt;
  note_range(at, StackSymbol(*value));
  return StackSymbol(*value);
}

void Parser::note_range(const Token& at, StackSymbol found) {
  const PushdownThread& declared = system_.threads.back();
  if (warned_ || (declared.first <= found && found <= declared.last)) return;
  warned_ = true;
  problems_.warning(at,
                    "thread " + std::to_string(system_.threads.size() - 1) + " uses stack symbol " +
                        std::to_string(found.value) + ", which is outside of its declared range",
                    "its range is " + std::to_string(declared.first.value) + " to " +
                        std::to_string(declared.last.value) +
                        "; the symbol is taken as one more of its symbols");
}

void Parser::rule() {
  if (system_.threads.empty()) {
    problems_.expected("'PDA'", lexer_.peek(), std::string(kHeaderHint));
    return;
  }
  PushdownRule read;
  read.thread = static_cast<std::uint32_t>(system_.threads.size() - 1);
  read.line = lexer_.peek().line;
  const auto from = shared();
  if (!from) return;
  read.from = *from;
  if (!lexer_.accept("-")) {
    read.top = symbol();
    if (!read.top) return;
  }
  if (!lexer_.accept("->")) {
    problems_.expected("'->'", lexer_.peek(), std::string(kRuleHint));
    return;
  }
  const auto to = shared();
  if (!to || !right_side(read)) return;
  read.to = *to;
  system_.transitions.push_back(std::move(read));
}

/// `-`, one symbol or two.
bool Parser::right_side(PushdownRule& read) {
  if (!lexer_.accept("-")) {
    do {
      const Token at = lexer_.peek();
      const auto pushed = symbol();
      if (!pushed) return false;
      read.pushed.push_back(*pushed);
      if (read.pushed.size() <= (read.top ? 2U : 1U)) continue;
      problems_.error(at, "a rule writes at most two symbols, and one onto the empty stack",
                      std::string(kRuleHint));
      return false;
    } while (at_symbol());
  }
  return end_of_line(kRuleHint);
}

bool Parser::end_of_line(std::string_view hint) {
  if (lexer_.peek().ends_line()) return true;
  problems_.expected("the end of the line", lexer_.peek(), std::string(hint));
  return false;
}

}  // namespace

bool recognises(std::string_view text) {
  Lexer lexer(text, LineEnds::Tokens);
  lexer.skip_line_ends();
  if (lexer.next().kind != TokenKind::Number || !lexer.next().ends_line()) return false;
  lexer.skip_line_ends();
  return lexer.next().is("PDA");
}

base::Parsed<PushdownFile> parse(const SourceText& source) {
  return with_question_comments(Parser(source).run(), source, {"#"});
}

}  // namespace heddle::frontend::pushdown
