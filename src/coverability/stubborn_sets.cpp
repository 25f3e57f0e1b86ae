/// Stubborn sets (Valmari) that preserve whether a target can be covered.
///
/// Control states are counters that hold one token. A set S of transitions is stubborn in m if
///  1. for each target some counter that m lacks has all its producers in S;
///  2. for each t in S that is not enabled, some counter that t lacks has all its producers in S;
///  3. for each t in S that is enabled, everything that needs a counter that t decreases is in S.
///
/// Take any run from m to a target. By 1 it has a transition of S; let t be the first, after σ. By
/// 2 t is enabled in m: σ cannot produce what t would lack. By 3 nothing in σ needs what t takes,
/// so t can be taken first and σ then leads to the same configuration. So the run needs no more
/// steps after t than before, and a search that tries S alone finds a target wherever there is one.
///
/// A target with upper bounds is no different, since the configuration is the same: in 1, where m
/// exceeds a bound, all transitions that decrease the counter may take the place of the producers.
/// Nor is a condition: an inequality that does not hold in m is mended by those that increase its
/// sum; if all parts must hold, by those that mend one part that does not; if any part will do, by
/// those that mend some part.
///
/// That holds for ordinary transitions. A transfer does not commute with what it moves; systems
/// with transfers, resets or passive moves are searched in full. An ω is never lacking and never
/// decreased.

#include "coverability/stubborn_sets.hpp"

#include <algorithm>

namespace heddle::coverability {

StubbornSets::StubbornSets(const CounterSystem& system, const ExactBounds& bounds)
    : system_(system),
      is_ordinary_(std::ranges::all_of(system.transitions, &Transition::ordinary)),
      arcs_(system.transitions.size()),
      producers_(system.counters + system.controls),
      consumers_(system.counters + system.controls),
      decreasers_(system.counters + system.controls),
      target_bounds_(bounds.targets),
      target_conditions_(bounds.conditions),
      values_(system.counters + system.controls, 0),
      chosen_(system.transitions.size(), false),
      is_enabled_(system.transitions.size(), false) {
  if (!is_ordinary_) return;
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& t = system.transitions[i];
    for (const Touched& x : t.touched) arcs_[i].push_back({x.counter, x.take, x.give});
    if (system.controls > 1) {
      const bool stays = t.from == t.to;
      arcs_[i].push_back({system.counters + t.from, 1, stays ? 1U : 0U});
      if (!stays) arcs_[i].push_back({system.counters + t.to, 0, 1});
    }
    for (const Arc& arc : arcs_[i]) {
      if (arc.give > arc.take) producers_[arc.counter].push_back(i);
      if (arc.take > 0) consumers_[arc.counter].push_back(i);
      if (arc.take > arc.give) decreasers_[arc.counter].push_back(i);
    }
  }
  for (const TargetCondition& condition : target_conditions_)
    for_each_inequality(condition, [&](const TargetCondition& inequality) {
      std::vector<std::int64_t> change(system.transitions.size(), 0);
      for (const auto& [counter, weight] : inequality.terms) {
        for (const auto* list : {&producers_[counter], &decreasers_[counter]})
          for (const std::uint32_t t : *list)
            for (const Arc& arc : arcs_[t])
              if (arc.counter == counter)
                change[t] += weight * (std::int64_t{arc.give} - std::int64_t{arc.take});
      }
      raisers_.emplace_back();  // inequalities are numbered in this order
      for (std::uint32_t t = 0; t < change.size(); ++t)
        if (change[t] > 0) raisers_.back().push_back(t);
    });
}

bool StubbornSets::choose(Control control, std::span<const OmegaWord> vector,
                          std::span<const std::uint32_t> enabled) {
  if (!is_ordinary_ || enabled.size() < 2) return false;
  for (const std::uint32_t t : listed_) chosen_[t] = false;
  listed_.clear();
  for (const std::uint32_t t : enabled) is_enabled_[t] = true;
  left_out_ = enabled.size();
  for (const OmegaWord word : vector) values_[counter_of(word)] = count_of(word);
  values_[system_.counters + control] = 1;
  add_for_targets();
  for (std::size_t i = 0; i < listed_.size() && left_out_ > 0; ++i) close(listed_[i]);
  values_[system_.counters + control] = 0;
  for (const OmegaWord word : vector) values_[counter_of(word)] = 0;
  for (const std::uint32_t t : enabled) is_enabled_[t] = false;
  return left_out_ > 0;
}

void StubbornSets::add_for_targets() {
  for (std::size_t i = 0; i < system_.targets.size(); ++i) {
    const Demand& target = system_.targets[i];
    const std::vector<std::uint32_t>* fewest = nullptr;
    const auto consider = [&](const std::vector<std::uint32_t>& transitions) {
      if (!fewest || transitions.size() < fewest->size()) fewest = &transitions;
    };
    for (const auto& [counter, count] : target.counts)
      if (values_[counter] < count) consider(producers_[counter]);
    if (!target_bounds_.empty())
      for (const auto& [counter, most] : target_bounds_[i])
        if (values_[counter] > most) consider(decreasers_[counter]);
    const std::uint32_t control = system_.counters + target.control;
    if (!fewest && values_[control] == 0) consider(producers_[control]);
    if (!target_conditions_.empty() && !target_conditions_[i].holds(values_) &&
        (!fewest || menders(target_conditions_[i]) < fewest->size()))
      add_menders(target_conditions_[i]);
    else if (fewest)
      add_all(*fewest);
  }
}

std::size_t StubbornSets::menders(const TargetCondition& condition) const {
  if (condition.kind == TargetCondition::Kind::AtLeast) return raisers_[condition.number].size();
  const bool is_all = condition.kind == TargetCondition::Kind::All;
  std::size_t result = is_all ? SIZE_MAX : 0;
  for (const TargetCondition& part : condition.parts) {
    if (is_all && part.holds(values_)) continue;
    const std::size_t count = menders(part);
    result = is_all ? std::min(result, count) : result + count;
  }
  return result;
}

void StubbornSets::add_menders(const TargetCondition& condition) {
  if (condition.kind == TargetCondition::Kind::AtLeast) return add_all(raisers_[condition.number]);
  if (condition.kind == TargetCondition::Kind::Any) {
    for (const TargetCondition& part : condition.parts) add_menders(part);
    return;
  }
  const TargetCondition* cheapest = nullptr;
  std::size_t fewest = SIZE_MAX;
  for (const TargetCondition& part : condition.parts) {
    if (part.holds(values_)) continue;
    const std::size_t count = menders(part);
    if (cheapest && count >= fewest) continue;
    cheapest = &part;
    fewest = count;
  }
  if (cheapest) add_menders(*cheapest);
}

void StubbornSets::add(std::uint32_t transition) {
  if (chosen_[transition]) return;
  chosen_[transition] = true;
  left_out_ -= is_enabled_[transition] ? 1 : 0;
  listed_.push_back(transition);
}

void StubbornSets::add_all(const std::vector<std::uint32_t>& transitions) {
  for (const std::uint32_t t : transitions) add(t);
}

void StubbornSets::close(std::uint32_t transition) {
  const std::vector<std::uint32_t>* fewest = nullptr;
  for (const Arc& arc : arcs_[transition])
    if (values_[arc.counter] < arc.take)
      if (!fewest || producers_[arc.counter].size() < fewest->size())
        fewest = &producers_[arc.counter];
  if (fewest) return add_all(*fewest);
  for (const Arc& arc : arcs_[transition])
    if (arc.take > arc.give && values_[arc.counter] != kOmega) add_all(consumers_[arc.counter]);
}

}  // namespace heddle::coverability
