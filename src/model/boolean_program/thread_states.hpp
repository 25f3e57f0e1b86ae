#pragma once

/// Graphs that ask about one thread state of a Boolean program: a node with values of the shared
/// variables and of the thread's own. Whoever reads evidence about them computes them anew.

#include <cstdint>
#include <optional>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

/// A thread at the node, with values in these cubes.
struct ThreadStateTarget {
  NodeId node;
  Cube shared;
  Cube local;
  friend auto operator<=>(const ThreadStateTarget&, const ThreadStateTarget&) = default;
};

/// The graph in which a thread has failed exactly if it has been in the thread state: a new last
/// node, with a step to it from the target's. Nothing else is a failure.
/// Precondition: calls are unfolded, and the node exists.
Flow with_target(Flow flow, const ThreadStateTarget& target);

/// The same, in which at most `started` threads are started in a run: that many new shared
/// variables count them, in unary. Nothing if there are too many variables then.
std::optional<Flow> bounded_target(Flow flow, const ThreadStateTarget& target,
                                   std::uint32_t started);

/// Does any edge start a thread?
bool starts_threads(const Flow& flow);

}  // namespace heddle::model::boolean
