#include "engine/cutoff/unreachable_basis.hpp"

/// Let N be all thread states that are not reachable, as demands of one thread each, and V the
/// uncoverable basis. V ∪ N is closed under predecessors, up to V's invariants: V is; and a minimal
/// predecessor of a thread state (s, l) in N by a transition is its takers, or its takers with one
/// passive thread. If one of these is in N, the predecessor is above it. Otherwise (s, l) is what
/// makes them a candidate, so they are above V or excluded. No initial configuration is in it.
/// The same holds for the part of N that can be reached backward from the targets by such steps,
/// which is all that is needed; where a predecessor has several thread states in N, one is enough.
/// So a transition that keeps the control state and moves no passive threads matters only for the
/// states that it gives: its predecessors with (s, l) as a passive thread have (s, l) itself. In a
/// net that is every transition, which is why these are looked up by what they give.

#include <algorithm>
#include <map>
#include <set>

#include "engine/cutoff/candidates.hpp"

namespace heddle::engine::cutoff {

namespace {

using coverability::Demand;
using coverability::FamilyTransition;
using coverability::ThreadFamily;

class Closure {
 public:
  Closure(const ThreadFamily& family, const KnownStates& reachable)
      : family_(family), reachable_(reachable), into_(family.controls) {
    for (const FamilyTransition& t : family.transitions) {
      if (t.from != t.to || !t.passive.empty()) {
        into_[t.to].push_back(&t);
        continue;
      }
      for (const auto& give : t.give) giving_[{t.to, give.first}].push_back(&t);
    }
  }

  /// Some thread state of the demand that is not reachable, if there is one.
  void exclude(const Demand& demand) {
    const auto has = [&](const auto& test) {
      return std::ranges::find_if(demand.counts, test) != demand.counts.end();
    };
    if (has([&](const auto& e) { return found_.contains({demand.control, e.first}); })) return;
    for (const auto& [counter, count] : demand.counts) {
      if (reachable_.contains(demand.control, counter)) continue;
      found_.emplace(demand.control, counter);
      work_.emplace_back(demand.control, counter);
      return;
    }
  }

  std::set<std::pair<Control, std::uint32_t>> run() {
    while (!work_.empty()) {
      const auto [control, counter] = work_.back();
      work_.pop_back();
      for (const FamilyTransition* t : into_[control]) exclude_predecessors(*t, counter);
      if (const auto found = giving_.find({control, counter}); found != giving_.end())
        for (const FamilyTransition* t : found->second)
          exclude(demand_of(family_, *t, std::nullopt));
    }
    return std::move(found_);
  }

 private:
  void exclude_predecessors(const FamilyTransition& t, std::uint32_t counter) {
    const auto gives = [&](const auto& give) { return give.first == counter; };
    if (std::ranges::any_of(t.give, gives)) exclude(demand_of(family_, t, std::nullopt));
    for (const coverability::PassiveStep& step : t.passive)
      if (std::ranges::find(step.to, counter) != step.to.end())
        exclude(demand_of(family_, t, step.from));
    if (passive_targets(t, counter) == std::vector{counter})
      exclude(demand_of(family_, t, counter));
  }

  const ThreadFamily& family_;
  const KnownStates& reachable_;
  std::vector<std::vector<const FamilyTransition*>> into_;  ///< by control state
  std::map<std::pair<Control, std::uint32_t>, std::vector<const FamilyTransition*>> giving_;
  std::set<std::pair<Control, std::uint32_t>> found_;
  std::vector<std::pair<Control, std::uint32_t>> work_;
};

}  // namespace

answer::BackwardBasis unreachable_basis(const ThreadFamily& family, const KnownStates& reachable,
                                        const answer::BackwardBasis& uncoverable,
                                        const std::vector<Demand>& targets) {
  Closure closure(family, reachable);
  for (const Demand& target : targets) closure.exclude(target);
  const auto excluded = closure.run();
  answer::BackwardBasis basis{{}, uncoverable.relative_to};
  for (const model::Configuration& element : uncoverable.minimal) {
    const bool is_above = std::ranges::any_of(element.counts.entries(), [&](const auto& entry) {
      return excluded.contains({element.shared.value, entry.first.value});
    });
    if (!is_above) basis.minimal.push_back(element);
  }
  for (const auto& [control, counter] : excluded)
    basis.minimal.push_back({model::SharedState(control), {{model::Counter(counter), 1}}});
  std::sort(basis.minimal.begin(), basis.minimal.end());
  return basis;
}

}  // namespace heddle::engine::cutoff
