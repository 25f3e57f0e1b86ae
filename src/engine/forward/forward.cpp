#include "engine/forward/forward.hpp"

#include <algorithm>
#include <utility>

#include "engine/forward/search.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::engine::forward {

namespace {

using answer::Unknown;
using answer::Verdict;

/// Why upper bounds and conditions cannot be honoured, or nothing.
std::optional<std::string> why_not_exactly(const model::CountingTask& task) {
  const auto is_fixed = [](const model::Region& region) {
    return std::ranges::all_of(
        region.bounds, [](const model::CounterBound& bound) { return bound.upper == bound.lower; });
  };
  if (!std::ranges::all_of(task.question.initial, is_fixed))
    return "with upper bounds or conditions it needs a fixed initial marking";
  for (std::uint32_t i = 0; i < model::transition_count(task.model); ++i)
    if (!model::has_constant_effect(task.model, model::TransitionId(i)))
      return "upper bounds or conditions together with transfers or resets are not supported";
  return std::nullopt;
}

/// A bound that does not fit a machine counter is never exceeded.
coverability::UpperBounds take_upper_bounds(std::vector<model::CounterBound>& bounds) {
  coverability::UpperBounds result;
  for (model::CounterBound& bound : bounds) {
    const auto upper = bound.upper ? base::to_uint32(*bound.upper) : std::nullopt;
    if (upper && *upper < coverability::kMostTokens)
      result.emplace_back(bound.counter.value, *upper);
    bound.upper.reset();
  }
  std::erase_if(bounds, [](const model::CounterBound& bound) { return bound.lower == 0; });
  return result;
}

/// Takes upper bounds and conditions out of the task. Nothing if a number does not fit.
std::optional<coverability::ExactBounds> take_exact_bounds(model::CountingTask& task) {
  coverability::ExactBounds result;
  std::uint32_t inequalities = 0;
  for (model::Region& target : task.question.targets) {
    result.targets.push_back(take_upper_bounds(target.bounds));
    auto condition = coverability::compile(std::exchange(target.condition, {}), inequalities);
    if (!condition) return std::nullopt;
    result.conditions.push_back(std::move(*condition));
  }
  auto* net = std::get_if<model::PetriNet>(&task.model);
  if (!net || std::ranges::all_of(net->transitions, model::is_monotone)) return result;
  for (model::PetriTransition& transition : net->transitions)
    result.guards.push_back(take_upper_bounds(transition.guard));
  return result;
}

bool is_nowhere(const model::Region& target) { return target.condition.is_false(); }

/// All configurations: a cover of whatever is reachable.
answer::ForwardCover everything(const model::CountingModel& model) {
  answer::ForwardCover cover;
  for (std::uint32_t shared = 0; shared < model::shared_count(model); ++shared) {
    auto& all =
        cover.maximal.emplace_back(answer::OmegaConfiguration{model::SharedState(shared), {}, {}});
    for (std::uint32_t c = 0; c < model::counter_count(model); ++c) all.unbounded.emplace_back(c);
  }
  return cover;
}

Acceptance accepts(const model::CountingTask& task) {
  if (task.question.targets.empty()) return {"there is no target"};
  if (std::ranges::all_of(task.question.targets, is_nowhere)) return {};
  if (transform::needs_monotone_relaxation(task)) return {why_not_exactly(task)};
  return {};
}

Verdict solve(const model::CountingTask& task, const coverability::ExactBounds& bounds,
              base::RunContext& context) {
  const auto system = coverability::compile(task);
  if (!system) return Unknown{answer::UnknownReason::CounterOverflow, system.error()};
  return to_verdict(task, *system, search(task, *system, bounds, context),
                    "counters grow without bound, and this search does not accelerate");
}

Verdict run(const model::CountingTask& task, const NoOptions&, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  if (std::ranges::all_of(task.question.targets, is_nowhere))
    return answer::Safe{everything(task.model)};
  if (!transform::needs_monotone_relaxation(task)) return solve(task, {}, context);
  model::CountingTask without_bounds = task;
  const auto bounds = take_exact_bounds(without_bounds);
  if (!bounds)
    return Unknown{answer::UnknownReason::CounterOverflow,
                   "a number in the target does not fit a machine word"};
  return solve(without_bounds, *bounds, context);
}

}  // namespace

EngineRow row() {
  return row_for(
      {.name = "forward",
       .summary = "directed search for a run to the target, with stubborn sets",
       .models = "thread systems, Petri nets with resets, transfers, upper bounds or conditions",
       .proves = true,
       .refutes = true,
       .complete = false,
       .evidence = {"trace", "forward_cover"}},
      accepts, run, counters_only());
}

}  // namespace heddle::engine::forward
