#include "model/configuration.hpp"

#include <algorithm>

namespace heddle::model {

std::optional<Configuration> extrapolate(const Configuration& start, const Configuration& end,
                                         const base::Integer& times) {
  Configuration result{end.shared, {}};
  for (const Configuration* side : {&start, &end})
    for (const auto& [counter, ignored] : side->counts.entries()) {
      const base::Integer before = start.counts[counter];
      const base::Integer value = before + times * (end.counts[counter] - before);
      if (value < 0) return std::nullopt;
      result.counts.set(counter, value);
    }
  return result;
}

const CounterBound* Region::find(Counter counter) const {
  const auto it = std::ranges::lower_bound(bounds, counter, {}, &CounterBound::counter);
  return it != bounds.end() && it->counter == counter ? &*it : nullptr;
}

bool target_region_contains(const Region& region, const Configuration& configuration) {
  if (region.shared != configuration.shared) return false;
  return std::ranges::all_of(region.bounds,
                             [&](const CounterBound& bound) {
                               return bound.allows(configuration.counts[bound.counter]);
                             }) &&
         holds(region.condition, configuration.counts);
}

bool initial_region_contains(const Region& region, const Configuration& configuration) {
  if (!target_region_contains(region, configuration)) return false;
  return std::ranges::all_of(configuration.counts.entries(), [&](const Counts::Entry& entry) {
    return region.find(entry.first) != nullptr;
  });
}

bool is_upward_closed(const Region& target) {
  return target.condition.is_true() &&
         std::ranges::none_of(target.bounds,
                              [](const CounterBound& bound) { return bound.upper.has_value(); });
}

Configuration least_element(const Region& region) {
  Configuration least{region.shared, {}};
  for (const CounterBound& bound : region.bounds) least.counts.set(bound.counter, bound.lower);
  return least;
}

std::optional<Configuration> least_initial_covering(const Region& region,
                                                    const Configuration& demand) {
  if (region.shared != demand.shared) return std::nullopt;
  Configuration found = least_element(region);
  for (const auto& [counter, needed] : demand.counts.entries()) {
    const CounterBound* bound = region.find(counter);
    if (!bound || (bound->upper && *bound->upper < needed)) return std::nullopt;
    if (needed > bound->lower) found.counts.set(counter, needed);
  }
  return found;
}

}  // namespace heddle::model
