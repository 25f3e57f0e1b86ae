#include "check/backward_basis.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "check/cover_index.hpp"
#include "check/demand.hpp"
#include "check/invariants.hpp"
#include "check/predecessors.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::BackwardBasis;
using answer::CheckResult;
using answer::EvidenceStatus;
using base::Integer;
using model::Configuration;

using Problem = std::optional<CheckResult>;

Problem refuted(std::string why) { return CheckResult{EvidenceStatus::Refuted, std::move(why)}; }

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
bool is_small(const model::Task& task, const BackwardBasis& basis) {
  const auto small = [](const auto& part) { return is_small(part); };
  const auto small_target = [](const model::Region& target) {
    return is_small(model::least_element(target));
  };
  return std::ranges::all_of(basis.minimal, small) &&
         std::ranges::all_of(task.question.targets, small_target) &&
         model::visit_counting(
             [&](const auto& m) { return std::ranges::all_of(m.transitions, small); }, task.model);
}

Problem check_form(const model::Task& task, const BackwardBasis& basis) {
  for (const Configuration& element : basis.minimal)
    if (const auto found = misfit(task.model, element)) return refuted("the basis names " + *found);
  for (const answer::Invariant& invariant : basis.relative_to)
    if (const auto found = misfit(task.model, invariant))
      return refuted("an invariant names " + *found);
  return std::nullopt;
}

Problem check_invariants(const model::Task& task, const BackwardBasis& basis) {
  for (std::size_t i = 0; i < basis.relative_to.size(); ++i)
    if (const auto why = why_not_inductive(task, basis.relative_to[i]))
      return refuted("invariant " + std::to_string(i) + " " + *why);
  return std::nullopt;
}

Problem check_initial(const model::Task& task, const BackwardBasis& basis) {
  for (const Configuration& element : basis.minimal)
    for (const model::Region& region : task.question.initial)
      if (const auto bad = model::least_initial_covering(region, element))
        return refuted("the initial configuration " + model::to_string(task.model, *bad) +
                       " covers " + model::to_string(task.model, element) + " of the basis");
  return std::nullopt;
}

template <class Amount>
class Proof {
 public:
  Proof(const model::Task& task, const BackwardBasis& basis, base::RunContext& context)
      : task_(task),
        context_(context),
        elements_(basis.minimal.begin(), basis.minimal.end()),
        index_(elements_, model::shared_count(task.model)),
        exclusion_(basis.relative_to),
        predecessors_(model::visit_counting(
            [](const auto& m) { return make_predecessors<Amount>(m); }, task.model)) {}

  Problem check_targets() {
    for (const model::Region& target : task_.question.targets) {
      const Configuration least = model::least_element(target);
      if (!is_accounted_for(Demand<Amount>(least)))
        return refuted("the target " + model::target_to_string(task_.model, target) +
                       " is not in the basis");
    }
    return std::nullopt;
  }

  /// An element that the invariants exclude needs no look at its predecessors: whatever lies above
  /// it violates an inductive invariant, so what steps there violates it already.
  Problem check_closure() {
    for (const Demand<Amount>& element : elements_) {
      if (exclusion_.excludes(element)) continue;
      for (const std::uint32_t transition : predecessors_->candidates(element))
        if (auto problem = check_step(element, transition)) return problem;
    }
    return std::nullopt;
  }

 private:
  bool is_accounted_for(const Demand<Amount>& demand) {
    return index_.contains(demand) || exclusion_.excludes(demand);
  }

  Problem check_step(const Demand<Amount>& element, std::uint32_t transition) {
    Problem problem = stopped();
    if (problem) return problem;
    bool is_first = true;
    predecessors_->for_each(transition, element, [&](const Demand<Amount>& p) {
      if (!std::exchange(is_first, false)) problem = stopped();
      if (!problem && !p.covers(element) && !is_accounted_for(p))
        problem = refuted("transition " + std::to_string(transition) + " leads from " +
                          model::to_string(task_.model, p.configuration()) + " to above " +
                          model::to_string(task_.model, element.configuration()) +
                          ", but the former is not in the basis");
      return !problem;
    });
    return problem;
  }

  Problem stopped() {
    const auto reason = context_.step();
    if (!reason) return std::nullopt;
    return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*reason))};
  }

  const model::Task& task_;
  base::RunContext& context_;
  std::vector<Demand<Amount>> elements_;
  CoverIndex<Amount> index_;
  Exclusion exclusion_;
  std::unique_ptr<Predecessors<Amount>> predecessors_;
};

template <class Amount>
Problem check_proof(const model::Task& task, const BackwardBasis& basis,
                    base::RunContext& context) {
  Proof<Amount> proof(task, basis, context);
  if (auto problem = proof.check_targets()) return problem;
  return proof.check_closure();
}

std::string confirmation(const BackwardBasis& basis) {
  const std::size_t size = basis.minimal.size();
  std::string text = std::to_string(size) + " minimal configuration" + (size == 1 ? "" : "s") +
                     ": targets inside, initial ones outside, closed under predecessors";
  if (const std::size_t n = basis.relative_to.size(); n > 0)
    text += " relative to " + std::to_string(n) + (n == 1 ? " invariant" : " invariants");
  return text;
}

}  // namespace

CheckResult check_backward_basis(const model::Task& task, const BackwardBasis& basis,
                                 base::RunContext& context) {
  if (auto problem = check_form(task, basis)) return *problem;
  if (auto problem = check_invariants(task, basis)) return *problem;
  if (auto problem = check_initial(task, basis)) return *problem;
  auto problem = is_small(task, basis) ? check_proof<MachineAmount>(task, basis, context)
                                       : check_proof<Integer>(task, basis, context);
  if (problem) return *problem;
  return {EvidenceStatus::Confirmed, confirmation(basis)};
}

}  // namespace heddle::check
