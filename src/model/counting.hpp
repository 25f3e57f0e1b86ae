#pragma once

/// What models that count (thread systems and Petri nets) have in common.

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/task.hpp"

namespace heddle::model {

std::size_t counter_count(const ThreadSystem& system);
std::size_t counter_count(const PetriNet& net);
std::size_t shared_count(const ThreadSystem& system);
std::size_t shared_count(const PetriNet& net);

std::size_t counter_count(const CountingModel& model);
std::size_t shared_count(const CountingModel& model);
std::size_t transition_count(const CountingModel& model);

std::string kind_name(const CountingModel& model);

/// The task as one about a model that counts; nothing if its kind is not one of CountingKinds.
std::optional<CountingTask> counting_task(const AnyTask& task);

/// What people call the parts (thread_system.hpp, petri_net.hpp).
std::string shared_name(const CountingModel& model, SharedState shared);
std::string counter_name(const CountingModel& model, Counter counter);
std::string to_string(const CountingModel& model, const Configuration& configuration);
std::string initial_to_string(const CountingModel& model, const Region& region);
std::string target_to_string(const CountingModel& model, const Region& region);

/// Fires a transition. A net has no flows: there are none to be given.
std::expected<Configuration, std::string> step(const PetriNet& net, const Configuration& from,
                                               TransitionId transition,
                                               const std::vector<PassiveFlow>& flows);
std::expected<Configuration, std::string> step(const CountingModel& model,
                                               const Configuration& from, TransitionId transition,
                                               const std::vector<PassiveFlow>& flows);

/// Does the transition add the same to the counters wherever it is taken?
bool has_constant_effect(const ThreadTransition& transition);
bool has_constant_effect(const PetriTransition& transition);
bool has_constant_effect(const CountingModel& model, TransitionId transition);

}  // namespace heddle::model
