#pragma once

/// Graphs that ask whether two threads can be at two nodes of a Boolean program at the same time,
/// whatever their values are.

#include <optional>

#include "model/boolean_program/abstraction.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// The graph in which a thread has failed exactly if two threads have been at these nodes together.
/// The one at `first` leaves it and sets a new shared variable, the last one; from then on, only
/// one at `second` can step, and fails. Nothing if there are too many variables then.
/// Precondition: calls are unfolded, and the nodes are outside atomic sections.
std::optional<model::boolean::Flow> with_pair_target(model::boolean::Flow flow,
                                                     model::boolean::NodeId first,
                                                     model::boolean::NodeId second);

/// What an abstraction of that graph shows of the graph without the question; classes are left out.
model::boolean::Abstraction without_pair_target(model::boolean::Abstraction seen,
                                                const model::boolean::Flow& flow);

}  // namespace heddle::engine::onthefly
