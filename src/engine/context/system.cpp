#include "engine/context/system.hpp"

#include <algorithm>
#include <set>

#include "engine/context/encoder.hpp"
#include "engine/context/touching.hpp"

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;

namespace {

VariablePairs pairs_of(const Variables& v, std::initializer_list<std::pair<Family, Family>> all) {
  VariablePairs out;
  for (const auto& [from, to] : all) append_pairs(out, v.of(from), v.of(to));
  return out;
}

StepVariables step_variables(const Variables& v) {
  return {v.of(Family::Current), v.of(Family::Next), v.of(Family::Local), v.of(Family::NextLocal),
          v.of(Family::Choice)};
}

/// A Return changes the variables that its call receives: perhaps.
bool may_touch_shared(const Flow& flow, const FlowEdge& edge) {
  return touches_shared(flow, edge, nullptr) ||
         (edge.kind == EdgeKind::Return && !edge.child_values.empty());
}

}  // namespace

System::System(const Flow& flow, std::uint32_t rounds, std::optional<std::uint64_t> memory_mb)
    : flow_(flow),
      variables_(flow, rounds),
      space_(variables_.count(), memory_mb),
      for_caller_(pairs_of(variables_, {{Family::Entry, Family::Current},
                                        {Family::Current, Family::Next},
                                        {Family::Parameter, Family::Argument}})),
      for_callee_(pairs_of(variables_, {{Family::Current, Family::Entry},
                                        {Family::Next, Family::Current},
                                        {Family::Argument, Family::Parameter}})),
      arguments_to_parameters_(pairs_of(variables_, {{Family::Argument, Family::Parameter}})),
      from_(flow.nodes.size()),
      into_(flow.nodes.size()),
      calls_(flow.frames.size()),
      returns_(flow.frames.size()) {
  find_called();
  entry_bases_.resize(flow.edges.size());
  for (std::size_t e = 0; e < flow.edges.size(); ++e) relate(EdgeId(e));
  find_switches();
  rank_nodes();
}

void System::relate(EdgeId id) {
  const FlowEdge& edge = flow_.edges[id.index()];
  from_[edge.source.index()].push_back(id);
  if (edge.kind == EdgeKind::Return) {
    returns_[flow_.nodes[edge.source.index()].frame].push_back(id);
    relations_.push_back(return_relation(edge));
    return;
  }
  into_[edge.target.index()].push_back(id);
  if (edge.kind == EdgeKind::Call) {
    calls_[callee(id)].push_back(id);
    entry_bases_[id.index()] = base_of(edge);
    relations_.push_back(call_relation(edge));
  } else {
    relations_.push_back(step_relation(edge));
  }
}

EdgeRelation System::step_relation(const FlowEdge& edge) const {
  const Encoder encoder(edge, step_variables(variables_), space_);
  const Bdd relation = encoder.condition() &
                       encoder.assigned(edge.shared, variables_.of(Family::Next)) &
                       encoder.assigned(edge.local, variables_.of(Family::NextLocal));
  std::vector<BddVariable> forgotten;
  VariablePairs renamed;
  const auto note = [&](const std::vector<Assignment>& list, Family now, Family next) {
    for (const Assignment& assignment : list) {
      forgotten.push_back(variables_.of(now)[assignment.index]);
      renamed.emplace_back(variables_.of(next)[assignment.index], forgotten.back());
    }
  };
  note(edge.shared, Family::Current, Family::Next);
  note(edge.local, Family::Local, Family::NextLocal);
  return {encoder.without_choices(relation), space_.all_of(forgotten), BddRenaming(renamed)};
}

EdgeRelation System::call_relation(const FlowEdge& edge) const {
  const Encoder encoder(edge, step_variables(variables_), space_);
  const std::uint32_t procedure = flow_.frames[flow_.nodes[edge.child.index()].frame].procedure;
  const std::span arguments = std::span(edge.child_values).first(flow_.parameter_counts[procedure]);
  const Bdd relation = encoder.without_choices(
      encoder.condition() & encoder.assigned(arguments, variables_.of(Family::Argument)));
  std::vector<BddVariable> forgotten = variables_.of(Family::Current);
  std::ranges::copy(variables_.of(Family::Argument), std::back_inserter(forgotten));
  VariablePairs renamed = pairs_of(variables_, {{Family::Next, Family::Current}});
  const auto& results = variables_.of(Family::Result);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i >= edge.received.size() || !edge.received[i]) {
      forgotten.push_back(results[i]);
      continue;
    }
    const Atom variable = *edge.received[i];
    if (variable.kind == AtomKind::Local) {
      forgotten.push_back(variables_.of(Family::Local)[variable.index]);
      renamed.emplace_back(results[i], forgotten.back());
    } else {
      const BddVariable next = variables_.of(Family::Next)[variable.index];
      forgotten.push_back(next);
      std::erase_if(renamed, [&](const auto& pair) { return pair.first == next; });
      renamed.emplace_back(results[i], variables_.of(Family::Current)[variable.index]);
    }
  }
  return {relation, space_.all_of(forgotten), BddRenaming(renamed)};
}

