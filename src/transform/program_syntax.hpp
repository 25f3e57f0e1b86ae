#pragma once

/// Pieces of Boolean programs, for transformations that write programs.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::transform::syntax {

using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Statement;
using model::boolean::StatementKind;
using Block = std::vector<Statement>;

inline Expression leaf(Operator op, std::string name = {}) { return {op, std::move(name), {}, {}}; }
inline Expression value_of(std::string name) { return leaf(Operator::Variable, std::move(name)); }
inline Expression truth(bool value) { return leaf(value ? Operator::True : Operator::False); }
inline Expression combined(Operator op, Expression a, Expression b) {
  return {op, {}, {std::move(a), std::move(b)}, {}};
}
inline Expression no(Expression e) { return {Operator::Not, {}, {std::move(e)}, {}}; }

inline Statement statement(StatementKind kind, std::vector<Expression> expressions = {}) {
  Statement s;
  s.kind = kind;
  s.expressions = std::move(expressions);
  return s;
}

inline Statement assign(std::vector<std::string> names, std::vector<Expression> values) {
  Statement s = statement(StatementKind::Assign, std::move(values));
  s.names = std::move(names);
  return s;
}

template <class... Statements>
Block block(Statements&&... statements) {
  Block out;
  (out.push_back(std::forward<Statements>(statements)), ...);
  return out;
}

inline void append(Block& to, Block more) { std::ranges::move(more, std::back_inserter(to)); }

/// All statements of a block, those inside of others behind these.
template <class Visit>
void for_each_statement(const Block& block, const Visit& visit) {
  for (const Statement& s : block) {
    visit(s);
    for (const Block& inner : s.blocks) for_each_statement(inner, visit);
  }
}

}  // namespace heddle::transform::syntax
