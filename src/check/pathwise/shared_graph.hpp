#pragma once

/// The multigraph 𝒮 of docs/evidence.md (Pathwise proofs): its nodes are shared states, its arcs
/// the live transitions. Every run is a walk in it, up to steps that change nothing.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/counting.hpp"

namespace heddle::check {

class SharedGraph {
 public:
  struct Arc {
    std::uint32_t transition;  ///< its number in the thread system
    std::uint32_t from, to;    ///< nodes
    bool is_constant;          ///< a spawn, or a move without passive moves
  };

  enum class Kind { Trivial, SimpleLoop, Spaghetti };

  struct Component {
    Kind kind = Kind::Trivial;
    /// The nodes; those of a simple loop in the order of the loop.
    std::vector<std::uint32_t> nodes;
    /// Of a simple loop: the arcs, each out of the node with the same index.
    std::vector<Arc> loop;
  };

  /// Time in the order of the thread states that may be reached times the transitions out of a
  /// shared state.
  SharedGraph(const model::ThreadSystem& system, const model::CountingQuestion& question);

  /// Nodes are those shared states that occur in a live transition, initial region or target.
  std::size_t node_count() const { return shared_.size(); }
  model::SharedState shared_of(std::uint32_t node) const { return shared_[node]; }
  std::uint32_t node_of(model::SharedState shared) const;  ///< precondition: it is a node

  const std::vector<Arc>& arcs() const { return arcs_; }
  const std::vector<std::uint32_t>& arcs_from(std::uint32_t node) const { return from_[node]; }

  /// In an order in which every arc between two components leads to one with a smaller number.
  const std::vector<Component>& components() const { return components_; }
  std::uint32_t component_of(std::uint32_t node) const { return component_[node]; }
  bool is_inner(const Arc& arc) const { return component_[arc.from] == component_[arc.to]; }
  bool is_spaghetti(std::uint32_t node) const {
    return components_[component_[node]].kind == Kind::Spaghetti;
  }

 private:
  void find_components();
  void classify(Component& component) const;
  void follow_loop(Component& component) const;

  std::vector<model::SharedState> shared_;  ///< sorted
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> from_;
  std::vector<Component> components_;
  std::vector<std::uint32_t> component_;
};

}  // namespace heddle::check
