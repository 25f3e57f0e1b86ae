#pragma once

/// Where a model that counts is stuck: the configurations in which no transition is enabled, as a
/// union of target regions. "Is there a deadlock" is then a question of reachability.

#include <vector>

#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::model {

/// At most one region for each shared state: no thread in a local state that can step. If some
/// transition is always enabled, a region whose condition is false: an empty list would ask
/// nothing.
std::vector<Region> dead_configurations(const ThreadSystem& system);

/// One region: for each transition, a place that lacks tokens or has too many.
std::vector<Region> dead_configurations(const PetriNet& net);

}  // namespace heddle::model
