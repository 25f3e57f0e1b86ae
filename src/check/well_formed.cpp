#include "check/well_formed.hpp"

#include "check/kinds.hpp"

namespace heddle::check {

namespace {

using Mismatch = std::optional<std::string>;

Mismatch unknown_shared(model::SharedState shared) {
  return "shared state " + std::to_string(shared.value) + ", which the model does not have";
}

template <class Model>
Mismatch mismatch(const Model& model, model::SharedState shared) {
  if (shared.index() < model::shared_count(model)) return std::nullopt;
  return unknown_shared(shared);
}

template <class Model>
Mismatch mismatch(const Model& model, model::Counter counter) {
  if (counter.index() < model::counter_count(model)) return std::nullopt;
  return "counter " + std::to_string(counter.value) + ", which the model does not have";
}

template <class Model>
Mismatch mismatch(const Model& model, const model::Region& region) {
  if (auto found = mismatch(model, region.shared)) return found;
  for (const model::CounterBound& bound : region.bounds)
    if (auto found = mismatch(model, bound.counter)) return found;
  Mismatch result;
  model::for_each_inequality(region.condition, [&](const model::Condition& inequality) {
    for (const model::WeightedPlace& term : inequality.terms)
      if (auto found = mismatch(model, term.place)) result = found;
  });
  return result;
}

template <class Model>
Mismatch mismatch(const Model& model, const answer::LinearInvariant& invariant) {
  for (const model::WeightedPlace& weighted : invariant.weights)
    if (auto found = mismatch(model, weighted.place)) return found;
  return std::nullopt;
}

Mismatch mismatch(const model::PetriNet&, const answer::ClosedThreadStates&) {
  return "thread states, which a Petri net does not have";
}

Mismatch mismatch(const model::ThreadSystem& model, const answer::ClosedThreadStates& closed) {
  for (const model::SharedState shared : closed.shared)
    if (auto found = mismatch(model, shared)) return found;
  for (const model::ThreadState& state : closed.states) {
    if (auto found = mismatch(model, state.shared)) return found;
    if (auto found = mismatch(model, state.local)) return found;
  }
  return std::nullopt;
}

Mismatch mismatch(const model::ThreadSystem&, const answer::ConcurrentPlaces&) {
  return "places, which a thread system does not have";
}

Mismatch mismatch(const model::PetriNet& model, const answer::ConcurrentPlaces& places) {
  for (const model::PlaceId place : places.markable)
    if (auto found = mismatch(model, place)) return found;
  for (const auto& [first, second] : places.together) {
    if (auto found = mismatch(model, first)) return found;
    if (auto found = mismatch(model, second)) return found;
  }
  return std::nullopt;
}

}  // namespace

Mismatch mismatch(const model::CountingModel& model, const model::Configuration& configuration) {
  if (auto found = mismatch(model, configuration.shared)) return found;
  for (const auto& entry : configuration.counts.entries())
    if (auto found = mismatch(model, entry.first)) return found;
  return std::nullopt;
}

Mismatch mismatch(const model::CountingModel& model, const answer::Invariant& invariant) {
  return std::visit([](const auto& which, const auto& claim) { return mismatch(which, claim); },
                    model, invariant);
}

Mismatch mismatch(const model::PushdownSystem& system, const model::VisibleState& state) {
  if (state.shared.index() >= system.shared_count) return unknown_shared(state.shared);
  for (const model::ThreadTop& at : state.tops)
    if (at.thread >= system.threads.size())
      return "counter " + std::to_string(at.thread) + ", which the model does not have";
  return std::nullopt;
}

namespace {

Mismatch mismatch_of_state(const model::ThreadSystem& system, const model::Region& region) {
  return mismatch(system, region);
}
Mismatch mismatch_of_state(const model::PetriNet& net, const model::Region& region) {
  return mismatch(net, region);
}
Mismatch mismatch_of_state(const model::PushdownSystem& system, const model::VisibleState& state) {
  return heddle::check::mismatch(system, state);
}

template <class Model>
Mismatch mismatch_of_states(const Model& model, const model::QuestionOf<Model>& question) {
  for (const auto& state : question.initial) {
    if (auto found = mismatch_of_state(model, state)) return found;
    if constexpr (std::same_as<std::decay_t<decltype(state)>, model::Region>)
      if (!state.condition.is_true()) return "a condition on the beginning, which is none";
  }
  for (const auto& state : question.targets)
    if (auto found = mismatch_of_state(model, state)) return found;
  return std::nullopt;
}

}  // namespace

Mismatch mismatch(const model::ThreadSystem& system, const model::CountingQuestion& question) {
  return mismatch_of_states(system, question);
}

Mismatch mismatch(const model::PetriNet& net, const model::CountingQuestion& question) {
  return mismatch_of_states(net, question);
}

Mismatch mismatch(const model::BooleanProgram&, const model::ProgramQuestion&) {
  return std::nullopt;
}

Mismatch mismatch(const model::CProgram&, const model::CQuestion&) { return std::nullopt; }

Mismatch mismatch(const model::PushdownSystem& system, const model::PushdownQuestion& question) {
  return mismatch_of_states(system, question);
}

}  // namespace heddle::check
