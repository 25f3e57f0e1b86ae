#include "frontend/petri/formula_reader.hpp"

#include <array>
#include <utility>

#include "frontend/petri/constraint_reader.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using text::Token;
using text::TokenKind;

constexpr std::string_view kFormulaHint =
    "a formula compares places and numbers, for example 'p + q >= 2', and joins such comparisons";
constexpr std::string_view kLinearHint =
    "what can be asked is how sums of places, with constant factors, compare";

constexpr std::array<std::pair<std::string_view, Relation>, 8> kRelationSymbols = {{
    {"<", Relation::Less},
    {"<=", Relation::LessEqual},
    {"=", Relation::Equal},
    {"!=", Relation::NotEqual},
    {"<>", Relation::NotEqual},
    {"#", Relation::NotEqual},
    {">=", Relation::GreaterEqual},
    {">", Relation::Greater},
}};

}  // namespace

std::optional<std::vector<model::Region>> FormulaReader::formula(bool negated) {
  const Token start = lexer_.peek();
  auto value = disjunction(negated);
  if (!value) return std::nullopt;
  auto* set = std::get_if<MarkingSet>(&*value);
  if (!set) {
    wrong_kind("a condition", start);
    return std::nullopt;
  }
  return to_targets(std::move(*set));
}

FormulaReader::Maybe FormulaReader::disjunction(bool negated) {
  Maybe left = conjunction(negated);
  while (left) {
    const Token at = lexer_.peek();
    if (!word(words_.disjunction)) break;
    left = join(std::move(left), conjunction(negated), negated, at);
  }
  return left;
}

FormulaReader::Maybe FormulaReader::conjunction(bool negated) {
  Maybe left = literal(negated);
  while (left) {
    const Token at = lexer_.peek();
    if (!word(words_.conjunction)) break;
    left = join(std::move(left), literal(negated), !negated, at);
  }
  return left;
}

FormulaReader::Maybe FormulaReader::literal(bool negated) {
  const Token at = lexer_.peek();
  if (!word(words_.negation)) return comparison(negated);
  if (too_deep()) return std::nullopt;
  ++depth_;
  Maybe value = literal(!negated);
  --depth_;
  if (value && !std::holds_alternative<MarkingSet>(*value)) return wrong_kind("a condition", at);
  return value;
}

FormulaReader::Maybe FormulaReader::comparison(bool negated) {
  const Token at = lexer_.peek();
  Maybe left = sum(negated);
  if (!left) return left;
  if (lexer_.peek().is("in") && std::holds_alternative<LinearSum>(*left))
    return interval(std::get<LinearSum>(*left), negated);
  const auto how = relation();
  if (!how) return left;
  const Maybe right = sum(negated);
  if (!right) return std::nullopt;
  auto* difference = std::get_if<LinearSum>(&*left);
  const auto* subtracted = std::get_if<LinearSum>(&*right);
  if (!difference || !subtracted) return wrong_kind("two numbers to compare", at);
  difference->add(*subtracted, -1);
  return where(*difference, negated ? negation(*how) : *how);
}

FormulaReader::Maybe FormulaReader::interval(const LinearSum& sum, bool negated) {
  lexer_.next();
  const auto symbol = [&](std::string_view wanted) {
    if (lexer_.accept(wanted)) return true;
    problems_.expected("'" + std::string(wanted) + "'", lexer_.peek(), "write 'in [1, 3]'");
    return false;
  };
  if (!symbol("[")) return std::nullopt;
  const auto lower = read_number(lexer_, problems_);
  if (!lower || !symbol(",")) return std::nullopt;
  const auto upper = read_number(lexer_, problems_);
  if (!upper || !symbol("]")) return std::nullopt;
  LinearSum above = sum, below = sum;
  above.constant -= *lower;
  below.constant -= *upper;
  if (negated) return unite(where(above, Relation::Less), where(below, Relation::Greater));
  return intersect(where(above, Relation::GreaterEqual), where(below, Relation::LessEqual));
}

std::optional<Relation> FormulaReader::relation() {
  for (const auto& [symbol, relation] : kRelationSymbols)
    if (lexer_.accept(symbol)) return relation;
  return std::nullopt;
}

FormulaReader::Maybe FormulaReader::sum(bool negated) {
  Maybe left = product(negated);
  while (left && (lexer_.peek().is("+") || lexer_.peek().is("-"))) {
    const Token sign = lexer_.next();
    const Maybe right = product(negated);
    if (!right) return std::nullopt;
    auto* total = std::get_if<LinearSum>(&*left);
    const auto* term = std::get_if<LinearSum>(&*right);
    if (!total || !term) return wrong_kind("numbers on both sides", sign);
    total->add(*term, sign.is("+") ? 1 : -1);
  }
  return left;
}

