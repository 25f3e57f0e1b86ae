#include "coverability/omega_steps.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/invariant.hpp"

/// What a step makes of the configurations below an ω-vector v.
///
/// Ordinary: v − take + give, where ω stays ω.
/// Copy (nets): the new value of a counter is a sum over old ones with positive weights, which
/// grows with v; so what lies below v leads below the sums of v.
/// Divide (threads): of n passive threads in a source with several targets, each chooses. Each way
/// to divide n gives a successor, and no two of them are comparable. If n is ω, any number can go
/// to each of the targets, and all of them get ω: one successor describes all choices.

namespace heddle::coverability {

bool is_below(std::span<const OmegaWord> small, std::span<const OmegaWord> large) {
  if (small.size() > large.size()) return false;
  const OmegaWord* at = large.data();
  const OmegaWord* const end = at + large.size();
  for (const OmegaWord word : small) {
    while (at != end && *at < word) ++at;
    if (at == end || counter_of(*at) != counter_of(word)) return false;
    ++at;
  }
  return true;
}

OmegaVector initial_vector(const model::Region& region, bool* saturated) {
  OmegaVector result;
  for (const model::CounterBound& bound : region.bounds) {
    if (bound.upper == 0) continue;
    Count upper = kOmega;
    if (bound.upper) {
      const auto word = base::to_uint32(*bound.upper);
      upper = std::min(word.value_or(kMostTokens), kMostTokens);
      if (saturated && (!word || *word > kMostTokens)) *saturated = true;
    }
    result.push_back(omega_word(bound.counter.value, upper));
  }
  return result;
}

OmegaVector to_omega_vector(const Demand& demand) {
  OmegaVector result;
  for (const auto& [counter, count] : demand.counts) result.push_back(omega_word(counter, count));
  return result;
}

namespace {

/// A counter without which the transition is not enabled, if there is one.
std::optional<std::uint32_t> needed_counter(const Transition& t) {
  for (const Touched& touched : t.touched)
    if (touched.take > 0) return touched.counter;
  for (const auto& [counter, count] : t.floor)
    if (count > 0) return counter;
  return std::nullopt;
}

}  // namespace

OmegaSteps::OmegaSteps(const CounterSystem& system)
    : system_(system),
      always_(system.controls),
      movers_(system.transitions.size()),
      values_(system.counters, 0) {
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& t = system.transitions[i];
    if (const auto needed = needed_counter(t)) {
      keyed_.push_back({t.from, *needed, i});
    } else {
      always_[t.from].push_back(i);
    }
    if (t.sharing == Sharing::Copy) continue;
    std::map<std::uint32_t, std::vector<std::uint32_t>> targets;
    for (const Redistribution& r : t.redistributed)
      for (const Source& source : r.sources) targets[source.counter].push_back(r.counter);
    for (auto& [from, to] : targets) movers_[i].push_back({from, std::move(to)});
  }
  std::ranges::sort(keyed_);
}

void OmegaSteps::load(std::span<const OmegaWord> before) {
  for (const OmegaWord word : before) values_[counter_of(word)] = count_of(word);
}

void OmegaSteps::unload(std::span<const OmegaWord> before) {
  for (const OmegaWord word : before) values_[counter_of(word)] = 0;
}

void OmegaSteps::list_enabled(Control control, std::span<const OmegaWord> before,
                              std::vector<std::uint32_t>& enabled) {
  enabled.clear();
  load(before);
  for (const std::uint32_t index : always_[control])
    if (is_enabled(system_.transitions[index])) enabled.push_back(index);
  for (const OmegaWord word : before) {
    auto it = std::ranges::lower_bound(keyed_, Keyed{control, counter_of(word), 0});
    for (; it != keyed_.end() && it->control == control && it->counter == counter_of(word); ++it)
      if (is_enabled(system_.transitions[it->transition])) enabled.push_back(it->transition);
  }
  unload(before);
}

void OmegaSteps::successors_by(std::uint32_t transition, std::span<const OmegaWord> before,
                               const Visit& visit) {
  load(before);
  successors(transition, before, visit);
  unload(before);
}

OmegaVector OmegaSteps::after(std::span<const OmegaWord> before, std::uint32_t transition,
                              std::uint32_t choice, std::vector<OmegaFlow>* flows) {
  std::optional<OmegaVector> result;
  load(before);
  successors(transition, before, [&](std::uint32_t, std::uint32_t which, const OmegaVector& found) {
    if (which != choice) return true;
    result = found;
    if (flows) *flows = flows_;
    return false;
  });
  unload(before);
  HEDDLE_INVARIANT(result.has_value(), "a step of a path should be possible");
  return std::move(*result);
}

bool OmegaSteps::is_enabled(const Transition& t) const {
  return std::ranges::all_of(t.touched,
                             [&](const Touched& x) { return values_[x.counter] >= x.take; }) &&
         std::ranges::all_of(
             t.floor, [&](const auto& bound) { return values_[bound.first] >= bound.second; });
}

