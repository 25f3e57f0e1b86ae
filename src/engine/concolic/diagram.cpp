#include "engine/concolic/diagram.hpp"

#include <algorithm>

#include "base/components.hpp"
#include "base/invariant.hpp"
#include "engine/concolic/summary.hpp"

namespace heddle::engine::concolic {

namespace {

using model::StepKind;
using model::ThreadSystem;
using model::ThreadTransition;

bool is_live(const ThreadTransition& t, const coverability::ThreadStateRows& reachable) {
  if (t.kind == StepKind::Transfer) return reachable.has_shared(t.source.shared.value);
  return reachable.contains(t.source.shared.value, t.source.local.value);
}

bool changes_nothing(const ThreadTransition& t) {
  return t.kind == StepKind::Move && t.source == t.target && t.passive.empty();
}

std::vector<Arc> live_arcs(const ThreadSystem& system,
                           const coverability::ThreadStateRows& reachable) {
  std::vector<Arc> arcs;
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const ThreadTransition& t = system.transitions[i];
    if (is_live(t, reachable) && !changes_nothing(t))
      arcs.push_back({i, t.source.shared.value, t.target.shared.value, is_summable(t)});
  }
  return arcs;
}

}  // namespace

ArcLists::ArcLists(std::size_t nodes, const std::vector<Arc>& arcs, Node Arc::* end)
    : begin_(nodes + 2, 0), items_(arcs.size()) {
  for (const Arc& arc : arcs) ++begin_[arc.*end + 2];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  for (std::uint32_t i = 0; i < arcs.size(); ++i) items_[begin_[arcs[i].*end + 1]++] = i;
}

Diagram::Diagram(const ThreadSystem& system, const coverability::ThreadStateRows& reachable)
    : arcs_(live_arcs(system, reachable)),
      into_(system.shared_count, arcs_, &Arc::to),
      out_of_(system.shared_count, arcs_, &Arc::from),
      component_of_(system.shared_count, kNoComponent) {
  find_components(reachable);
  classify(system);
}

void Diagram::find_components(const coverability::ThreadStateRows& reachable) {
  const auto successor = [this](Node node, std::size_t position) -> std::optional<Node> {
    const auto arcs = out_of(node);
    if (position == arcs.size()) return std::nullopt;
    return arcs_[arcs[position]].to;
  };
  const auto is_reachable = [&](Node node) { return reachable.has_shared(node); };
  for (std::vector<Node>& nodes :
       base::strongly_connected_components({component_of_.size(), successor}, is_reachable)) {
    for (const Node node : nodes)
      component_of_[node] = static_cast<ComponentId>(components_.size());
    components_.push_back({Shape::Trivial, std::move(nodes)});
  }
}

void Diagram::classify(const ThreadSystem& system) {
  std::vector<std::size_t> inner(components_.size(), 0);
  std::vector<bool> tangled(components_.size(), false);
  for (const Arc& arc : arcs_) {
    if (!is_inner(arc)) continue;
    const ComponentId c = component_of_[arc.from];
    ++inner[c];
    if (!arc.summable) tangled[c] = true;
  }
  // Strongly connected with as many arcs as nodes: every node has one arc in and one out.
  for (ComponentId c = 0; c < components_.size(); ++c) {
    Component& component = components_[c];
    if (inner[c] == 0) continue;
    const bool simple = inner[c] == component.nodes.size() && !tangled[c];
    component.shape = simple ? Shape::SimpleLoop : Shape::Spaghetti;
    if (simple) component.expands = has_expansion_edge(system, component);
  }
}

std::uint32_t Diagram::loop_arc_into(Node node) const {
  for (const std::uint32_t arc : into(node))
    if (is_inner(arcs_[arc])) return arc;
  HEDDLE_INVARIANT(false, "a node on a loop should have an arc of the loop that ends there");
}

/// Does some thread hand over to one in another local state on the way round?
bool Diagram::has_expansion_edge(const ThreadSystem& system, const Component& loop) const {
  return std::ranges::any_of(loop.nodes, [&](Node node) {
    const Arc& in = arcs_[loop_arc_into(node)];
    const Arc& before = arcs_[loop_arc_into(in.from)];
    return system.transitions[before.transition].target.local !=
           system.transitions[in.transition].source.local;
  });
}

}  // namespace heddle::engine::concolic
