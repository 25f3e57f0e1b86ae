#include "engine/cutoff/realizability.hpp"

#include <algorithm>

#include "coverability/pruner.hpp"

namespace heddle::engine::cutoff {

namespace {

using coverability::Demand;

model::Region to_region(const Demand& demand) {
  model::Region region{model::SharedState(demand.control), {}};
  for (const auto& [counter, count] : demand.counts)
    region.bounds.push_back({model::Counter(counter), count, std::nullopt});
  return region;
}

/// Sorted, each once.
std::vector<model::Region> to_targets(std::span<const Demand> demands) {
  std::vector<Demand> sorted(demands.begin(), demands.end());
  const auto key = [](const Demand& d) { return std::tie(d.control, d.counts); };
  std::ranges::sort(sorted, {}, key);
  const auto repeated = std::ranges::unique(sorted, {}, key);
  sorted.erase(repeated.begin(), repeated.end());
  std::vector<model::Region> targets;
  for (const Demand& demand : sorted) targets.push_back(to_region(demand));
  return targets;
}

}  // namespace

Realizability::Realizability(const model::CountingTask& task, const CutoffOptions& options)
    : task_(task),
      order_(options.order),
      pruner_(coverability::find_invariants(task, options.use_invariants)) {}

Realizability::Answer Realizability::ask(std::span<const Demand> demands,
                                         base::RunContext& context) {
  task_.question.targets = to_targets(demands);
  auto result =
      coverability::backward_search(task_, pruner_, order_, context, uncoverable_.minimal);
  if (auto* none = std::get_if<coverability::Uncoverable>(&result)) {
    uncoverable_ = {std::move(none->minimal), std::move(none->relative_to)};
    return NoneCoverable{};
  }
  if (auto* covered = std::get_if<coverability::Coverable>(&result)) return std::move(*covered);
  if (auto* stopped = std::get_if<coverability::Stopped>(&result)) return *stopped;
  return std::get<coverability::Overflowed>(std::move(result));
}

}  // namespace heddle::engine::cutoff
