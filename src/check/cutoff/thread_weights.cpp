#include "check/cutoff/thread_weights.hpp"

#include <algorithm>

#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::ThreadWeighting;
using base::Integer;

Integer weight_of(const ThreadWeighting& weighting, model::SharedState shared) {
  const auto it = std::ranges::lower_bound(weighting.shared, shared, {},
                                           &std::pair<model::SharedState, Integer>::first);
  return it != weighting.shared.end() && it->first == shared ? it->second : Integer(0);
}

/// By how much more a step's threads weigh at most after it. Passive threads come on top, each with
/// its own difference, which must not be positive either.
Integer greatest_increase(const ThreadWeighting& w, const model::ThreadTransition& t) {
  using enum model::StepKind;
  const Integer shared = weight_of(w, t.target.shared) - weight_of(w, t.source.shared);
  const Integer moved = w.counters[t.target.local] - w.counters[t.source.local];
  if (t.kind == Spawn) return shared + w.counters[t.target.local] - w.pool;
  if (t.kind == Transfer) return std::max(shared, moved);
  Integer greatest = shared + moved;
  for (const model::PassiveMove& passive : t.passive)
    greatest = std::max<Integer>(greatest, w.counters[passive.to] - w.counters[passive.from]);
  return greatest;
}

/// What tokens of a rule do not come from tokens comes from the pool, and the other way round.
/// Precondition: all updates are shifts.
Integer greatest_increase(const ThreadWeighting& w, const model::PetriTransition& t) {
  Integer increase = 0;
  for (const model::PlaceUpdate& update : t.updates)
    increase += (w.counters[update.place] - w.pool) * update.constant;
  return increase;
}

/// The most that a configuration of the region with so many threads weighs, those in the pool
/// included; nothing if there is none. Threads that may stand anywhere stand where they weigh most.
std::optional<Integer> greatest_weight(const ThreadWeighting& w, const model::Region& region,
                                       const Integer& threads) {
  Integer weight = weight_of(w, region.shared), left = threads;
  std::vector<std::pair<Integer, std::optional<Integer>>> room{{w.pool, std::nullopt}};
  for (const model::CounterBound& bound : region.bounds) {
    weight += w.counters[bound.counter] * bound.lower;
    left -= bound.lower;
    std::optional<Integer> more;
    if (bound.upper) more = *bound.upper - bound.lower;
    room.emplace_back(w.counters[bound.counter], std::move(more));
  }
  if (left < 0) return std::nullopt;
  std::ranges::sort(room, std::ranges::greater{}, [](const auto& r) { return r.first; });
  for (const auto& [each, most] : room) {
    const Integer here = most ? std::min(*most, left) : left;
    weight += each * here;
    left -= here;
  }
  return weight;
}

}  // namespace

std::optional<std::string> why_no_weighting(const model::CountingModel& model,
                                            const ThreadWeighting& weighting) {
  for (const auto& [shared, weight] : weighting.shared)
    if (const auto found = mismatch(model, {shared, {}})) return "it names " + *found;
  if (const auto found = mismatch(model, {model::SharedState(0u), weighting.counters}))
    return "it names " + *found;
  std::optional<std::string> problem;
  std::visit(
      [&](const auto& m) {
        for (std::size_t i = 0; i < m.transitions.size() && !problem; ++i)
          if (greatest_increase(weighting, m.transitions[i]) > 0)
            problem = "transition " + std::to_string(i) + " increases it";
      },
      model);
  return problem;
}

TooHeavy::TooHeavy(const model::CountingTask& task, const std::vector<ThreadWeighting>& weightings,
                   const Integer& threads) {
  for (const ThreadWeighting& weighting : weightings) {
    Bound bound{{}, {}, weighting.pool, -1};
    for (const auto& [shared, weight] : weighting.shared) bound.shared[shared.value] = weight;
    for (const auto& [counter, weight] : weighting.counters.entries())
      bound.counters[counter.value] = weight;
    for (const model::Region& region : task.question.initial)
      if (const auto weight = greatest_weight(weighting, region, threads))
        bound.greatest = std::max(bound.greatest, *weight);
    bounds_.push_back(std::move(bound));
  }
}

bool TooHeavy::contains(const Demand<MachineAmount>& demand, MachineAmount pool) const {
  const auto find = [](const std::map<std::uint32_t, Integer>& weights, std::uint32_t key) {
    const auto it = weights.find(key);
    return it == weights.end() ? Integer(0) : it->second;
  };
  return std::ranges::any_of(bounds_, [&](const Bound& bound) {
    Integer weight = find(bound.shared, demand.shared) + bound.pool * pool;
    for (const auto& [counter, amount] : demand.entries)
      weight += find(bound.counters, counter) * amount;
    return weight > bound.greatest;
  });
}

}  // namespace heddle::check
