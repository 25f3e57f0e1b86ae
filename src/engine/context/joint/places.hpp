#pragma once

/// Where a thread can be, calls included: stacks of calls that have not returned, and a node. There
/// are finitely many without recursion; with it, stacks are cut off at a depth.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::context {

using answer::CallStack;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;

/// A thread's places are numbered from 1; 0 stands for a thread that does nothing any more.
using PlaceNumber = std::uint32_t;
inline constexpr PlaceNumber kStopped = 0;

struct StackPlace {
  CallStack stack;
  std::uint32_t first_local = 0;  ///< the innermost procedure's variables start at this slot
  std::uint32_t last_local = 0;   ///< and end before this one
  bool failed = false;
  bool cut_off = false;         ///< the stack is too deep; what follows is unknown
  bool may_switch = false;      ///< it matters whether a turn ends here or later
  bool follows_change = false;  ///< the shared variables may just have changed, outside atomic
                                ///< sections
  std::uint32_t rank = 0;       ///< small for those that are reached early
};

/// A step from place to place.
struct PlaceEdge {
  EdgeId edge;
  PlaceNumber source = 0;
  PlaceNumber target = 0;
};

class ThreadPlaces {
 public:
  /// `deepest`: how often a procedure may be on a stack. Nothing if there are too many places.
  static std::optional<ThreadPlaces> from(const Flow& flow, NodeId start, std::uint32_t deepest);

  std::size_t count() const { return places_.size(); }
  const StackPlace& operator[](PlaceNumber number) const { return places_[number - 1]; }
  /// Where the first turn begins, and the edges that lead there, which do nothing.
  PlaceNumber start() const { return start_; }
  const std::vector<std::size_t>& prelude() const { return prelude_; }
  /// Turns begin and end at places with numbers up to this one, or the thread has stopped.
  PlaceNumber last_between_turns() const { return last_between_turns_; }
  const std::vector<PlaceEdge>& edges() const { return edges_; }
  /// Numbers of edges, those of the prelude left aside.
  const std::vector<std::size_t>& edges_from(PlaceNumber place) const { return from_[place]; }
  const std::vector<std::size_t>& edges_into(PlaceNumber place) const { return into_[place]; }

  /// Can the thread get there from its start?
  bool is_reachable(PlaceNumber place) const { return place == start_ || !into_[place].empty(); }

  /// Slots for the local variables of all procedures on a stack.
  std::uint32_t slot_count() const { return slots_; }
  /// Are there slots for all procedures on the stack? There may be none for one that is cut off.
  bool has_slots(PlaceNumber place) const { return (*this)[place].last_local <= slots_; }
  /// Can the slot's value at the place matter? By slot.
  const std::vector<bool>& live(PlaceNumber place) const { return live_[place]; }

 private:
  friend class PlaceFinder;
  ThreadPlaces() = default;

  std::vector<StackPlace> places_;
  std::vector<PlaceEdge> edges_;
  std::vector<std::vector<std::size_t>> from_, into_;
  std::vector<std::vector<bool>> live_;
  std::uint32_t slots_ = 0;
  PlaceNumber last_between_turns_ = 0;
  PlaceNumber start_ = 1;
  std::vector<std::size_t> prelude_;
};

}  // namespace heddle::engine::context
