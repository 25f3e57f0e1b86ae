#include "engine/context/encoder.hpp"

#include <algorithm>

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Formula;
using solver::Bdd;

Encoder::Encoder(const model::boolean::FlowEdge& edge, const StepVariables& variables,
                 const solver::BddSpace& space)
    : edge_(edge), variables_(variables), space_(space) {
  const auto count = [&](const Formula& formula) {
    for_each_atom(formula, [&](const Atom& atom) {
      if (atom.kind == AtomKind::Choice) ++occurrences_[atom.index];
    });
  };
  count(edge.guard);
  count(edge.constraint);
  for (const auto* list : {&edge.shared, &edge.local, &edge.child_values})
    for (const Assignment& assignment : *list) count(assignment.value);
}

Bdd Encoder::condition() const { return encode(edge_.guard) & encode(edge_.constraint); }

Bdd Encoder::assigned(std::span<const Assignment> assignments,
                      std::span<const BddVariable> copy) const {
  Bdd out = space_.constant(true);
  for (const Assignment& assignment : assignments)
    if (!is_free(assignment.value))
      out &= space_.variable(copy[assignment.index]).iff(encode(assignment.value));
  return out;
}

Bdd Encoder::without_choices(const Bdd& set) const {
  return space_.exists(set, space_.all_of(variables_.choices));
}

bool Encoder::is_free(const Formula& value) const {
  return value.kind == Formula::Kind::Atom && value.atom.kind == AtomKind::Choice &&
         occurrences_.at(value.atom.index) == 1;
}

BddVariable Encoder::variable(const Atom& atom) const {
  const auto is_assigned = [&](const std::vector<Assignment>& list) {
    return std::ranges::find(list, atom.index, &Assignment::index) != list.end();
  };
  switch (atom.kind) {
    case AtomKind::Shared: return variables_.shared[atom.index];
    case AtomKind::Local: return variables_.local[atom.index];
    case AtomKind::NextShared:
      return (is_assigned(edge_.shared) ? variables_.next_shared : variables_.shared)[atom.index];
    case AtomKind::NextLocal:
      return (is_assigned(edge_.local) ? variables_.next_local : variables_.local)[atom.index];
    case AtomKind::Receiver:  // graphs with calls have no passive assignments
    case AtomKind::Choice: break;
  }
  return variables_.choices[atom.index];
}

Bdd Encoder::encode(const Formula& f) const {
  switch (f.kind) {
    case Formula::Kind::False: return space_.constant(false);
    case Formula::Kind::True: return space_.constant(true);
    case Formula::Kind::Atom: return space_.variable(variable(f.atom));
    case Formula::Kind::Not: return !encode(f.operands[0]);
    case Formula::Kind::And: return encode(f.operands[0]) & encode(f.operands[1]);
    case Formula::Kind::Or: return encode(f.operands[0]) | encode(f.operands[1]);
    case Formula::Kind::Equal: return encode(f.operands[0]).iff(encode(f.operands[1]));
    case Formula::Kind::Conditional: break;
  }
  return encode(f.operands[0]).ite(encode(f.operands[1]), encode(f.operands[2]));
}

}  // namespace heddle::engine::context
