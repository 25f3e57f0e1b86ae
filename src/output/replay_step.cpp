#include "output/replay_step.hpp"

#include <algorithm>

namespace heddle::output {

namespace {

using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;
using model::Counter;
using model::CountingModel;

bool is_constant(const model::ThreadTransition& t) { return t.has_constant_effect(); }

bool is_constant(const model::PetriTransition& t) {
  return std::ranges::all_of(t.updates, &model::PlaceUpdate::is_shift);
}

/// A transition that does not exist is found when it is fired.
bool has_constant_effect(const CountingModel& model, const TraceStep& step) {
  const std::size_t id = step.transition.index();
  return std::visit(
      [&](const auto& m) { return id >= m.transitions.size() || is_constant(m.transitions[id]); },
      model);
}

Reached run_body(const CountingModel& model, Configuration at, const TraceBlock& block) {
  for (const TraceStep& step : block.body) {
    Reached next = fire(model, at, step);
    if (!next) return next;
    at = std::move(*next);
  }
  return at;
}

Reached accelerate(const CountingModel& model, const Configuration& from, const TraceBlock& block,
                   const Integer& repetitions) {
  const Reached once = run_body(model, from, block);
  if (!once || repetitions == 1) return once;
  if (once->shared != from.shared)
    return std::unexpected("a repetition does not return to its shared state");
  const auto last = model::extrapolate(from, *once, repetitions - 1);
  if (!last) return std::unexpected("a repetition would make a count negative");
  return run_body(model, *last, block);
}

}  // namespace

Reached fire(const CountingModel& model, const Configuration& from, const TraceStep& step) {
  return model::step(model, from, step.transition, step.flows);
}

Reached repeat(const CountingModel& model, const Configuration& from, const TraceBlock& block,
               const Integer& repetitions) {
  if (repetitions < 1) return std::unexpected("a block is repeated less than once");
  const auto constant = [&](const TraceStep& step) { return has_constant_effect(model, step); };
  if (std::ranges::all_of(block.body, constant)) return accelerate(model, from, block, repetitions);
  if (repetitions * Integer(block.body.size()) > Integer(kMostRunSteps))
    return std::unexpected("a repetition with transfers, resets or passive moves is too long");
  Reached at = from;
  for (Integer i = 0; at && i < repetitions; ++i) at = run_body(model, std::move(*at), block);
  return at;
}

}  // namespace heddle::output
