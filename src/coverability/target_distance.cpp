#include "coverability/target_distance.hpp"

#include <algorithm>
#include <deque>

namespace heddle::coverability {

namespace {

using Estimate = TargetDistance::Estimate;

constexpr std::size_t kMostGoals = 16;
constexpr std::size_t kMostDistances = std::size_t{1} << 22;
constexpr Estimate kFar = 1'000'000;  ///< of what seems unreachable

/// Which counters can turn into which, by one step. The last node is no counter: tokens that are
/// made from nothing come from there.
using Edges = std::vector<std::vector<std::uint32_t>>;

/// Backward edges: for each counter, what it can come from.
Edges token_origins(const CounterSystem& system) {
  Edges origins(system.counters + 1);
  for (const Transition& t : system.transitions) {
    const bool takes = std::ranges::any_of(t.touched, [](const Touched& x) { return x.take > 0; });
    const auto arrives = [&](std::uint32_t counter) {
      for (const Touched& x : t.touched)
        if (x.take > 0 && x.counter != counter) origins[counter].push_back(x.counter);
      if (!takes) origins[counter].push_back(system.counters);
    };
    for (const Touched& x : t.touched)
      if (x.give > x.take || (x.give > 0 && x.take == 0)) arrives(x.counter);
    for (const Redistribution& r : t.redistributed) {
      if (r.constant > 0) arrives(r.counter);
      for (const Source& source : r.sources) origins[r.counter].push_back(source.counter);
    }
  }
  for (auto& list : origins) {
    std::ranges::sort(list);
    const auto repeated = std::ranges::unique(list);
    list.erase(repeated.begin(), repeated.end());
  }
  return origins;
}

/// The number of edges backward from `start`.
std::vector<Estimate> distances(const Edges& origins, std::uint32_t start) {
  std::vector<Estimate> result(origins.size(), kFar);
  std::deque<std::uint32_t> queue{start};
  result[start] = 0;
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    for (const std::uint32_t from : origins[at])
      if (result[from] == kFar) {
        result[from] = result[at] + 1;
        queue.push_back(from);
      }
  }
  return result;
}

Edges control_origins(const CounterSystem& system) {
  Edges origins(system.controls);
  for (const Transition& t : system.transitions)
    if (t.from != t.to) origins[t.to].push_back(t.from);
  return origins;
}

Estimate add(Estimate a, std::uint64_t b) {
  return static_cast<Estimate>(std::min<std::uint64_t>(a + b, UINT32_MAX));
}

}  // namespace

TargetDistance::TargetDistance(const CounterSystem& system) {
  std::size_t demanded = 0;
  for (const Demand& target : system.targets) {
    demanded += target.counts.size() + 1;
    if (goals_.size() == kMostGoals) break;
    if (!goals_.empty() && demanded * system.counters > kMostDistances) break;
    goals_.push_back(make_goal(system, target));
    offers_.resize(std::max(offers_.size(), target.counts.size()));
  }
}

TargetDistance::Goal TargetDistance::make_goal(const CounterSystem& system,
                                               const Demand& target) const {
  Goal goal{distances(control_origins(system), target.control), target.counts, {}, {}};
  goal.of_counter.resize(system.counters);
  const Edges origins = token_origins(system);
  for (std::uint32_t i = 0; i < target.counts.size(); ++i) {
    const std::vector<Estimate> steps = distances(origins, target.counts[i].first);
    for (std::uint32_t counter = 0; counter < system.counters; ++counter)
      if (steps[counter] < kFar) goal.of_counter[counter].push_back({i, steps[counter]});
    goal.of_nothing.push_back(steps[system.counters]);
  }
  return goal;
}

Estimate TargetDistance::operator()(Control control, std::span<const OmegaWord> vector) {
  Estimate least = UINT32_MAX;
  for (const Goal& goal : goals_) least = std::min(least, estimate(goal, control, vector));
  return least;
}

Estimate TargetDistance::estimate(const Goal& goal, Control control,
                                  std::span<const OmegaWord> vector) {
  const std::size_t size = goal.counts.size();
  for (std::size_t i = 0; i < size; ++i) offers_[i].assign(1, {goal.of_nothing[i], kOmega});
  auto wanted = goal.counts.begin();
  for (const OmegaWord word : vector) {
    const std::uint32_t counter = counter_of(word);
    while (wanted != goal.counts.end() && wanted->first < counter) ++wanted;
    Count spare = count_of(word);
    const bool is_wanted = wanted != goal.counts.end() && wanted->first == counter;
    const Count kept = is_wanted ? std::min(spare, wanted->second) : 0;
    if (kept > 0)
      offers_[static_cast<std::size_t>(wanted - goal.counts.begin())].push_back({0, kept});
    if (spare != kOmega) spare -= kept;
    if (spare == 0) continue;
    for (const auto& [demanded, steps] : goal.of_counter[counter])
      if (steps > 0) offers_[demanded].push_back({steps, spare});
  }
  Estimate sum = goal.of_control[control];
  for (std::size_t i = 0; i < size; ++i) {
    std::ranges::sort(offers_[i], {}, &Offer::steps);
    Count left = goal.counts[i].second;
    for (const Offer& offer : offers_[i]) {
      const Count here = offer.count == kOmega ? left : std::min(left, offer.count);
      sum = add(sum, std::uint64_t{here} * offer.steps);
      left -= here;
      if (left == 0) break;
    }
  }
  return sum;
}

}  // namespace heddle::coverability
