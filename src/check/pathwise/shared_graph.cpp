#include "check/pathwise/shared_graph.hpp"

/// Components come from an algorithm that engines use too. So that no mistake of it can confirm a
/// false proof, what the proof needs of them is looked at here: every node is in one component,
/// arcs lead to components that are not later, simple loops are loops, and trivial components have
/// one node. Then a walk that leaves a component does not return to it.

#include <algorithm>

#include "base/components.hpp"
#include "base/invariant.hpp"
#include "check/pathwise/live_transitions.hpp"

namespace heddle::check {

namespace {

using model::SharedState;

std::vector<SharedState> shared_states(const model::ThreadSystem& system,
                                       const model::CountingQuestion& question,
                                       const std::vector<std::uint32_t>& live) {
  std::vector<SharedState> shared;
  for (const std::uint32_t t : live) {
    shared.push_back(system.transitions[t].source.shared);
    shared.push_back(system.transitions[t].target.shared);
  }
  for (const model::Region& region : question.initial) shared.push_back(region.shared);
  for (const model::Region& region : question.targets) shared.push_back(region.shared);
  std::ranges::sort(shared);
  const auto repeated = std::ranges::unique(shared);
  shared.erase(repeated.begin(), repeated.end());
  return shared;
}

}  // namespace

SharedGraph::SharedGraph(const model::ThreadSystem& system,
                         const model::CountingQuestion& question) {
  const std::vector<std::uint32_t> live = live_transitions(system, question);
  shared_ = shared_states(system, question, live);
  from_.resize(shared_.size());
  for (const std::uint32_t t : live) {
    const model::ThreadTransition& transition = system.transitions[t];
    const std::uint32_t from = node_of(transition.source.shared);
    from_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({t, from, node_of(transition.target.shared), transition.has_constant_effect()});
  }
  find_components();
}

std::uint32_t SharedGraph::node_of(SharedState shared) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(shared_, shared) - shared_.begin());
}

void SharedGraph::find_components() {
  std::vector<std::vector<std::uint32_t>> successors(shared_.size());
  for (const Arc& arc : arcs_) successors[arc.from].push_back(arc.to);
  component_.assign(shared_.size(), UINT32_MAX);
  std::size_t numbered = 0;
  for (std::vector<std::uint32_t>& nodes : base::strongly_connected_components(successors)) {
    for (const std::uint32_t node : nodes) {
      HEDDLE_INVARIANT(component_[node] == UINT32_MAX, "a node should be in one component only");
      component_[node] = static_cast<std::uint32_t>(components_.size());
      ++numbered;
    }
    components_.push_back({Kind::Trivial, std::move(nodes), {}});
  }
  HEDDLE_INVARIANT(numbered == shared_.size(), "every node should be in a component");
  for (const Arc& arc : arcs_)
    HEDDLE_INVARIANT(component_[arc.to] <= component_[arc.from],
                     "an arc should not lead to a later component");
  for (Component& component : components_) classify(component);
}

void SharedGraph::classify(Component& component) const {
  std::size_t inner = 0;
  bool constant = true;
  for (const std::uint32_t node : component.nodes)
    for (const std::uint32_t arc : from_[node]) {
      if (!is_inner(arcs_[arc])) continue;
      ++inner;
      constant = constant && arcs_[arc].is_constant;
    }
  if (inner == 0) {
    HEDDLE_INVARIANT(component.nodes.size() == 1, "a trivial component should be a single node");
    return;
  }
  component.kind = constant && inner == component.nodes.size() ? Kind::SimpleLoop : Kind::Spaghetti;
  if (component.kind == Kind::SimpleLoop) follow_loop(component);
}

/// As many inner arcs as nodes, and at least one out of each: exactly one out of each, and since
/// every node can be reached from every other, they form one cycle.
void SharedGraph::follow_loop(Component& component) const {
  const std::size_t length = component.nodes.size();
  std::uint32_t node = component.nodes.front();
  component.nodes.clear();
  do {
    component.nodes.push_back(node);
    for (const std::uint32_t arc : from_[node])
      if (is_inner(arcs_[arc])) component.loop.push_back(arcs_[arc]);
    HEDDLE_INVARIANT(component.loop.size() == component.nodes.size(),
                     "one arc of a simple loop should leave each of its nodes");
    node = component.loop.back().to;
  } while (node != component.nodes.front() && component.nodes.size() < length);
  HEDDLE_INVARIANT(node == component.nodes.front() && component.nodes.size() == length,
                   "a simple loop should pass all nodes of its component");
}

}  // namespace heddle::check
