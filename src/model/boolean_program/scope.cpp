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
      if (!declares(e.name, frame)) {  // `x$`
        const Atom which = variable(e.name.substr(0, e.name.size() - 1), frame);
        return atom(e.op == Operator::Variable ? AtomKind::Receiver : AtomKind::NextLocal,
                    which.index);
      }
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
  }
  if (s.constraint) edge.constraint = lower(*s.constraint, frame, edge);
  lower_passive(s, frame, edge);
}

namespace {

/// The value that an assignment of the list gives to a variable of the receiver, or its old one.
Formula received(const std::vector<Assignment>& passive, std::uint32_t index) {
  const auto it = std::ranges::find(passive, index, &Assignment::index);
  return it != passive.end() ? it->value : atom(AtomKind::Receiver, index);
}

/// The formula with the choices fixed, the number's bits in order.
Formula with_choices(const Formula& f, std::uint32_t number) {
  return substitute(f, [&](const Atom& a) {
    if (a.kind == AtomKind::Choice) return constant((number >> a.index & 1U) != 0);
    return atom(a.kind, a.index);
  });
}

/// Restricts the choices of receivers to those that the condition allows: a receiver takes its
/// choices if they are allowed, otherwise the first ones that are; if there are none, it keeps its
/// values. So the condition disappears, and what is left has a value for all choices.
void restrict_choices(FlowEdge& edge, const Formula& condition) {
  if (condition == constant(true)) return;
  std::vector<Assignment> out;
  for (const Assignment& assignment : edge.passive) {
    Formula value = atom(AtomKind::Receiver, assignment.index);
    for (std::uint32_t i = 1U << edge.passive_choices; i-- > 0;)
      value = conditional(with_choices(condition, i), with_choices(assignment.value, i),
                          std::move(value));
    if (edge.passive_choices > 0)
      value = conditional(condition, assignment.value, std::move(value));
    out.push_back({assignment.index, std::move(value)});
  }
  edge.passive = std::move(out);
}

}  // namespace

void Scope::lower_passive(const Statement& s, std::uint32_t frame, FlowEdge& edge) const {
  constexpr std::uint32_t kMostConstrained = 6;
  FlowEdge receivers;  // whose choices are numbered on their own
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const std::string& name = s.names[i];
    if (name == "_" || declares(name, frame)) continue;
    if (flow_.frames[frame].caller != frame)
      throw Refusal{"'" + name + "' is assigned in a procedure that is called"};
    const Atom which = variable(name.substr(0, name.size() - 1), frame);
    edge.passive.push_back({which.index, lower(s.expressions[i], frame, receivers)});
  }
  std::optional<Formula> condition;
  if (s.passive_constraint)
    condition = substitute(lower(*s.passive_constraint, frame, receivers), [&](const Atom& a) {
      if (a.kind == AtomKind::NextLocal) return received(edge.passive, a.index);
      return atom(a.kind, a.index);
    });
  edge.passive_choices = receivers.choices;
  if (condition && receivers.choices > kMostConstrained)
    throw Refusal{"'constrain$' stands behind more than " + std::to_string(kMostConstrained) +
                  " '*'"};
  if (condition) restrict_choices(edge, *condition);
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