FormulaReader::Maybe FormulaReader::product(bool negated) {
  Maybe left = factor(negated);
  while (left && lexer_.peek().is("*")) {
    const Token sign = lexer_.next();
    const Maybe right = factor(negated);
    if (!right) return std::nullopt;
    const auto* a = std::get_if<LinearSum>(&*left);
    const auto* b = std::get_if<LinearSum>(&*right);
    if (!a || !b) return wrong_kind("numbers on both sides", sign);
    if (!a->weights.empty()) std::swap(a, b);
    if (!a->weights.empty()) return not_linear("it multiplies places", sign);
    LinearSum out;
    if (a->constant != 0) out.add(*b, a->constant);
    left = std::move(out);
  }
  return left;
}

FormulaReader::Maybe FormulaReader::factor(bool negated) {
  const Token at = lexer_.peek();
  if (lexer_.accept("(")) return brackets(negated);
  if (lexer_.accept("-")) {
    if (too_deep()) return std::nullopt;
    ++depth_;
    const Maybe value = factor(negated);
    --depth_;
    if (!value) return std::nullopt;
    const auto* positive = std::get_if<LinearSum>(&*value);
    if (!positive) return wrong_kind("a number behind it", at);
    LinearSum out;
    out.add(*positive, -1);
    return out;
  }
  if (at.kind == TokenKind::Number) {
    lexer_.next();
    return LinearSum{{}, *base::parse_integer(at.text)};
  }
  return name(negated);
}

FormulaReader::Maybe FormulaReader::name(bool negated) {
  const Token at = lexer_.peek();
  if (at.kind == TokenKind::Word) {
    if (word(words_.truth)) return negated ? no_markings() : all_markings();
    if (word(words_.falsity)) return negated ? all_markings() : no_markings();
    if (word(words_.fireable)) return fireable(at, negated);
    if (words_.is_keyword && words_.is_keyword(at.text)) {
      problems_.error(at, text::describe(at) + " cannot be part of a formula here",
                      std::string(kFormulaHint));
      return std::nullopt;
    }
  }
  if (at.kind != TokenKind::Word && at.kind != TokenKind::Quoted) {
    problems_.expected("a place, a number or '('", at, std::string(kFormulaHint));
    return std::nullopt;
  }
  lexer_.next();
  const auto place = places_.find(at.text);
  if (!place) {
    problems_.error(at, "there is no place " + text::describe(at), places_.suggestion(at.text));
    return std::nullopt;
  }
  LinearSum out;
  out.add(*place, 1);
  return out;
}

FormulaReader::Maybe FormulaReader::brackets(bool negated) {
  if (too_deep()) return std::nullopt;
  ++depth_;
  Maybe value = disjunction(negated);
  --depth_;
  if (value && !lexer_.accept(")")) {
    problems_.expected("an operator or ')'", lexer_.peek(), std::string(kFormulaHint));
    return std::nullopt;
  }
  return value;
}

FormulaReader::Maybe FormulaReader::fireable(const Token& at, bool negated) {
  if (!lexer_.accept("(")) {
    problems_.expected("'('", lexer_.peek(), "write " + std::string(at.text) + "(t)");
    return std::nullopt;
  }
  const Token name = lexer_.next();
  const auto transition = transitions_.find(name.text);
  if (!transition) {
    problems_.error(name, "there is no transition " + text::describe(name),
                    transitions_.suggestion(name.text));
    return std::nullopt;
  }
  if (!lexer_.accept(")")) {
    problems_.expected("')'", lexer_.peek(), "write " + std::string(at.text) + "(t)");
    return std::nullopt;
  }
  auto set = where_fireable(net_.transitions[transition->index()], negated);
  if (!set) return not_linear(set.error(), at);
  return std::move(*set);
}

FormulaReader::Maybe FormulaReader::join(Maybe left, Maybe right, bool meet, const Token& at) {
  if (!left || !right) return std::nullopt;
  auto* a = std::get_if<MarkingSet>(&*left);
  const auto* b = std::get_if<MarkingSet>(&*right);
  if (!a || !b) return wrong_kind("conditions on both sides", at);
  return meet ? intersect(std::move(*a), *b) : unite(std::move(*a), *b);
}

FormulaReader::Maybe FormulaReader::not_linear(const std::string& why, const Token& at) {
  problems_.error(at, "this is not a linear question about markings: " + why,
                  std::string(kLinearHint));
  return std::nullopt;
}

FormulaReader::Maybe FormulaReader::wrong_kind(std::string_view wanted, const Token& at) {
  problems_.error(at, text::describe(at) + " needs " + std::string(wanted),
                  std::string(kFormulaHint));
  return std::nullopt;
}

bool FormulaReader::too_deep() {
  if (depth_ < kDeepestFormula) return false;
  problems_.error(lexer_.peek(),
                  "the formula is nested more than " + std::to_string(kDeepestFormula) + " deep",
                  "leave out brackets that are not needed");
  return true;
}

}  // namespace heddle::frontend::petri
