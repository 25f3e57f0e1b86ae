/// Shared states are counters that hold one token. Let all transitions have a constant effect, and
/// let v be a configuration, perhaps with ω, that covers no target. A set S of transitions is
/// *stubborn* in v if
///  1. every target asks for more than v has of some counter all of whose producers are in S, or
///     (if v stands for itself alone) for less, and all that decrease the counter are in S, or for
///     a condition that S guards: an inequality that does not hold in v such that all transitions
///     that increase its sum are in S; a conjunction of which S guards some part; a disjunction of
///     which S guards every part (so that none of them can come to hold without S);
///  2. every t in S that is not enabled in v needs more of such a counter than v has;
///  3. for every t in S that is enabled in v and every counter that t decreases and that is not ω
///     in v, all transitions that need this counter are in S.
///
/// Claim: if a run of k steps leads from v to a target, so does one of k steps that begins with a
/// member of S that is enabled in v. The run contains a member of S, since by 1 the others do not
/// lead to the target. Let t be the first, σ what comes before it. By 2 t is enabled in v: what it
/// would lack is not produced in σ. By 3 nothing in σ needs a counter that t decreases (or there is
/// any number), so σ can be taken after t as well, and leads to the same.
///
/// Hence, if a set of such v has an element above each successor of v by a member of S (or equal to
/// it, if each v stands for itself alone), for every v and an S of its own, no target can be
/// reached from it: a shortest run from an element to a target would leave a shorter one, from the
/// element above its second configuration.
///
/// Existence. Conditions 2 and 3 ask a member that further ones are in S, so a union of sets that
/// meet them meets them. Hence there is a greatest such set without given transitions: take these
/// away, then whatever violates 2 or 3, until nothing does. Condition 1 holds for some of the sets
/// if and only if it holds for the greatest.

#include "check/counting/stubborn_condition.hpp"

#include <algorithm>

