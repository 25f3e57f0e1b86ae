#include "model/counting.hpp"

#include <algorithm>

namespace heddle::model {

std::size_t counter_count(const ThreadSystem& system) { return system.local_count; }
std::size_t counter_count(const PetriNet& net) { return net.places.size(); }
std::size_t shared_count(const ThreadSystem& system) { return system.shared_count; }
std::size_t shared_count(const PetriNet&) { return 1; }

std::size_t counter_count(const CountingModel& model) {
  return std::visit([](const auto& which) { return counter_count(which); }, model);
}

std::size_t shared_count(const CountingModel& model) {
  return std::visit([](const auto& which) { return shared_count(which); }, model);
}

std::size_t transition_count(const CountingModel& model) {
  return std::visit([](const auto& which) { return which.transitions.size(); }, model);
}

std::expected<Configuration, std::string> step(const PetriNet& net, const Configuration& from,
                                               TransitionId transition,
                                               const std::vector<PassiveFlow>& flows) {
  if (!flows.empty()) return std::unexpected("a Petri net has no flows");
  return step(net, from, transition);
}

std::expected<Configuration, std::string> step(const CountingModel& model,
                                               const Configuration& from, TransitionId transition,
                                               const std::vector<PassiveFlow>& flows) {
  return std::visit([&](const auto& which) { return step(which, from, transition, flows); }, model);
}

bool has_constant_effect(const ThreadTransition& transition) {
  return transition.has_constant_effect();
}

bool has_constant_effect(const PetriTransition& transition) {
  return std::ranges::all_of(transition.updates, &PlaceUpdate::is_shift);
}

bool has_constant_effect(const CountingModel& model, TransitionId transition) {
  return std::visit(
      [&](const auto& which) {
        return has_constant_effect(which.transitions.at(transition.index()));
      },
      model);
}

std::optional<CountingTask> counting_task(const AnyTask& any) {
  return std::visit(
      []<class Model>(const Task<Model>& task) -> std::optional<CountingTask> {
        if constexpr (base::kContains<Model, CountingKinds>) return CountingTask(task);
        return std::nullopt;
      },
      any);
}

std::string kind_name(const CountingModel& model) {
  return std::visit([]<class Model>(const Model&) { return std::string(Kind<Model>::kName); },
                    model);
}

std::string shared_name(const CountingModel& model, SharedState shared) {
  return std::visit([&](const auto& which) { return shared_name(which, shared); }, model);
}

std::string counter_name(const CountingModel& model, Counter counter) {
  return std::visit([&](const auto& which) { return counter_name(which, counter); }, model);
}

std::string to_string(const CountingModel& model, const Configuration& configuration) {
  return std::visit([&](const auto& which) { return to_string(which, configuration); }, model);
}

std::string initial_to_string(const CountingModel& model, const Region& region) {
  return std::visit([&](const auto& which) { return initial_to_string(which, region); }, model);
}

std::string target_to_string(const CountingModel& model, const Region& region) {
  return std::visit([&](const auto& which) { return target_to_string(which, region); }, model);
}

}  // namespace heddle::model
