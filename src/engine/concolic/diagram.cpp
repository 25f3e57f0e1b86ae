#include "engine/concolic/diagram.hpp"

#include <algorithm>

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

/// Tarjan's algorithm without recursion: diagrams are deep.
class ComponentFinder {
 public:
  ComponentFinder(const Diagram& diagram, std::size_t nodes)
      : diagram_(diagram), component_of(nodes, kNoComponent), number_(nodes, 0), low_(nodes, 0) {}

  void run(const coverability::ThreadStateRows& reachable) {
    for (Node node = 0; node < number_.size(); ++node)
      if (number_[node] == 0 && reachable.has_shared(node)) explore(node);
  }

 private:
  struct Frame {
    Node node;
    std::size_t next;
  };

  void explore(Node root) {
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto arcs = diagram_.out_of(frame.node);
      if (frame.next == arcs.size()) {
        close();
        continue;
      }
      const Node to = diagram_.arcs()[arcs[frame.next++]].to;
      if (number_[to] == 0)
        open(to);
      else if (component_of[to] == kNoComponent)
        low_[frame.node] = std::min(low_[frame.node], number_[to]);
    }
  }

  void open(Node node) {
    number_[node] = low_[node] = ++opened_;
    stack_.push_back(node);
    frames_.push_back({node, 0});
  }

  void close() {
    const Node node = frames_.back().node;
    frames_.pop_back();
    if (!frames_.empty()) {
      const Node parent = frames_.back().node;
      low_[parent] = std::min(low_[parent], low_[node]);
    }
    if (low_[node] != number_[node]) return;
    Component component;
    do {
      component_of[stack_.back()] = static_cast<ComponentId>(components.size());
      component.nodes.push_back(stack_.back());
      stack_.pop_back();
    } while (component.nodes.back() != node);
    components.push_back(std::move(component));
  }

  const Diagram& diagram_;

 public:
  std::vector<ComponentId> component_of;
  std::vector<Component> components;

 private:
  std::vector<std::uint32_t> number_;  // in the order of opening, from 1
  std::vector<std::uint32_t> low_;
  std::vector<Node> stack_;
  std::vector<Frame> frames_;
  std::uint32_t opened_ = 0;
};

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
      out_of_(system.shared_count, arcs_, &Arc::from) {
  ComponentFinder finder(*this, system.shared_count);
  finder.run(reachable);
  component_of_ = std::move(finder.component_of);
  components_ = std::move(finder.components);
  classify(system);
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
