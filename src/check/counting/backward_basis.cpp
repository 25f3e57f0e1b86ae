/// Proves that a backward basis U shows that no target can be reached.
///
/// With Inv the configurations that satisfy all of the basis's invariants, it shows:
///
///   0. elements and invariants name counters and shared states that exist;
///   1. every invariant holds initially and every step keeps it: all that is reachable is in Inv;
///   2. the least element of each target region lies in ↑U, or ↑ of it misses Inv;
///   3. no initial configuration lies in ↑U;
///   4. for every u in U such that ↑u does not miss Inv, and every transition, each minimal
///      predecessor p of ↑u lies in ↑U, or ↑p misses Inv.
///
/// That suffices. Suppose c0 → c1 → … → cn leads from an initial configuration into a target. All
/// ci are in Inv. cn is above the least element of the target's region, which does not miss Inv, so
/// cn is in ↑U. If c(i+1) is in ↑u for some u ∈ U, then ↑u does not miss Inv, ci is above a minimal
/// predecessor of ↑u, and what is above that does not miss Inv either: ci is in ↑U. Hence c0 is in
/// ↑U, against 3. (Upper bounds of targets only make the region smaller; those of guards only
/// remove steps.)
///
/// An element speaks about a shared state and counts, and an invariant about what its model has;
/// that is their form, so there is no further scope to keep to.

#include <algorithm>
#include <optional>
#include <string>

#include "check/certificates.hpp"
#include "check/counting/cover_index.hpp"
#include "check/counting/demand.hpp"
#include "check/counting/invariants.hpp"
#include "check/counting/predecessors.hpp"
#include "check/proof.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::BackwardBasis;
using answer::CheckResult;
using base::Integer;
using model::Configuration;

bool is_small(const Integer& value) { return abs(value) <= Integer(kGreatestMachineInput); }

bool is_small(const model::ThreadTransition&) { return true; }

bool is_small(const model::PetriTransition& t) {
  const auto small_source = [](const model::WeightedPlace& w) { return is_small(w.weight); };
  const auto small_update = [&](const model::PlaceUpdate& update) {
    return is_small(update.constant) && std::ranges::all_of(update.sources, small_source);
  };
  const auto small_bound = [](const model::CounterBound& bound) {
    return is_small(bound.lower) && (!bound.upper || is_small(*bound.upper));
  };
  return std::ranges::all_of(t.guard, small_bound) && std::ranges::all_of(t.updates, small_update);
}

bool is_small(const Configuration& configuration) {
  return std::ranges::all_of(configuration.counts.entries(),
                             [](const auto& entry) { return is_small(entry.second); });
}

/// Do machine words do for this check? (See demand.hpp.)
bool is_small(const model::CountingTask& task, const BackwardBasis& basis) {
  const auto small = [](const auto& part) { return is_small(part); };
  const auto small_target = [](const model::Region& target) {
    return is_small(model::least_element(target));
  };
  return std::ranges::all_of(basis.minimal, small) &&
         std::ranges::all_of(task.question.targets, small_target) &&
         std::visit([&](const auto& m) { return std::ranges::all_of(m.transitions, small); },
                    task.model);
}

template <class Amount>
class BasisCheck {
 public:
  BasisCheck(const model::CountingTask& task, const BackwardBasis& basis, base::RunContext& context)
      : task_(task), basis_(basis), context_(context) {}

  Problem well_formed() {
    for (const Configuration& element : basis_.minimal)
      if (const auto found = mismatch(task_.model, element))
        return refuted("the basis names " + *found);
    for (const answer::Invariant& invariant : basis_.relative_to)
      if (const auto found = mismatch(task_.model, invariant))
        return refuted("an invariant names " + *found);
    parts_.emplace(task_.model, basis_);
    return std::nullopt;
  }

  NotNeeded keeps_to_its_scope() const {
    return "elements have a shared state and counts and nothing else";
  }

  /// Invariants are shown to hold initially and to be closed in one go.
  Problem contains_beginning() {
    for (std::size_t i = 0; i < basis_.relative_to.size(); ++i)
      if (const auto why = why_not_inductive(task_, basis_.relative_to[i]))
        return refuted("invariant " + std::to_string(i) + " " + *why);
    for (const Configuration& element : basis_.minimal)
      for (const model::Region& region : task_.question.initial)
        if (const auto bad = model::least_initial_covering(region, element))
          return refuted("the initial configuration " + model::to_string(task_.model, *bad) +
                         " covers " + model::to_string(task_.model, element) + " of the basis");
    return std::nullopt;
  }

  /// An element that the invariants exclude needs no look at its predecessors: whatever lies above
  /// it violates an inductive invariant, so what steps there violates it already.
  Problem is_closed() {
    for (const Demand<Amount>& element : parts_->elements) {
      if (parts_->exclusion.excludes(element)) continue;
      for (const std::uint32_t transition : parts_->predecessors->candidates(element))
        if (auto problem = check_step(element, transition)) return problem;
    }
    return std::nullopt;
  }

  Problem excludes_end() {
    for (const model::Region& target : task_.question.targets) {
      const Configuration least = model::least_element(target);
      if (!is_accounted_for(Demand<Amount>(least)))
        return refuted("the target " + model::target_to_string(task_.model, target) +
                       " is not in the basis");
    }
    return std::nullopt;
  }

  std::string confirmation() const {
    std::string text =
        "the set contains every target, no initial state, and all its predecessors (" +
        base::counted(basis_.minimal.size(), "minimal element");
    if (!basis_.relative_to.empty())
      text += ", relative to " + base::counted(basis_.relative_to.size(), "invariant");
    return text + ")";
  }

 private:
  /// What is made of a basis that is well formed.
  struct Parts {
    Parts(const model::CountingModel& model, const BackwardBasis& basis)
        : elements(basis.minimal.begin(), basis.minimal.end()),
          index(elements, model::shared_count(model)),
          exclusion(basis.relative_to),
          predecessors(
              std::visit([](const auto& m) { return make_predecessors<Amount>(m); }, model)) {}

    std::vector<Demand<Amount>> elements;
    CoverIndex<Amount> index;
    Exclusion exclusion;
    std::unique_ptr<Predecessors<Amount>> predecessors;
  };

  bool is_accounted_for(const Demand<Amount>& demand) {
    return parts_->index.contains(demand) || parts_->exclusion.excludes(demand);
  }

  Problem check_step(const Demand<Amount>& element, std::uint32_t transition) {
    Problem problem = count_step(context_);
    if (problem) return problem;
    bool is_first = true;
    parts_->predecessors->for_each(transition, element, [&](const Demand<Amount>& p) {
      if (!std::exchange(is_first, false)) problem = count_step(context_);
      if (!problem && !p.covers(element) && !is_accounted_for(p))
        problem = refuted("transition " + std::to_string(transition) + " leads from " +
                          model::to_string(task_.model, p.configuration()) + " to above " +
                          model::to_string(task_.model, element.configuration()) +
                          ", but the former is not in the basis");
      return !problem;
    });
    return problem;
  }

  const model::CountingTask& task_;
  const BackwardBasis& basis_;
  base::RunContext& context_;
  std::optional<Parts> parts_;
};

}  // namespace

CheckResult check_certificate(const model::CountingTask& task, const BackwardBasis& basis,
                              base::RunContext& context) {
  if (is_small(task, basis)) return prove(BasisCheck<MachineAmount>(task, basis, context));
  return prove(BasisCheck<Integer>(task, basis, context));
}

}  // namespace heddle::check
