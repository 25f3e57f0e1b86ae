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

void Scope::assign(FlowEdge& edge, const Atom& variable, Formula value) {
  auto& list = variable.kind == AtomKind::Local ? edge.local : edge.shared;
  list.push_back({variable.index, std::move(value)});
}

std::uint32_t Scope::end_of_locals(std::uint32_t frame) const {
  const Frame& f = flow_.frames[frame];
  return f.first_local + static_cast<std::uint32_t>(flow_.local_names[f.procedure].size());
}

void Scope::lower_assignment(const Statement& s, std::uint32_t frame, FlowEdge& edge) const {
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const std::string& name = s.names[i];
    if (name == "_") continue;
    if (declares(name, frame))
      assign(edge, variable(name, frame), lower(s.expressions[i], frame, edge));
    else
      lower_passive(name.substr(0, name.size() - 1), s.expressions[i], frame, edge);
  }
  if (s.constraint) edge.constraint = lower(*s.constraint, frame, edge);
}

void Scope::lower_passive(const std::string& name, const Expression& value, std::uint32_t frame,
                          FlowEdge& edge) const {
  if (flow_.frames[frame].caller != frame)
    throw Refusal{"'" + name + "$' is assigned in a procedure that is called"};
  FlowEdge probe;
  Formula formula = lower(value, frame, probe);
  if (probe.choices > 0 && value.op != Operator::Choice)
    throw Refusal{"the value of '" + name + "$' is neither '*' nor free of '*'"};
  edge.passive.push_back({variable(name, frame).index, std::move(formula)});
}

void Scope::lower_constraint(const Statement& s, std::uint32_t frame, FlowEdge& edge) const {
  for (std::uint32_t i = 0; i < program_.globals.size(); ++i)
    assign(edge, {AtomKind::Shared, i}, choice(edge));
  const std::uint32_t end = end_of_locals(frame);
  for (std::uint32_t i = flow_.frames[frame].first_local; i < end; ++i)
    assign(edge, {AtomKind::Local, i}, choice(edge));
  edge.constraint = lower(s.expressions[0], frame, edge);
}

std::vector<Assignment> Scope::entry_values(std::uint32_t callee_frame,
                                            const std::vector<Expression>& arguments,
                                            std::uint32_t frame, FlowEdge& edge) const {
  const Procedure& callee = program_.procedures[flow_.frames[callee_frame].procedure];
  std::vector<Assignment> out;
  std::uint32_t index = flow_.frames[callee_frame].first_local;
  for (const Expression& argument : arguments)
    out.push_back({index++, lower(argument, frame, edge)});
  for (std::size_t i = arguments.size(); i < callee.parameters.size(); ++i)
    out.push_back({index++, choice(edge)});
  for (const Declaration& d : callee.locals)
    out.push_back({index++, d.initial ? constant(*d.initial) : choice(edge)});
  return out;
}

}  // namespace heddle::model::boolean
