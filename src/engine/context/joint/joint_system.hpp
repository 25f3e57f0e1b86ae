#pragma once

/// All threads of a program together, over decision diagrams. A *configuration* is a valuation of
/// the shared variables, a place of each thread, and values of the local variables that are live
/// there; while a thread has its turn, its own place is kept apart, so that sets are small.
///
/// A thread's *view* of a configuration leaves out the places and local variables of the others,
/// which it neither sees nor changes.

#include <optional>
#include <span>
#include <vector>

#include "engine/context/joint/joint_edge.hpp"
#include "engine/context/joint/places.hpp"
#include "engine/context/system.hpp"

namespace heddle::engine::context {

using answer::ConfigurationVariable;

/// Which variable of the diagrams stands for what. A variable and its copies, after a step and when
/// the turn began, are neighbours. Local variables of the innermost procedure come first: those of
/// callers are seldom live. Shared variables that only one thread writes lie with its place and its
/// local variables, on which they depend most; the others lie in the middle, far from no thread.
/// But if local variables are pointers into a heap of shared ones, all shared variables come last:
/// a value that is picked from many is a small diagram only if what picks it is known first.
class JointVariables {
 public:
  JointVariables(const Flow& flow, const std::vector<ThreadPlaces>& threads);

  const std::vector<ConfigurationVariable>& order() const { return order_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(order_.size()); }

  std::vector<BddVariable> shared, next_shared, begin_shared, choices;
  /// By thread.
  std::vector<std::vector<BddVariable>> place, local, next_local, begin_place, begin_local;

 private:
  using Kind = ConfigurationVariable::Kind;
  BddVariable add(Kind kind, std::uint32_t thread, std::uint32_t index);
  void add_by_owner(const std::vector<std::optional<std::uint32_t>>& owner,
                    const std::vector<ThreadPlaces>& threads);
  void add_shared(std::uint32_t index);
  void add_thread(std::uint32_t thread, const ThreadPlaces& places);

  std::vector<ConfigurationVariable> order_;
};

/// What a thread can change, and what it does not see.
struct ThreadView {
  std::vector<std::uint32_t> written;  ///< shared variables
  Bdd others;                          ///< variables of the other threads
  BddRenaming to_begin;                ///< of what it can change
  Bdd begin_variables;
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
  /// From where an edge leads into the set. Variables of a callee may have any values there.
  Bdd before(std::size_t thread, std::size_t edge, const Bdd& after) const;
  Bdd at(std::size_t thread, PlaceNumber place) const;  ///< the thread is at the place
  const Bdd& place_variables(std::size_t thread) const { return place_variables_[thread]; }
  Bdd initial() const;
  /// Has a turn an end at the place at which the thread stops for good? The shared variables may
  /// just have changed there, and it may be unable to go on to a place where turns end.
  bool may_stop(std::size_t thread, PlaceNumber place) const {
    return threads_[thread][place].follows_change && !going_on_[thread][place];
  }

  const ThreadView& view(std::size_t thread) const { return views_[thread]; }
  /// Each of these views, the place left aside, and itself as what the turn began with.
  Bdd begun(std::size_t thread, PlaceNumber place, const Bdd& views) const;

 private:
  ThreadView make_view(std::size_t thread) const;
  std::vector<bool> places_going_on(std::size_t thread) const;
  Bdd digits_of(std::span<const BddVariable> variables, PlaceNumber place) const;

  const Flow& flow_;
  std::vector<ThreadPlaces> threads_;
  JointVariables variables_;
  BddSpace space_;
  std::vector<std::vector<JointEdge>> edges_;  ///< by thread, by edge
  std::vector<Bdd> place_variables_;           ///< by thread
  std::vector<ThreadView> views_;              ///< by thread
  std::vector<std::vector<bool>> going_on_;    ///< by thread, by place
};

}  // namespace heddle::engine::context
