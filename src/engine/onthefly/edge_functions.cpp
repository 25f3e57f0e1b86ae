#include "engine/onthefly/edge_functions.hpp"

#include <algorithm>

namespace heddle::engine::onthefly {

namespace {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using model::boolean::Knowledge;

const Formula* value_of(const std::vector<Assignment>& assignments, std::uint32_t index) {
  const auto it = std::ranges::find(assignments, index, &Assignment::index);
  return it != assignments.end() ? &it->value : nullptr;
}

/// Guard and constraint, with each value after the step replaced by what it is computed from.
Formula condition_of(const FlowEdge& edge) {
  Formula constraint = substitute(edge.constraint, [&](const Atom& a) -> Formula {
    if (a.kind == AtomKind::NextShared) {
      const Formula* value = value_of(edge.shared, a.index);
      return value ? *value : atom(AtomKind::Shared, a.index);
    }
    if (a.kind == AtomKind::NextLocal) {
      const Formula* value = value_of(edge.local, a.index);
      return value ? *value : atom(AtomKind::Local, a.index);
    }
    return atom(a.kind, a.index);
  });
  return conjunction(edge.guard, std::move(constraint));
}

}  // namespace

std::optional<bool> Effect::wanted(const After& after) const { return after[part][index]; }

EdgeFunctions::EdgeFunctions(const FlowEdge& edge) : condition(condition_of(edge)) {
  std::vector<std::size_t> uses(edge.choices);
  const auto count = [&](const Atom& a) {
    if (a.kind == AtomKind::Choice) ++uses[a.index];
  };
  for_each_atom(condition, count);
  const auto each_part = [&](const auto& visit) {
    visit(Part::Shared, edge.shared);
    visit(Part::Local, edge.local);
    visit(Part::Child, edge.child_values);
  };
  each_part([&](Part, const std::vector<Assignment>& list) {
    for (const Assignment& assignment : list) for_each_atom(assignment.value, count);
  });
  each_part([&](Part part, const std::vector<Assignment>& list) {
    for (const Assignment& assignment : list) {
      assigned[part] = assigned[part].with(assignment.index, false);
      const bool is_alone = is_free(assignment) && uses[assignment.value.atom.index] == 1;
      if (!is_alone) effects.push_back({part, assignment.index, assignment.value});
    }
  });
  // What depends on the receiver is no effect of the edge alone: Predecessors deals with it.
  for (const Assignment& assignment : edge.passive)
    if (is_same_for_all(assignment))
      effects.push_back({Part::Others, assignment.index, assignment.value});
  const auto note = [&](const Atom& a) {
    if (std::ranges::find(atoms, a) == atoms.end()) atoms.push_back(a);
  };
  for_each_atom(condition, note);
  for (const Effect& effect : effects) for_each_atom(effect.value, note);
  for (std::uint32_t i = 0; i < atoms.size(); ++i)
    if (atoms[i].kind == AtomKind::Choice) choices.push_back(i);
}

std::optional<Knowledge> EdgeFunctions::kept(const After& after) const {
  const auto keep = [&](Part part) { return after[part].without(assigned[part].mask); };
  const Cube local = keep(Part::Local);
  const Cube inherited = keep(Part::Child);
  if (!local.meets(inherited)) return std::nullopt;
  Knowledge known;
  known.shared = keep(Part::Shared);
  known.local = local.with(inherited);
  return known;
}

}  // namespace heddle::engine::onthefly
