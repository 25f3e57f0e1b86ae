#pragma once

/// All threads of a program together, over decision diagrams. A *configuration* is a valuation of
/// the shared variables, a place of each thread, and values of the local variables that are live
/// there; while a thread has its turn, its own place is kept apart, so that sets are small.

#include <optional>
#include <vector>

#include "engine/context/joint_edge.hpp"
#include "engine/context/places.hpp"
#include "engine/context/system.hpp"

namespace heddle::engine::context {

using answer::ConfigurationVariable;

/// Which variable of the diagrams stands for what. A variable and its copy after a step are
/// neighbours. Local variables of the innermost procedure come first: those of callers are seldom
/// live. Shared variables that only one thread writes lie with its place and its local
/// variables, on which they depend most; the others lie in the middle, far from no thread. But if
/// local variables are pointers into a heap of shared ones, all shared variables come last: a value
/// that is picked from many is a small diagram only if what picks it is known first.
class JointVariables {
 public:
  JointVariables(const Flow& flow, const std::vector<ThreadPlaces>& threads);

  const std::vector<ConfigurationVariable>& order() const { return order_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(order_.size()); }

  std::vector<BddVariable> shared, next_shared, choices;
  std::vector<std::vector<BddVariable>> place, local, next_local;  ///< by thread

 private:
  using Kind = ConfigurationVariable::Kind;
  BddVariable add(Kind kind, std::uint32_t thread, std::uint32_t index);
  void add_by_owner(const std::vector<std::optional<std::uint32_t>>& owner,
                    const std::vector<ThreadPlaces>& threads);
  void add_shared(std::uint32_t index);
  void add_thread(std::uint32_t thread, const ThreadPlaces& places);

  std::vector<ConfigurationVariable> order_;
};

class JointSystem {
 public:
  /// The flow must outlive it.
  JointSystem(const Flow& flow, std::vector<ThreadPlaces> threads,
              std::optional<std::uint64_t> memory_mb);

  const Flow& flow() const { return flow_; }
  const BddSpace& space() const { return space_; }
  const JointVariables& variables() const { return variables_; }
  const std::vector<ThreadPlaces>& threads() const { return threads_; }

  const JointEdge& edge(std::size_t thread, std::size_t edge) const { return edges_[thread][edge]; }
  Bdd at(std::size_t thread, PlaceNumber place) const;  ///< the thread is at the place
  const Bdd& place_variables(std::size_t thread) const { return place_variables_[thread]; }
  Bdd initial() const;

 private:
  const Flow& flow_;
  std::vector<ThreadPlaces> threads_;
  JointVariables variables_;
  BddSpace space_;
  std::vector<std::vector<JointEdge>> edges_;  ///< by thread, by edge
  std::vector<Bdd> place_variables_;           ///< by thread
};

}  // namespace heddle::engine::context
