#include "model/boolean_program/scope.hpp"

#include <algorithm>
#include <utility>

namespace heddle::model::boolean {

void check_count(std::size_t count, const std::string& what) {
  if (count > kMostVariables)
    throw Refusal{"it has more than " + std::to_string(kMostVariables) + " " + what};
}

bool Scope::declares(const std::string& name, std::uint32_t frame) const {
  const auto& locals = flow_.local_names[flow_.frames[frame].procedure];
  return std::ranges::find(locals, name) != locals.end() ||
         std::ranges::find(program_.globals, name, &Declaration::name) != program_.globals.end();
}

Atom Scope::variable(const std::string& name, std::uint32_t frame) const {
  const auto& locals = flow_.local_names[flow_.frames[frame].procedure];
  const auto local = std::ranges::find(locals, name);
  if (local != locals.end())
    return {AtomKind::Local,
            flow_.frames[frame].first_local + static_cast<std::uint32_t>(local - locals.begin())};
  const auto shared = std::ranges::find(program_.globals, name, &Declaration::name);
  return {AtomKind::Shared, static_cast<std::uint32_t>(shared - program_.globals.begin())};
}

Formula Scope::lower(const Expression& e, std::uint32_t frame, FlowEdge& edge) const {
  const auto operand = [&](std::size_t i) { return lower(e.operands[i], frame, edge); };
  switch (e.op) {
    case Operator::False: return constant(false);
    case Operator::True: return constant(true);
    case Operator::Choice: return choice(edge);
    case Operator::Variable:
    case Operator::Next: {
      const Atom which = variable(e.name, frame);
      if (e.op == Operator::Variable) return atom(which.kind, which.index);
      return atom(which.kind == AtomKind::Local ? AtomKind::NextLocal : AtomKind::NextShared,
                  which.index);
    }
    case Operator::Not: return negation(operand(0));
    case Operator::And: return conjunction(operand(0), operand(1));
    case Operator::Or: return disjunction(operand(0), operand(1));
    case Operator::Implies: {
      Formula premise = operand(0);
      return disjunction(negation(std::move(premise)), operand(1));
    }
    case Operator::Equal: return equality(operand(0), operand(1));
    case Operator::Xor:
    case Operator::Unequal: return negation(equality(operand(0), operand(1)));
    case Operator::Conditional: return conditional(operand(0), operand(1), operand(2));
    case Operator::Schoose: {
      Formula one = operand(0);
      Formula zero = operand(1);
      return conditional(std::move(one), constant(true),
                         conditional(std::move(zero), constant(false), choice(edge)));
    }
  }
  return constant(true);
}

Formula Scope::choice(FlowEdge& edge) {
  check_count(edge.choices + std::size_t{1}, "choices '*' in one statement");
  return atom(AtomKind::Choice, edge.choices++);
}

}  // namespace heddle::model::boolean
