#include "frontend/petri/constraint_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using model::CounterBound;
using model::PlaceId;
using text::Token;
using text::TokenKind;

constexpr std::string_view kConstraintHint =
    "a constraint is 'p = 1', 'p >= 1' or 'p in [1, 3]'; ',' joins several";

Integer value_of(std::string_view digits) {
  constexpr std::size_t kFitsAWord = 18;
  if (digits.size() > kFitsAWord) return *base::parse_integer(digits);
  unsigned long value = 0;
  for (const char digit : digits) value = 10 * value + static_cast<unsigned long>(digit - '0');
  return value;
}

}  // namespace

std::optional<PlaceId> read_place(text::Lexer& lexer, const PlaceTable& places,
                                  text::Problems& problems) {
  const bool is_name = lexer.peek().kind == TokenKind::Quoted ||
                       (lexer.peek().kind == TokenKind::Word && !is_reserved(lexer.peek().text));
  if (!is_name) {
    problems.expected("a place", lexer.peek(), std::string(kConstraintHint));
    return std::nullopt;
  }
  const Token name = lexer.next();
  if (const auto place = places.find(name.text)) return place;
  const std::string suggestion = places.suggestion(name.text);
  problems.error(name, "there is no place " + text::describe(name),
                 suggestion.empty() ? "the section 'vars' lists the places" : suggestion);
  return kUnknownPlace;
}

std::optional<Integer> read_number(text::Lexer& lexer, text::Problems& problems) {
  if (lexer.peek().kind == TokenKind::Number) return value_of(lexer.next().text);
  problems.expected("a number", lexer.peek(), "numbers are natural, without sign");
  return std::nullopt;
}

std::optional<std::vector<CounterBound>> ConstraintReader::conjunction() {
  constrained_.restart();
  std::vector<CounterBound> bounds;
  do {
    lexer_.skip_line_ends();
    if (!lexer_.accept("true") && !constraint(bounds)) return std::nullopt;
  } while (lexer_.accept(","));
  std::ranges::sort(bounds, {}, &CounterBound::counter);
  return bounds;
}

bool ConstraintReader::constraint(std::vector<CounterBound>& bounds) {
  const Token name = lexer_.peek();
  const auto place = read_place(lexer_, places_, problems_);
  if (!place) return false;
  auto read = bound(*place);
  if (!read) return false;
  if (read->upper && *read->upper < read->lower)
    problems_.error(name, "no number of tokens in " + text::describe(name) + " satisfies this",
                    "write the smaller number first");
  if (constrained_.first(*place))
    bounds.push_back(std::move(*read));
  else
    problems_.error(name, "place " + text::describe(name) + " is constrained twice",
                    "say it once, for example with 'in [1, 3]'");
  return true;
}

std::optional<CounterBound> ConstraintReader::bound(PlaceId place) {
  if (lexer_.accept(">=")) {
    const auto lower = read_number(lexer_, problems_);
    if (!lower) return std::nullopt;
    return CounterBound{place, *lower, std::nullopt};
  }
  if (lexer_.accept("=")) {
    const auto value = read_number(lexer_, problems_);
    if (!value) return std::nullopt;
    return CounterBound{place, *value, value};
  }
  if (lexer_.accept("in")) return interval(place);
  problems_.expected("'=', '>=' or 'in'", lexer_.peek(), std::string(kConstraintHint));
  return std::nullopt;
}

std::optional<CounterBound> ConstraintReader::interval(PlaceId place) {
  if (!symbol("[")) return std::nullopt;
  const auto lower = read_number(lexer_, problems_);
  if (!lower || !symbol(",")) return std::nullopt;
  const auto upper = read_number(lexer_, problems_);
  if (!upper || !symbol("]")) return std::nullopt;
  return CounterBound{place, *lower, upper};
}

bool ConstraintReader::symbol(std::string_view wanted) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected("'" + std::string(wanted) + "'", lexer_.peek(), std::string(kConstraintHint));
  return false;
}

}  // namespace heddle::frontend::petri