namespace heddle::check {

using base::Integer;

StubbornCondition::StubbornCondition(const model::CountingTask& task, About about)
    : counters_(static_cast<std::uint32_t>(model::counter_count(task.model))), about_(about) {
  std::visit(
      [&](const auto& m) {
        for (const auto& t : m.transitions) add(t);
      },
      task.model);
  if (!applies_) return;
  const std::size_t all = counters_ + model::shared_count(task.model);
  producers_.resize(all);
  consumers_.resize(all);
  values_.resize(all);
  is_enabled_.resize(arcs_.size());
  index_arcs();
  raised_by_.resize(arcs_.size());
  for (const model::Region& target : task.question.targets) {
    Target bounds{{{counters_ + target.shared.value, 1}}, {}};
    for (const model::CounterBound& bound : target.bounds) {
      bounds.lower.emplace_back(bound.counter.value, bound.lower);
      if (about == About::Exact && bound.upper)
        bounds.upper.emplace_back(bound.counter.value, *bound.upper);
    }
    if (about == About::Exact && !target.condition.is_true())
      bounds.condition = numbered(target.condition);
    targets_.push_back(std::move(bounds));
  }
}

void StubbornCondition::add(const model::ThreadTransition& t) {
  applies_ = applies_ && t.has_constant_effect();
  std::vector<Arc> arcs;
  const auto put = [&](std::uint32_t counter, int take, int give) {
    const auto it = std::ranges::find(arcs, counter, &Arc::counter);
    if (it == arcs.end()) {
      arcs.push_back({counter, take, give});
    } else {
      it->take += take;
      it->give += give;
    }
  };
  put(t.source.local.value, 1, t.kind == model::StepKind::Spawn ? 1 : 0);
  put(t.target.local.value, 0, 1);
  put(counters_ + t.source.shared.value, 1, 0);
  put(counters_ + t.target.shared.value, 0, 1);
  arcs_.push_back(std::move(arcs));
}

void StubbornCondition::add(const model::PetriTransition& t) {
  applies_ = applies_ && (about_ == About::Covers || model::is_monotone(t));
  std::vector<Arc> arcs;
  for (const model::CounterBound& bound : t.guard)
    arcs.push_back({bound.counter.value, bound.lower, bound.lower});
  for (const model::PlaceUpdate& update : t.updates) {
    applies_ = applies_ && update.is_shift();
    auto it = std::ranges::find(arcs, update.place.value, &Arc::counter);
    if (it == arcs.end()) it = arcs.insert(it, {update.place.value, 0, 0});
    it->take = std::max<Integer>(it->take, -update.constant);
    it->give = it->take + update.constant;
  }
  arcs_.push_back(std::move(arcs));
}

void StubbornCondition::index_arcs() {
  for (std::uint32_t i = 0; i < arcs_.size(); ++i)
    for (const Arc& arc : arcs_[i]) {
      if (arc.give > arc.take) producers_[arc.counter].push_back(i);
      if (arc.take > 0) consumers_[arc.counter].push_back(i);
    }
}

StubbornCondition::Part StubbornCondition::numbered(const model::Condition& condition) {
  Part out{&condition};
  for (const model::Condition& part : condition.parts) out.parts.push_back(numbered(part));
  if (condition.kind != model::Condition::Kind::AtLeast) return out;
  out.number = missing_raisers_.size();
  missing_raisers_.push_back(0);
  for (std::uint32_t t = 0; t < arcs_.size(); ++t) {
    Integer change = 0;
    for (const Arc& arc : arcs_[t]) {
      const auto term = std::ranges::lower_bound(condition.terms, model::PlaceId(arc.counter), {},
                                                 &model::WeightedPlace::place);
      if (term != condition.terms.end() && term->place.value == arc.counter)
        change += term->weight * (arc.give - arc.take);
    }
    if (change > 0) raised_by_[t].push_back(static_cast<std::uint32_t>(out.number));
  }
  return out;
}

void StubbornCondition::place(model::SharedState shared, const Value& value) {
  static const Integer kNoToken = 0, kOneToken = 1;
  for (std::uint32_t c = 0; c < counters_; ++c) values_[c] = value(c);
  for (std::size_t c = counters_; c < values_.size(); ++c) values_[c] = &kNoToken;
  values_[counters_ + shared.value] = &kOneToken;
  for (std::uint32_t t = 0; t < arcs_.size(); ++t)
    is_enabled_[t] = std::ranges::none_of(
        arcs_[t], [&](const Arc& arc) { return lacks(arc.counter, arc.take); });
}

bool StubbornCondition::lacks(std::uint32_t counter, const Integer& wanted) const {
  return values_[counter] && *values_[counter] < wanted;
}

bool StubbornCondition::exceeds(std::uint32_t counter, const Integer& most) const {
  return values_[counter] && *values_[counter] > most;
}

bool StubbornCondition::is_out_of_reach(const Target& target) const {
  return std::ranges::any_of(target.lower,
                             [&](const auto& bound) {
                               return lacks(bound.first, bound.second) &&
                                      missing_producers_[bound.first] == 0;
                             }) ||
         std::ranges::any_of(target.upper,
                             [&](const auto& bound) {
                               return exceeds(bound.first, bound.second) &&
                                      missing_decreasers_[bound.first] == 0;
                             }) ||
         (target.condition && is_out_of_reach(*target.condition));
}

bool StubbornCondition::is_out_of_reach(const Part& part) const {
  const auto is_out = [&](const Part& inner) { return is_out_of_reach(inner); };
  switch (part.condition->kind) {
    case model::Condition::Kind::All: return std::ranges::any_of(part.parts, is_out);
    case model::Condition::Kind::Any: return std::ranges::all_of(part.parts, is_out);
    case model::Condition::Kind::AtLeast: break;
  }
  Integer sum = 0;
  for (const auto& [place, weight] : part.condition->terms) {
    if (!values_[place.index()]) return false;
    sum += weight * *values_[place.index()];
  }
  return sum < part.condition->least && missing_raisers_[part.number] == 0;
}

bool StubbornCondition::stays_disabled(std::uint32_t transition) const {
  return std::ranges::any_of(arcs_[transition], [&](const Arc& arc) {
    return lacks(arc.counter, arc.take) && missing_producers_[arc.counter] == 0;
  });
}

bool StubbornCondition::decreases(std::uint32_t transition, std::uint32_t counter) const {
  return values_[counter] && std::ranges::any_of(arcs_[transition], [&](const Arc& arc) {
           return arc.counter == counter && arc.take > arc.give;
         });
}

void StubbornCondition::remove(std::uint32_t transition) {
  if (!is_member_[transition]) return;
  is_member_[transition] = false;
  removed_.push_back(transition);
}

void StubbornCondition::remove_next() {
  const std::uint32_t gone = removed_.back();
  removed_.pop_back();
  for (const std::uint32_t inequality : raised_by_[gone]) ++missing_raisers_[inequality];
  for (const Arc& arc : arcs_[gone]) {
    if (arc.take > arc.give) ++missing_decreasers_[arc.counter];
    if (arc.give > arc.take && missing_producers_[arc.counter]++ == 0)
      for (const std::uint32_t t : consumers_[arc.counter])
        if (!is_enabled_[t] && !stays_disabled(t)) remove(t);
    if (arc.take > 0 && missing_consumers_[arc.counter]++ == 0)
      for (const std::uint32_t t : consumers_[arc.counter])
        if (is_enabled_[t] && decreases(t, arc.counter)) remove(t);
  }
}

bool StubbornCondition::holds(model::SharedState shared, const Value& value,
                              const std::vector<bool>& followed) {
  place(shared, value);
  is_member_.assign(arcs_.size(), true);
  missing_producers_.assign(values_.size(), 0);
  missing_consumers_.assign(values_.size(), 0);
  missing_decreasers_.assign(values_.size(), 0);
  std::ranges::fill(missing_raisers_, 0);
  for (std::uint32_t t = 0; t < arcs_.size(); ++t)
    if (is_enabled_[t] && !followed[t]) remove(t);
  while (!removed_.empty()) remove_next();
  return std::ranges::all_of(targets_,
                             [&](const Target& target) { return is_out_of_reach(target); });
}

}  // namespace heddle::check
