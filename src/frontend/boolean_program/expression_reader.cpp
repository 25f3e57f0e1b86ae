#include "frontend/boolean_program/expression_reader.hpp"

#include <array>
#include <optional>
#include <utility>

namespace heddle::frontend::boolean_program {

namespace {

using model::boolean::Expression;
using model::boolean::Operator;
using text::Token;
using text::TokenKind;

constexpr const char* kHint =
    "expressions are built from variables, 0, 1, *, 'x, schoose[a,b], ! & | ^ = != => and ? :";

Expression leaf(Operator op, const Token& token, std::string name = {}) {
  return {op, std::move(name), {}, Tokens::position(token)};
}

Expression read_schoose(Tokens& tokens, const Token& at) {
  Expression out = leaf(Operator::Schoose, at);
  tokens.expect("[", "write schoose[a,b]");
  out.operands.push_back(read_expression(tokens));
  tokens.expect(",", "write schoose[a,b]");
  out.operands.push_back(read_expression(tokens));
  tokens.expect("]", "write schoose[a,b]");
  return out;
}

std::optional<Expression> read_constant(const Token& token) {
  if (token.is("T") || (token.kind == TokenKind::Number && token.text == "1"))
    return leaf(Operator::True, token);
  if (token.is("F") || (token.kind == TokenKind::Number && token.text == "0"))
    return leaf(Operator::False, token);
  if (token.is("*")) return leaf(Operator::Choice, token);
  return std::nullopt;
}

Expression read_primary(Tokens& tokens) {
  const Token token = tokens.peek();
  if (auto constant = read_constant(token)) {
    tokens.next();
    return *constant;
  }
  if (tokens.accept("schoose")) return read_schoose(tokens, token);
  if (tokens.accept("(")) {
    Expression inner = read_expression(tokens);
    tokens.expect(")", "each '(' needs its ')'");
    return inner;
  }
  if (tokens.accept("'"))
    return leaf(Operator::Next, token, std::string(tokens.name("a variable").text));
  if (token.kind != TokenKind::Word || is_keyword(token.text))
    tokens.fail_expected("an expression", kHint);
  tokens.next();
  return leaf(Operator::Variable, token, std::string(token.text));
}

Expression read_unary(Tokens& tokens) {
  const Tokens::Level level(tokens);
  const Token token = tokens.peek();
  if (!tokens.accept("!") && !tokens.accept("~")) return read_primary(tokens);
  Expression out = leaf(Operator::Not, token);
  out.operands.push_back(read_unary(tokens));
  return out;
}

/// The operator that stands here on the given level of strength, taken.
std::optional<Operator> take_operator(Tokens& tokens, int level) {
  switch (level) {
    case 0: return tokens.accept("=>") ? std::optional(Operator::Implies) : std::nullopt;
    case 1:
      if (tokens.accept("|") || tokens.accept("||")) return Operator::Or;
      return std::nullopt;
    case 2: return tokens.accept("^") ? std::optional(Operator::Xor) : std::nullopt;
    case 3:
      if (tokens.accept("&") || tokens.accept("&&")) return Operator::And;
      return std::nullopt;
    default:
      if (tokens.accept("!=")) return Operator::Unequal;
      if (tokens.accept("=") || tokens.accept("==")) return Operator::Equal;
      return std::nullopt;
  }
}

constexpr int kLevels = 5;

Expression read_binary(Tokens& tokens, int level) {
  if (level == kLevels) return read_unary(tokens);
  Expression left = read_binary(tokens, level + 1);
  for (int length = 0;; ++length) {
    const Token at = tokens.peek();
    const auto op = take_operator(tokens, level);
    if (!op) return left;
    if (length == kLongestChain) tokens.fail(at, "this expression is too long", "split it up");
    Expression both = leaf(*op, at);
    both.operands.push_back(std::move(left));
    both.operands.push_back(read_binary(tokens, level + 1));
    left = std::move(both);
  }
}

}  // namespace

Expression read_expression(Tokens& tokens) {
  const Tokens::Level level(tokens);
  Expression condition = read_binary(tokens, 0);
  const Token at = tokens.peek();
  if (!tokens.accept("?")) return condition;
  Expression out = leaf(Operator::Conditional, at);
  out.operands.push_back(std::move(condition));
  out.operands.push_back(read_expression(tokens));
  tokens.expect(":", "write a ? b : c");
  out.operands.push_back(read_expression(tokens));
  return out;
}

std::vector<Expression> read_expressions(Tokens& tokens) {
  std::vector<Expression> out{read_expression(tokens)};
  while (tokens.accept(",")) out.push_back(read_expression(tokens));
  return out;
}

}  // namespace heddle::frontend::boolean_program