EdgeRelation System::return_relation(const FlowEdge& edge) const {
  const Encoder encoder(edge, step_variables(variables_), space_);
  return {
      encoder.without_choices(encoder.condition() &
                              encoder.assigned(edge.child_values, variables_.of(Family::Result))),
      all(Family::Local), BddRenaming({})};
}

Bdd System::base_of(const FlowEdge& call) const {
  const std::uint32_t procedure = flow_.frames[flow_.nodes[call.child.index()].frame].procedure;
  const std::uint32_t parameters = flow_.parameter_counts[procedure];
  Bdd out = starts_threads(call.child) ? space_.constant(true)
                                       : equal(Family::Entry, 0, Family::Current, 0);
  const auto& locals = variables_.of(Family::Local);
  for (std::uint32_t i = 0; i < parameters; ++i)
    out &= space_.variable(locals[i]).iff(space_.variable(variables_.of(Family::Parameter)[i]));
  const Encoder encoder(call, step_variables(variables_), space_);
  return out & encoder.assigned(std::span(call.child_values).subspan(parameters),
                                variables_.of(Family::Local));
}

void System::find_called() {
  called_by_others_.resize(flow_.nodes.size());
  const std::set<NodeId> starts(flow_.starts.begin(), flow_.starts.end());
  for (const FlowEdge& edge : flow_.edges)
    if (edge.kind == EdgeKind::Call && !starts.contains(edge.source))
      called_by_others_[edge.child.index()] = true;
}

Bdd System::entered(EdgeId call, const Bdd& called) const {
  const Bdd forgotten = all(Family::Entry) & all(Family::Parameter) & all(Family::Local);
  return arguments_to_parameters_(space_.exists(called, forgotten)) & entry_base(call);
}

void System::find_switches() {
  may_switch_.resize(flow_.nodes.size());
  may_have_changed_.resize(flow_.nodes.size());
  for (const FlowEdge& edge : flow_.edges) {
    if (flow_.nodes[edge.source.index()].atomic_depth == 0 && may_touch_shared(flow_, edge))
      may_switch_[edge.source.index()] = true;
    if (!edge.shared.empty() || receives_shared(edge))
      may_have_changed_[edge.target.index()] = true;
  }
}

void System::rank_nodes() {
  // Depth first; a node is numbered when all behind it are.
  ranks_.assign(flow_.nodes.size(), 0);
  std::vector<bool> met(flow_.nodes.size());
  auto next = static_cast<std::uint32_t>(flow_.nodes.size());
  struct Visit {
    NodeId node;
    std::size_t edge = 0;
    bool entered = false;  ///< the callee of the current edge
  };
  for (const NodeId start : flow_.starts) {
    std::vector<Visit> path;
    const auto visit = [&](NodeId node) {
      if (!met[node.index()]) path.push_back({node});
      met[node.index()] = true;
    };
    visit(start);
    while (!path.empty()) {
      Visit& top = path.back();
      if (top.edge == from_[top.node.index()].size()) {
        ranks_[top.node.index()] = --next;
        path.pop_back();
        continue;
      }
      const FlowEdge& edge = flow_.edges[from_[top.node.index()][top.edge].index()];
      if (edge.kind == EdgeKind::Call && !std::exchange(top.entered, true)) {
        visit(edge.target);
      } else {
        top.entered = false;
        ++top.edge;
        visit(edge.kind == EdgeKind::Call ? edge.child : edge.target);
      }
    }
  }
}

Bdd System::equal(Family a, std::uint32_t round_a, Family b, std::uint32_t round_b) const {
  const auto& left = variables_.of(a, round_a);
  const auto& right = variables_.of(b, round_b);
  Bdd out = space_.constant(true);
  for (std::size_t i = left.size(); i-- > 0;)
    out &= space_.variable(left[i]).iff(space_.variable(right[i]));
  return out;
}

Bdd System::all(Family family, std::uint32_t round) const {
  return space_.all_of(variables_.of(family, round));
}

Bdd System::rename(const Bdd& set, Family from, std::uint32_t round_from, Family to,
                   std::uint32_t round_to) const {
  VariablePairs pairs;
  append_pairs(pairs, variables_.of(from, round_from), variables_.of(to, round_to));
  return BddRenaming(pairs)(set);
}

Bdd System::initial(Family family, std::uint32_t round) const {
  const auto& copy = variables_.of(family, round);
  std::vector<std::pair<BddVariable, bool>> values;
  for (std::uint32_t i = 0; i < copy.size(); ++i)
    if (const auto value = flow_.initial_shared[i]) values.emplace_back(copy[i], *value);
  return space_.cube(values);
}

}  // namespace heddle::engine::context
