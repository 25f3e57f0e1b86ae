#include "frontend/petri/lola.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/petri/constraint_reader.hpp"
#include "frontend/petri/lola_question.hpp"
#include "frontend/petri/net_builder.hpp"
#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using namespace std::string_view_literals;
using base::Integer;
using text::Token;
using text::TokenKind;

constexpr std::string_view kLolaHint =
    "a file is 'PLACE p, q; MARKING p: 1; TRANSITION t CONSUME p: 1; PRODUCE q: 1;' and then a "
    "formula, for example 'EF (q >= 1)'";
constexpr std::string_view kListHint = "a list is 'p: 1, q: 2;'; a number of 1 may be left out";

constexpr std::array kKeywords = {
    "PLACE"sv,    "SAFE"sv,    "MARKING"sv,    "TRANSITION"sv, "CONSUME"sv,   "PRODUCE"sv,
    "STRONG"sv,   "WEAK"sv,    "FAIR"sv,       "FORMULA"sv,    "EF"sv,        "AG"sv,
    "EXPATH"sv,   "ALLPATH"sv, "EVENTUALLY"sv, "ALWAYS"sv,     "REACHABLE"sv, "INVARIANT"sv,
    "AND"sv,      "OR"sv,      "NOT"sv,        "TRUE"sv,       "FALSE"sv,     "FIREABLE"sv,
    "DEADLOCK"sv, "EX"sv,      "AX"sv,         "EG"sv,         "AF"sv,        "UNTIL"sv,
    "NEXTSTEP"sv, "XOR"sv};

/// What cannot be part of a name, besides blanks.
constexpr std::string_view kEndsOfNames = ",;:(){}";

class LolaParser {
 public:
  explicit LolaParser(const SourceText& source)
      : lexer_(source.text, lola_dialect()), problems_(source), net_(problems_) {}

  base::Parsed<NetFile> run();

 private:
  bool file();
  bool places();
  bool capacity();
  bool marking();
  bool transition();
  bool formula();
  /// `p: 2, q, r: 7;`, possibly empty.
  template <class Item>
  bool counted_list(Item item);
  std::optional<Token> name(std::string_view what);
  bool symbol(std::string_view wanted, std::string_view hint);

  text::Lexer lexer_;
  text::Problems problems_;
  NetBuilder net_;
  std::size_t transitions_ = 0;
  MarkingSet targets_;
};

base::Parsed<NetFile> LolaParser::run() {
  file();
  if (problems_.any_error()) return std::unexpected(problems_.take_errors());
  return NetFile{
      net_.take_net(), {exactly(net_.marking())}, std::move(targets_), problems_.take_warnings()};
}

bool LolaParser::file() {
  if (lexer_.peek().kind == TokenKind::End) {
    problems_.error("the file is empty", std::string(kLolaHint));
    return false;
  }
  if (!symbol("PLACE", kLolaHint) || !places() || !symbol("MARKING", kLolaHint) || !marking())
    return false;
  while (lexer_.accept("TRANSITION"))
    if (problems_.full() || !transition()) return false;
  if (problems_.any_error()) return false;
  net_.finish();
  return lexer_.peek().kind == TokenKind::End || formula();
}

bool LolaParser::places() {
  while (!lexer_.peek().is("MARKING") && lexer_.peek().kind != TokenKind::End) {
    if (lexer_.accept("SAFE") && !capacity()) return false;
    if (lexer_.accept(";")) continue;
    do {
      const auto read = name("a place");
      if (!read || problems_.full()) return false;
      net_.declare(*read, true);
    } while (lexer_.accept(","));
    if (!symbol(";", "places are separated by ',' and end with ';'")) return false;
  }
  return true;
}

/// `SAFE 3 :` promises a bound that nothing here relies on.
bool LolaParser::capacity() {
  if (lexer_.peek().kind == TokenKind::Number) lexer_.next();
  return symbol(":", "write 'SAFE: p, q;' or 'SAFE 3: p, q;'");
}

bool LolaParser::marking() {
  return counted_list(
      [this](const Token& place, const Integer& tokens) { net_.mark(place, tokens); });
}

bool LolaParser::transition() {
  const auto read = name("a transition");
  if (!read) return false;
  const bool was_known = net_.transitions().find(read->text) || net_.places().find(read->text);
  net_.declare(*read, false);
  if (was_known) return false;
  if ((lexer_.accept("STRONG") || lexer_.accept("WEAK")) && !symbol("FAIR", kLolaHint))
    return false;
  const std::size_t self = transitions_++;
  if (!symbol("CONSUME", kLolaHint)) return false;
  const bool consumes = counted_list(
      [&](const Token& place, const Integer& weight) { net_.consume(self, place, weight); });
  if (!consumes || !symbol("PRODUCE", kLolaHint)) return false;
  return counted_list(
      [&](const Token& place, const Integer& weight) { net_.produce(self, place, weight); });
}

template <class Item>
bool LolaParser::counted_list(Item item) {
  if (lexer_.accept(";")) return true;
  do {
    const auto place = name("a place");
    if (!place || problems_.full()) return false;
    Integer count = 1;
    if (lexer_.accept(":")) {
      auto number = read_number(lexer_, problems_);
      if (!number) return false;
      count = std::move(*number);
    }
    item(*place, count);
  } while (lexer_.accept(","));
  return symbol(";", kListHint);
}

/// Anything but a keyword. In the net, names may hold more than in a formula.
std::optional<Token> LolaParser::name(std::string_view what) {
  const Token token = lexer_.peek();
  const Token whole = lexer_.next_up_to(kEndsOfNames);
  if (is_lola_name(whole.text)) return whole;
  problems_.expected(what, token, std::string(kListHint));
  return std::nullopt;
}

bool LolaParser::formula() {
  auto targets =
      read_lola_question(lexer_, net_.places(), net_.transitions(), net_.net(), problems_);
  if (!targets) return false;
  targets_ = std::move(*targets);
  return true;
}

bool LolaParser::symbol(std::string_view wanted, std::string_view hint) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected("'" + std::string(wanted) + "'", lexer_.peek(), std::string(hint));
  return false;
}

}  // namespace

text::Dialect lola_dialect() {
  return {.line_comment = {},
          .comment_start = "{",
          .comment_end = "}",
          .name_marks = "-.$%/?@[]^`~'\\",
          .digits_start_words = true,
          .comparison_symbols = true};
}

FormulaWords lola_words() {
  return {.conjunction = "AND",
          .disjunction = "OR",
          .negation = "NOT",
          .truth = "TRUE",
          .falsity = "FALSE",
          .fireable = "FIREABLE",
          .is_keyword = is_lola_keyword};
}

bool is_lola_keyword(std::string_view word) {
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

bool is_lola_name(std::string_view name) {
  const auto fits = [](char c) {
    return c > ' ' && c <= '~' && kEndsOfNames.find(c) == std::string_view::npos;
  };
  return !name.empty() && std::ranges::all_of(name, fits) && !is_lola_keyword(name);
}

bool recognises_lola(std::string_view text) {
  return text::Lexer(text, lola_dialect()).accept("PLACE");
}

base::Parsed<NetFile> parse_lola(const SourceText& source) { return LolaParser(source).run(); }

}  // namespace heddle::frontend::petri
