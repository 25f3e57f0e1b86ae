#include "frontend/remopla/expressions.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "base/suggest.hpp"
#include "frontend/boolean_program/expression_reader.hpp"

namespace heddle::frontend::remopla {

namespace {

using boolean_program::Tokens;
using model::boolean::Operator;
using text::Token;
using text::TokenKind;

struct Precedence {
  std::string_view op;
  int level;
};

constexpr std::array kPrecedences = {
    Precedence{"||", 1}, Precedence{"^^", 2}, Precedence{"&&", 3}, Precedence{"|", 4},
    Precedence{"^", 5},  Precedence{"&", 6},  Precedence{"==", 7}, Precedence{"!=", 7},
    Precedence{"<", 8},  Precedence{"<=", 8}, Precedence{">", 8},  Precedence{">=", 8},
    Precedence{"<<", 9}, Precedence{">>", 9}, Precedence{"+", 10}, Precedence{"-", 10}};

int level_of(std::string_view op) {
  for (const Precedence& entry : kPrecedences)
    if (entry.op == op) return entry.level;
  return 0;
}

Bits apply(std::string_view op, Bits a, Bits b) {
  const auto of_truths = [&](Operator which) {
    return one_bit(binary(which, truth(std::move(a)), truth(std::move(b))));
  };
  const auto of_bits = [&](Operator which) { return bitwise(which, std::move(a), std::move(b)); };
  const auto is_less = [](Bits& x, Bits& y) { return less(std::move(x), std::move(y)); };
  if (op == "||") return of_truths(Operator::Or);
  if (op == "^^") return of_truths(Operator::Xor);
  if (op == "&&") return of_truths(Operator::And);
  if (op == "|") return of_bits(Operator::Or);
  if (op == "^") return of_bits(Operator::Xor);
  if (op == "&") return of_bits(Operator::And);
  if (op == "==") return one_bit(equal(std::move(a), std::move(b)));
  if (op == "!=") return one_bit(negation(equal(std::move(a), std::move(b))));
  if (op == "<") return one_bit(is_less(a, b));
  if (op == ">") return one_bit(is_less(b, a));
  if (op == "<=") return one_bit(negation(is_less(b, a)));
  if (op == ">=") return one_bit(negation(is_less(a, b)));
  return op == "+" ? sum(std::move(a), std::move(b)) : difference(std::move(a), std::move(b));
}

}  // namespace

Bits ExpressionReader::read() { return read_binary(1); }

/// The next operator, of one or two characters; empty if there is none. The lexer knows neither
/// `^^` nor shifts.
std::string ExpressionReader::read_operator() {
  const Token& token = tokens_.peek();
  if (token.kind != TokenKind::Symbol || level_of(token.text) == 0) return {};
  std::string op(tokens_.next().text);
  const bool may_double = op == "^" || op == "<" || op == ">";
  if (may_double && tokens_.accept(op)) op += op;
  return op;
}

/// What lies ahead is an operator of a lower level, so there is none behind a whole expression.
Bits ExpressionReader::read_binary(int least) {
  const Tokens::Level level(tokens_);
  Bits left = read_unary();
  for (int length = 0;; ++length) {
    if (ahead_.empty()) ahead_ = read_operator();
    const int here = level_of(ahead_);
    if (here < least || here == 0) return left;
    const std::string op = std::exchange(ahead_, {});
    const Token at = tokens_.peek();
    if (length == boolean_program::kLongestChain)
      tokens_.fail(at, "this expression is too long", "split it up");
    Bits right = read_binary(here + 1);
    if (op != "<<" && op != ">>") {
      left = apply(op, std::move(left), std::move(right));
      check_size(at, size_of(left, kLargestExpression));
      continue;
    }
    const auto by = value_of(right);
    if (!by) tokens_.fail(at, "a shift is by a constant number of bits", "");
    left = op == "<<" ? shifted_left(left, *by) : shifted_right(left, *by);
  }
}

Bits ExpressionReader::read_unary() {
  const bool of_truth = tokens_.accept("!");
  if (!of_truth && !tokens_.accept("~")) return read_primary();
  const Tokens::Level level(tokens_);
  Bits bits = read_unary();
  if (of_truth) return one_bit(negation(truth(std::move(bits))));
  for (Bit& bit : bits) bit = negation(std::move(bit));
  return bits;
}

Bits ExpressionReader::read_primary() {
  if (tokens_.accept("(")) {
    Bits inner = read();
    tokens_.expect(")", "every '(' needs its ')'");
    return inner;
  }
  if (tokens_.accept("true")) return {constant(true)};
  if (tokens_.accept("false")) return {constant(false)};
  if (tokens_.accept("undef")) return {choice()};
  if (tokens_.peek().kind == TokenKind::Number) {
    const Token token = tokens_.next();
    std::uint64_t value = 0;
    const char* const begin = token.text.data();
    if (std::from_chars(begin, begin + token.text.size(), value).ec != std::errc{})
      tokens_.fail(token, "this number has more than 64 bits", "");
    return number(value);
  }
  const Token name = tokens_.name("an expression");
  if (const auto known = constants_.find(name.text); known != constants_.end())
    return number(known->second);
  return value_of_place(name, read_place(name));
}

std::uint64_t ExpressionReader::read_constant(std::string_view what) {
  const Token at = tokens_.peek();
  const auto value = value_of(read());
  if (!value) tokens_.fail(at, std::string(what) + " is a constant", "");
  return *value;
}

LeftSide ExpressionReader::read_place(const Token& name) {
  LeftSide place{variables_.find(name.text), std::nullopt, {}};
  if (!place.variable)
    tokens_.fail(name, "'" + std::string(name.text) + "' is not declared",
                 base::did_you_mean(name.text, variables_.declared()));
  if (!place.variable->is_array) {
    place.element = 0;
    return place;
  }
  tokens_.expect("[", "an array is used element by element: a[0]");
  const Token at = tokens_.peek();
  place.index = read();
  tokens_.expect("]", "every '[' needs its ']'");
  if (const auto constant = value_of(place.index)) {
    if (*constant >= place.variable->names.size())
      tokens_.fail(at, "there is no such element",
                   "the array has " + std::to_string(place.variable->names.size()));
    place.element = constant;
  }
  return place;
}

void ExpressionReader::check_size(const Token& at, std::size_t size) {
  if (size > kLargestExpression)
    tokens_.fail(at, "this expression is too large when it is written with bits",
                 "give a part of it a variable of its own");
}

Bits ExpressionReader::value_of_place(const Token& at, const LeftSide& place) {
  const auto element = [&](std::size_t i) {
    Bits bits;
    for (const std::string& name : place.variable->names[i]) bits.push_back(variable(name));
    return bits;
  };
  if (place.element) return element(*place.element);
  check_size(at, size_of(place.index, kLargestExpression) * place.variable->names.size() *
                     place.variable->width);
  Bits result = element(0);
  for (std::size_t i = 1; i < place.variable->names.size(); ++i) {
    const Bits other = element(i);
    for (std::size_t bit = 0; bit < result.size(); ++bit)
      result[bit] = conditional(equal(place.index, number(i)), other[bit], std::move(result[bit]));
  }
  return result;
}

}  // namespace heddle::frontend::remopla
