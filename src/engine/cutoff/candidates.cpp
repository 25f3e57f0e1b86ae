#include "engine/cutoff/candidates.hpp"

#include <algorithm>

namespace heddle::engine::cutoff {

namespace {

using coverability::CounterCount;
using coverability::Demand;
using coverability::FamilyTransition;
using coverability::PassiveStep;
using coverability::ThreadFamily;

class Collector {
 public:
  Collector(const ThreadFamily& family, KnownStates& known) : family_(family), known_(known) {}

  std::vector<Candidate> run() {
    do {
      grew_ = false;
      found_.clear();
      for (std::uint32_t i = 0; i < family_.transitions.size(); ++i) collect(i);
    } while (grew_);
    return std::move(found_);
  }

 private:
  void collect(std::uint32_t index) {
    const FamilyTransition& t = family_.transitions[index];
    for (const auto& [counter, count] : t.take)
      if (!family_.is_pool(counter) && !known_.contains(t.from, counter)) return;
    for (const auto& [counter, count] : t.give)
      if (!family_.is_pool(counter)) consider(index, std::nullopt, counter);
    if (t.from == t.to && t.passive.empty()) return;
    // By index: what is added while we look is looked at as well.
    for (std::size_t i = 0; i < known_.locals(t.from).size(); ++i) {
      const std::uint32_t passive = known_.locals(t.from)[i];
      if (!is_moved(t, passive)) {
        consider(index, passive, passive);
        continue;
      }
      for (const std::uint32_t target : passive_targets(t, passive))
        consider(index, passive, target);
    }
  }

  static bool is_moved(const FamilyTransition& t, std::uint32_t counter) {
    return std::ranges::find(t.passive, counter, &PassiveStep::from) != t.passive.end();
  }

  void consider(std::uint32_t index, std::optional<std::uint32_t> passive, std::uint32_t counter) {
    const FamilyTransition& t = family_.transitions[index];
    if (known_.contains(t.to, counter)) return;
    Demand demand = demand_of(family_, t, passive);
    if (demand.counts.size() <= 1 && (demand.counts.empty() || demand.counts[0].second == 1) &&
        is_certain(demand)) {
      known_.add(t.to, counter);
      grew_ = true;
    } else {
      found_.push_back({index, passive, t.to, counter, std::move(demand)});
    }
  }

  /// One thread in a known thread state. (A net rule that takes nothing is always possible; a
  /// thread system has no step that takes nothing and gives something.)
  bool is_certain(const Demand& demand) const {
    return demand.counts.empty() || known_.contains(demand.control, demand.counts[0].first);
  }

  const ThreadFamily& family_;
  KnownStates& known_;
  bool grew_ = false;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<std::uint32_t> passive_targets(const FamilyTransition& transition,
                                           std::uint32_t counter) {
  const auto it = std::ranges::find(transition.passive, counter, &PassiveStep::from);
  return it == transition.passive.end() ? std::vector{counter} : it->to;
}

Demand demand_of(const ThreadFamily& family, const FamilyTransition& transition,
                 std::optional<std::uint32_t> passive) {
  Demand demand{transition.from, {}};
  for (const CounterCount& take : transition.take)
    if (!family.is_pool(take.first)) demand.counts.push_back(take);
  if (!passive) return demand;
  const auto it = std::ranges::lower_bound(demand.counts, *passive, {}, &CounterCount::first);
  if (it != demand.counts.end() && it->first == *passive) {
    ++it->second;
  } else {
    demand.counts.insert(it, {*passive, 1});
  }
  return demand;
}

std::vector<Candidate> candidates(const ThreadFamily& family, KnownStates& known) {
  return Collector(family, known).run();
}

}  // namespace heddle::engine::cutoff
