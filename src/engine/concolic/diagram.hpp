#pragma once

/// The expanded thread transition diagram P⁺ of papers/cutr.txt, its components, and which of its
/// paths are simple.
///
/// P⁺ has the transitions as real edges between thread states and, for each shared state s, an
/// expansion edge from the target (s, l) of a real edge to the source (s, k) of another whenever
/// l ≠ k: another thread goes on. As a set of edges this is quadratic, and wrong where a real edge
/// has the same ends as an expansion edge, so P⁺ must be a multigraph. But which real edge may
/// follow which other one is a matter of the shared state between them alone. So all expansion
/// edges at s are one node, s itself, and P⁺ becomes the multigraph whose nodes are the shared
/// states and whose arcs are the transitions. Its walks are the sequences of transitions in which
/// each starts in the shared state in which the one before ends, among them every run. It is linear
/// in the model, and a loop in it is a loop of P⁺, with an expansion edge wherever the local state
/// changes hands. (P⁺ has more: two expansion edges in a row, which do nothing, but which close
/// cycles that make simple loops look like spaghetti.) Edges that keep the shared state are arcs
/// from a node to itself, hence loops: they may be run any number of times.
///
/// An arc is live if its source lies in the least set of thread states that is closed under steps;
/// other transitions never happen. A move of a thread to where it is already changes nothing
/// and is left out.
///
/// Components are strongly connected: trivial (no arc within), a simple loop (the arcs within form
/// one cycle and have summaries), or spaghetti. A path through the quotient is spaghetti if it
/// meets a spaghetti component or takes an arc without a summary, and simple otherwise.

#include <cstdint>
#include <span>
#include <vector>

#include "coverability/invariants.hpp"
#include "model/counting.hpp"

namespace heddle::engine::concolic {

using Node = std::uint32_t;         ///< a shared state
using ComponentId = std::uint32_t;  ///< sinks first: an arc leads to a component not above its own
constexpr ComponentId kNoComponent = UINT32_MAX;

enum class Shape { Trivial, SimpleLoop, Spaghetti };

struct Component {
  Shape shape = Shape::Trivial;
  std::vector<Node> nodes;
  bool expands = false;  ///< of a simple loop: has it expansion edges?
};

struct Arc {
  std::uint32_t transition;  ///< position in the model's list
  Node from;
  Node to;
  bool summable;
};

/// Arcs grouped by one of their ends.
class ArcLists {
 public:
  ArcLists(std::size_t nodes, const std::vector<Arc>& arcs, Node Arc::* end);
  std::span<const std::uint32_t> at(Node node) const {
    return {items_.data() + begin_[node], items_.data() + begin_[node + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> items_;
};

class Diagram {
 public:
  /// `reachable` is closed under steps and holds the initial thread states.
  Diagram(const model::ThreadSystem& system, const coverability::ThreadStateRows& reachable);

  std::size_t node_count() const { return component_of_.size(); }
  const std::vector<Arc>& arcs() const { return arcs_; }
  std::span<const std::uint32_t> into(Node node) const { return into_.at(node); }
  std::span<const std::uint32_t> out_of(Node node) const { return out_of_.at(node); }
  /// kNoComponent for shared states that are not reachable.
  ComponentId component_of(Node node) const { return component_of_[node]; }
  const std::vector<Component>& components() const { return components_; }
  const Component& component(Node node) const { return components_[component_of_[node]]; }
  bool is_inner(const Arc& arc) const { return component_of_[arc.from] == component_of_[arc.to]; }

  /// Of a node on a simple loop: the arc of the loop that ends there.
  std::uint32_t loop_arc_into(Node node) const;

 private:
  void find_components(const coverability::ThreadStateRows& reachable);
  void classify(const model::ThreadSystem& system);
  bool has_expansion_edge(const model::ThreadSystem& system, const Component& loop) const;

  std::vector<Arc> arcs_;
  ArcLists into_;
  ArcLists out_of_;
  std::vector<ComponentId> component_of_;
  std::vector<Component> components_;
};

}  // namespace heddle::engine::concolic
