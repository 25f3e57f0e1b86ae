#include "engine/concolic/witness.hpp"

#include <algorithm>
#include <optional>

#include "base/invariant.hpp"
#include "engine/concolic/summary.hpp"

namespace heddle::engine::concolic {

namespace {

using model::Configuration;
using model::ThreadSystem;

/// What must be there before the stretches so that `after` is met behind them.
Configuration demand_before(const ThreadSystem& system, const std::vector<Stretch>& stretches,
                            Configuration after) {
  for (std::size_t i = stretches.size(); i-- > 0;) {
    Summary summary;
    for (std::size_t k = stretches[i].transitions.size(); k-- > 0;) {
      const auto& transition = system.transitions[stretches[i].transitions[k]];
      summary = then(summary, summary_of(transition));
      after.shared = transition.source.shared;
    }
    for (const auto& [counter, update] : summary) {
      const model::Counter c(counter);
      after.counts.set(c, repeat(update, stretches[i].repetitions, after.counts[c]));
    }
  }
  return after;
}

model::SharedState last_shared(const ThreadSystem& system, const std::vector<Stretch>& stretches) {
  return system.transitions[stretches.back().transitions.back()].target.shared;
}

std::optional<Configuration> smallest_start(const model::CountingTask& task,
                                            const std::vector<Stretch>& stretches) {
  const auto& system = std::get<ThreadSystem>(task.model);
  std::optional<Configuration> best;
  for (const model::Region& target : task.question.targets) {
    if (!stretches.empty() && target.shared != last_shared(system, stretches)) continue;
    const Configuration demand = demand_before(system, stretches, model::least_element(target));
    for (const model::Region& region : task.question.initial) {
      auto start = model::least_initial_covering(region, demand);
      if (start && (!best || start->counts.total() < best->counts.total())) best = std::move(start);
    }
  }
  return best;
}

}  // namespace

answer::Trace build_trace(const model::CountingTask& task, const std::vector<Stretch>& stretches) {
  auto start = smallest_start(task, stretches);
  HEDDLE_INVARIANT(start.has_value(), "a run along a simple path should start initially");
  answer::Trace trace{std::move(*start), {}};
  for (const Stretch& stretch : stretches) {
    answer::TraceBlock block{stretch.repetitions, {}};
    for (const std::uint32_t transition : stretch.transitions)
      block.body.push_back({model::TransitionId(transition), {}, {}, {}});
    trace.blocks.push_back(std::move(block));
  }
  return trace;
}

}  // namespace heddle::engine::concolic