bool OmegaSteps::successors(std::uint32_t index, std::span<const OmegaWord> before,
                            const Visit& visit) {
  const Transition& t = system_.transitions[index];
  if (!is_enabled(t)) return true;
  choice_ = 0;
  flows_.clear();
  if (!t.ordinary())
    return t.sharing == Sharing::Copy ? copy(index, before, visit) : divide(index, before, visit);
  changes_.clear();
  for (const Touched& x : t.touched) {
    const Count value = values_[x.counter];
    set_change(x.counter, value == kOmega ? kOmega : plus(value - x.take, x.give));
  }
  merge(before);
  return visit(index, 0, after_);
}

Count OmegaSteps::plus(Count a, std::uint64_t b) {
  if (a == kOmega) return kOmega;
  if (b <= kMostTokens - a) return a + static_cast<Count>(b);
  has_saturated_ = true;
  return kMostTokens;
}

Count OmegaSteps::passive_in(const Transition& t, std::uint32_t counter) const {
  Count present = values_[counter];
  for (const Touched& x : t.touched)
    if (x.counter == counter && present != kOmega) present -= x.take;
  return present;
}

bool OmegaSteps::divide(std::uint32_t index, std::span<const OmegaWord> before,
                        const Visit& visit) {
  return choose(
      index, 0, 0,
      movers_[index].empty() ? 0 : passive_in(system_.transitions[index], movers_[index][0].from),
      before, visit);
}

/// Lets the `left` threads of a source choose among its targets from number `target` on, then those
/// of the further sources.
bool OmegaSteps::choose(std::uint32_t index, std::size_t mover, std::size_t target, Count left,
                        std::span<const OmegaWord> before, const Visit& visit) {
  const Transition& t = system_.transitions[index];
  const std::vector<Mover>& movers = movers_[index];
  if (mover == movers.size()) {
    changes_.clear();
    for (const Redistribution& r : t.redistributed) {
      Count value = static_cast<Count>(r.constant);
      for (const OmegaFlow& flow : flows_)
        if (flow.to == r.counter) value = flow.count == kOmega ? kOmega : plus(value, flow.count);
      set_change(r.counter, value);
    }
    for (const Touched& x : t.touched) {
      const bool redistributed = std::ranges::any_of(
          t.redistributed, [&](const Redistribution& r) { return r.counter == x.counter; });
      if (redistributed) continue;
      const Count value = values_[x.counter];
      set_change(x.counter, value == kOmega ? kOmega : plus(value - x.take, x.give));
    }
    std::ranges::sort(changes_);
    merge(before);
    return visit(index, choice_++, after_);
  }
  const auto next = [&] {
    const bool last = mover + 1 == movers.size();
    return choose(index, mover + 1, 0, last ? 0 : passive_in(t, movers[mover + 1].from), before,
                  visit);
  };
  const Mover& m = movers[mover];
  const std::size_t size = flows_.size();
  if (left == kOmega) {
    for (const std::uint32_t to : m.targets) flows_.push_back({m.from, to, left});
    const bool go_on = next();
    flows_.resize(size);
    return go_on;
  }
  const bool is_last = target + 1 == m.targets.size();
  for (Count here = is_last ? left : 0; here <= left; ++here) {
    flows_.push_back({m.from, m.targets[target], here});
    const bool go_on =
        is_last ? next() : choose(index, mover, target + 1, left - here, before, visit);
    flows_.resize(size);
    if (!go_on) return false;
  }
  return true;
}

bool OmegaSteps::copy(std::uint32_t index, std::span<const OmegaWord> before, const Visit& visit) {
  const Transition& t = system_.transitions[index];
  changes_.clear();
  for (const Touched& x : t.touched) {
    const Count value = values_[x.counter];
    set_change(x.counter, value == kOmega ? kOmega : plus(value - x.take, x.give));
  }
  for (const Redistribution& r : t.redistributed) {
    Count value = r.constant > 0 ? static_cast<Count>(r.constant) : 0;
    for (const Source& source : r.sources) {
      const Count present = values_[source.counter];
      value = present == kOmega
                  ? kOmega
                  : plus(value, std::uint64_t{present} * std::uint64_t{source.weight});
    }
    if (r.constant < 0 && value != kOmega) {
      if (value < -r.constant) return true;
      value -= static_cast<Count>(-r.constant);
    }
    set_change(r.counter, value);
  }
  std::ranges::sort(changes_);
  merge(before);
  return visit(index, 0, after_);
}

void OmegaSteps::merge(std::span<const OmegaWord> before) {
  after_.clear();
  auto change = changes_.begin();
  for (const OmegaWord word : before) {
    for (; change != changes_.end() && change->first < counter_of(word); ++change)
      if (change->second > 0) after_.push_back(omega_word(change->first, change->second));
    if (change != changes_.end() && change->first == counter_of(word)) continue;
    after_.push_back(word);
  }
  for (; change != changes_.end(); ++change)
    if (change->second > 0) after_.push_back(omega_word(change->first, change->second));
}

}  // namespace heddle::coverability
