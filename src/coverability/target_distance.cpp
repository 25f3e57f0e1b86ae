#include "coverability/target_distance.hpp"

#include <algorithm>
#include <deque>

namespace heddle::coverability {

namespace {

using Estimate = TargetDistance::Estimate;

constexpr std::size_t kMostGoals = 16;
/// Of conditions with more inequalities it only counts those that do not hold.
constexpr std::uint32_t kMostMeasured = 64;
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

/// The number of edges backward from the nearest of these.
std::vector<Estimate> distances(const Edges& origins, std::span<const std::uint32_t> starts) {
  std::vector<Estimate> result(origins.size(), kFar);
  std::deque<std::uint32_t> queue(starts.begin(), starts.end());
  for (const std::uint32_t start : starts) result[start] = 0;
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

TargetDistance::TargetDistance(const CounterSystem& system,
                               std::span<const TargetCondition> conditions) {
  std::size_t demanded = 0;
  for (const Demand& target : system.targets) {
    demanded += target.counts.size() + 1;
    if (goals_.size() == kMostGoals) break;
    if (!goals_.empty() && demanded * system.counters > kMostDistances) break;
    goals_.push_back(make_goal(system, target));
    if (!conditions.empty()) goals_.back().condition = conditions[goals_.size() - 1];
    offers_.resize(std::max(offers_.size(), target.counts.size()));
  }
  measure(system);
}

void TargetDistance::measure(const CounterSystem& system) {
  const Edges origins = token_origins(system);
  for (const Goal& goal : goals_)
    for_each_inequality(goal.condition, [&](const TargetCondition& inequality) {
      values_.resize(system.counters, 0);
      if (inequality.number >= kMostMeasured) return;
      steps_to_sum_.resize(std::max<std::size_t>(steps_to_sum_.size(), inequality.number + 1));
      if (steps_to_sum_.size() * system.counters > kMostDistances) return;
      std::vector<std::uint32_t> counted;
      for (const auto& [counter, weight] : inequality.terms)
        if (weight > 0) counted.push_back(counter);
      steps_to_sum_[inequality.number] = distances(origins, counted);
    });
}

TargetDistance::Goal TargetDistance::make_goal(const CounterSystem& system,
                                               const Demand& target) const {
  Goal goal{distances(control_origins(system), {{target.control}}), target.counts, {}, {}, {}};
  goal.of_counter.resize(system.counters);
  const Edges origins = token_origins(system);
  for (std::uint32_t i = 0; i < target.counts.size(); ++i) {
    const std::vector<Estimate> steps = distances(origins, {{target.counts[i].first}});
    for (std::uint32_t counter = 0; counter < system.counters; ++counter)
      if (steps[counter] < kFar) goal.of_counter[counter].push_back({i, steps[counter]});
    goal.of_nothing.push_back(steps[system.counters]);
  }
  return goal;
}

Estimate TargetDistance::operator()(Control control, std::span<const OmegaWord> vector) {
  if (!values_.empty())
    for (const OmegaWord word : vector) values_[counter_of(word)] = count_of(word);
  Estimate least = UINT32_MAX;
  for (const Goal& goal : goals_) {
    const Estimate bounds = estimate(goal, control, vector);
    least = std::min(least, add(bounds, estimate(goal.condition, vector)));
  }
  if (!values_.empty())
    for (const OmegaWord word : vector) values_[counter_of(word)] = 0;
  return least;
}

Estimate TargetDistance::estimate(const TargetCondition& condition,
                                  std::span<const OmegaWord> vector) {
  if (condition.kind == TargetCondition::Kind::AtLeast)
    return estimate_inequality(condition, vector);
  const bool is_all = condition.kind == TargetCondition::Kind::All;
  Estimate result = is_all ? 0 : UINT32_MAX;
  for (const TargetCondition& part : condition.parts) {
    const Estimate steps = estimate(part, vector);
    result = is_all ? add(result, steps) : std::min(result, steps);
  }
  return result;
}

/// A token that arrives counts as much as the greatest weight; one that leaves a counter of
/// negative weight counts what it no longer takes away.
Estimate TargetDistance::estimate_inequality(const TargetCondition& inequality,
                                             std::span<const OmegaWord> vector) {
  std::int64_t missing = inequality.least - inequality.sum(values_);
  if (missing <= 0) return 0;
  if (inequality.number >= kMostMeasured) return 1;
  Estimate sum = 0;
  std::int64_t greatest = 0;
  for (const auto& [counter, weight] : inequality.terms) {
    greatest = std::max(greatest, weight);
    if (weight >= 0 || missing <= 0) continue;
    const std::int64_t leaving =
        std::min<std::int64_t>(values_[counter], (missing - weight - 1) / -weight);
    missing += leaving * weight;
    sum = add(sum, static_cast<std::uint64_t>(leaving));
  }
  if (missing <= 0) return sum;
  const auto& steps = steps_to_sum_[inequality.number];
  if (greatest == 0 || steps.empty()) return add(sum, kFar);
  nearest_.clear();
  for (const OmegaWord word : vector)
    if (const Estimate distance = steps[counter_of(word)]; distance > 0 && distance < kFar)
      nearest_.push_back({distance, count_of(word)});
  std::ranges::sort(nearest_, {}, &Offer::steps);
  nearest_.push_back({steps.back(), kOmega});  // tokens that are made from nothing
  for (const Offer& offer : nearest_) {
    const auto arriving = std::min<std::int64_t>(offer.count, (missing + greatest - 1) / greatest);
    sum = add(sum, static_cast<std::uint64_t>(arriving) * offer.steps);
    missing -= arriving * greatest;
    if (missing <= 0) break;
  }
  return sum;
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
