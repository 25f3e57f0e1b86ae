#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using Misfit = std::optional<std::string>;

Misfit misfit(const model::Model& model, model::SharedState shared) {
  if (shared.index() < model::shared_count(model)) return std::nullopt;
  return "shared state " + std::to_string(shared.value) + ", which the model does not have";
}

Misfit misfit(const model::Model& model, model::Counter counter) {
  if (counter.index() < model::counter_count(model)) return std::nullopt;
  return "counter " + std::to_string(counter.value) + ", which the model does not have";
}

Misfit misfit(const model::Model& model, const model::Region& region) {
  if (auto found = misfit(model, region.shared)) return found;
  for (const model::CounterBound& bound : region.bounds)
    if (auto found = misfit(model, bound.counter)) return found;
  return std::nullopt;
}

Misfit misfit(const model::Model& model, const answer::LinearInvariant& invariant) {
  for (const model::WeightedPlace& weighted : invariant.weights)
    if (auto found = misfit(model, weighted.place)) return found;
  return std::nullopt;
}

Misfit misfit(const model::Model& model, const answer::ClosedThreadStates& closed) {
  if (!std::holds_alternative<model::ThreadSystem>(model))
    return "thread states, which a Petri net does not have";
  for (const model::SharedState shared : closed.shared)
    if (auto found = misfit(model, shared)) return found;
  for (const model::ThreadState& state : closed.states) {
    if (auto found = misfit(model, state.shared)) return found;
    if (auto found = misfit(model, state.local)) return found;
  }
  return std::nullopt;
}

Misfit misfit(const model::Model& model, const answer::ConcurrentPlaces& places) {
  if (!std::holds_alternative<model::PetriNet>(model))
    return "places, which a thread system does not have";
  for (const model::PlaceId place : places.markable)
    if (auto found = misfit(model, place)) return found;
  for (const auto& [first, second] : places.together) {
    if (auto found = misfit(model, first)) return found;
    if (auto found = misfit(model, second)) return found;
  }
  return std::nullopt;
}

}  // namespace

Misfit misfit(const model::Model& model, const model::Configuration& configuration) {
  if (auto found = misfit(model, configuration.shared)) return found;
  for (const auto& entry : configuration.counts.entries())
    if (auto found = misfit(model, entry.first)) return found;
  return std::nullopt;
}

Misfit misfit(const model::Model& model, const answer::Invariant& invariant) {
  return std::visit([&](const auto& which) { return misfit(model, which); }, invariant);
}

Misfit misfit(const model::Model& model, const model::Question& question) {
  for (const model::Region& region : question.initial)
    if (auto found = misfit(model, region)) return found;
  for (const model::Region& region : question.targets)
    if (auto found = misfit(model, region)) return found;
  return std::nullopt;
}

}  // namespace heddle::check
