#include <algorithm>
#include <tuple>

#include "check/cutoff/cutoff_steps.hpp"

namespace heddle::check {

namespace {

using answer::UnrealizableCandidate;
using model::Configuration;
using model::Counter;
using model::ThreadState;

const std::vector<Counter> kNobody;

class Derivation {
 public:
  Derivation(const model::CountingModel& model, const ReachedStates& reached,
             std::vector<DerivedCandidate>& found)
      : model_(model), reached_(reached), found_(found) {}

  /// The steps of a thread: where it and its child go, and where the others are left or moved to.
  Problem look_at(model::TransitionId id, const model::ThreadTransition& t) {
    using enum model::StepKind;
    const bool active = t.kind != Transfer;
    if (active && !reached_.contains(t.source.shared.value, t.source.local.value))
      return std::nullopt;
    Configuration takers{t.source.shared, {}};
    if (active) takers.counts.add(t.source.local, 1);
    if (active)
      if (auto problem = lead(id, takers, std::nullopt, t.target)) return problem;
    if (t.kind == Spawn)
      if (auto problem = lead(id, takers, std::nullopt, {t.target.shared, t.source.local}))
        return problem;
    for (const Counter passive : reached_.locals(t.source.shared)) {
      Configuration demand = takers;
      demand.counts.add(passive, 1);
      for (const Counter target : targets_of(t, passive))
        if (auto problem = lead(id, demand, passive, {t.target.shared, target})) return problem;
    }
    return std::nullopt;
  }

  /// A rule: tokens are taken together, and what stays stays in the same shared state.
  Problem look_at(model::TransitionId id, const model::PetriTransition& t) {
    Configuration takers{model::SharedState(0u), {}};
    for (const model::CounterBound& bound : t.guard)
      if (bound.lower > 0) takers.counts.set(bound.counter, bound.lower);
    for (const model::PlaceUpdate& update : t.updates)
      if (-update.constant > takers.counts[update.place])
        takers.counts.set(update.place, -update.constant);
    for (const auto& [place, count] : takers.counts.entries())
      if (!reached_.contains(0, place.value)) return std::nullopt;
    for (const model::PlaceUpdate& update : t.updates)
      if (takers.counts[update.place] + update.constant > 0)
        if (auto problem = lead(id, takers, std::nullopt, {model::SharedState(0u), update.place}))
          return problem;
    return std::nullopt;
  }

 private:
  static std::vector<Counter> targets_of(const model::ThreadTransition& t, Counter passive) {
    if (t.kind == model::StepKind::Transfer)
      return {passive == t.source.local ? t.target.local : passive};
    if (t.kind == model::StepKind::Spawn) return {passive};
    return model::passive_targets(t, passive);
  }

  /// Reachable thread states, if they come together, lead to `to`.
  Problem lead(model::TransitionId id, const Configuration& demand, std::optional<Counter> passive,
               const ThreadState& to) {
    if (reached_.contains(to.shared.value, to.local.value)) return std::nullopt;
    if (demand.counts.total() <= 1)
      return refuted("transition " + std::to_string(id.value) + " leads from " +
                     model::to_string(model_, demand) + " to " + state_name(model_, to) +
                     ", which is not listed");
    found_.push_back({UnrealizableCandidate{id, passive, to, std::nullopt}, demand});
    return std::nullopt;
  }

  const model::CountingModel& model_;
  const ReachedStates& reached_;
  std::vector<DerivedCandidate>& found_;
};

}  // namespace

ReachedStates::ReachedStates(const std::vector<answer::ReachedState>& reachable) {
  for (const answer::ReachedState& r : reachable) {
    if (r.state.shared.index() >= locals_.size()) locals_.resize(r.state.shared.index() + 1);
    locals_[r.state.shared.index()].push_back(r.state.local);
  }
}

bool ReachedStates::contains(std::uint32_t shared, std::uint32_t local) const {
  return shared < locals_.size() && std::ranges::binary_search(locals_[shared], Counter(local));
}

const std::vector<Counter>& ReachedStates::locals(model::SharedState shared) const {
  return shared.index() < locals_.size() ? locals_[shared.index()] : kNobody;
}

Problem derive_candidates(const model::CountingTask& task, const ReachedStates& reached,
                          base::RunContext& context, std::vector<DerivedCandidate>& found) {
  Derivation derivation(task.model, reached, found);
  const auto all = [&](const auto& model) -> Problem {
    for (std::size_t i = 0; i < model.transitions.size(); ++i) {
      if (auto problem = count_step(context)) return problem;
      if (auto problem = derivation.look_at(model::TransitionId(i), model.transitions[i]))
        return problem;
    }
    return std::nullopt;
  };
  if (auto problem = std::visit(all, task.model)) return problem;
  const auto key = [](const DerivedCandidate& derived) {
    const UnrealizableCandidate& c = derived.candidate;
    return std::tuple(c.transition, c.passive, c.missing);
  };
  std::ranges::sort(found, {}, key);
  const auto repeated = std::ranges::unique(found, {}, key);
  found.erase(repeated.begin(), repeated.end());
  return std::nullopt;
}

}  // namespace heddle::check
