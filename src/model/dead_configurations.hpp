#pragma once

/// Where a model that counts is stuck: the configurations in which no transition is enabled, as a
/// union of target regions. "Is there a deadlock" is then a question of reachability.

#include <expected>
#include <string>
#include <vector>

#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::model {

/// At most one region for each shared state: no thread in a local state that can step.
std::expected<std::vector<Region>, std::string> dead_configurations(const ThreadSystem& system);

/// For each transition, a place that lacks tokens or has too many: one region for each minimal way
/// of choosing them. Exponential in the number of transitions at worst; the error says that there
/// are too many regions, or which transition is enabled by a sum of places.
std::expected<std::vector<Region>, std::string> dead_configurations(const PetriNet& net);

}  // namespace heddle::model
