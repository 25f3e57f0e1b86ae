#include "check/cutoff/cutoff.hpp"

#include <algorithm>
#include <tuple>

#include "check/certificates.hpp"
#include "check/counting/demand.hpp"
#include "check/counting/invariants.hpp"
#include "check/cutoff/cutoff_steps.hpp"
#include "check/cutoff/net_as_threads.hpp"
#include "check/kinds.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::Cutoff;
using answer::EvidenceStatus;
using model::Configuration;

Problem check_model(const model::ThreadSystem&) { return std::nullopt; }

Problem check_model(const model::PetriNet& net) {
  for (const model::PetriTransition& t : net.transitions) {
    if (!model::is_monotone(t)) return refuted("the net is not monotone");
    if (!std::ranges::all_of(t.updates, &model::PlaceUpdate::is_shift))
      return refuted("the net moves or drops all tokens of a place: it has no thread count");
  }
  return std::nullopt;
}

Problem check_list(const model::CountingTask& task, const Cutoff& cutoff) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < cutoff.reachable.size(); ++i) {
    const answer::ReachedState& r = cutoff.reachable[i];
    if (const auto found = mismatch(task.model, {r.state.shared, {{r.state.local, 1}}}))
      return refuted("the list of thread states names " + *found);
    if (i > 0 && !(cutoff.reachable[i - 1].state < r.state))
      return refuted("the list of thread states is not sorted");
    most = std::max(most, r.threads);
  }
  if (most != cutoff.threads)
    return refuted("the cutoff should be the greatest thread count of the list, " +
                   std::to_string(most) + ", but is claimed to be " +
                   std::to_string(cutoff.threads));
  return std::nullopt;
}

Problem check_initial(const model::CountingTask& task, const ReachedStates& reached) {
  for (const model::Region& region : task.question.initial)
    for (const model::CounterBound& bound : region.bounds)
      if ((!bound.upper || *bound.upper > 0) &&
          !reached.contains(region.shared.value, bound.counter.value))
        return refuted("the initial thread state " +
                       state_name(task.model, {region.shared, bound.counter}) + " is not listed");
  return std::nullopt;
}

auto key_of(const answer::UnrealizableCandidate& c) {
  return std::tuple(c.transition, c.passive, c.missing);
}

Problem check_reason(const model::CountingTask& task, const Cutoff& cutoff,
                     const DerivedCandidate& derived, const answer::UnrealizableCandidate& listed,
                     const Exclusion& exclusion) {
  const auto name = [&] { return model::to_string(task.model, derived.demand); };
  if (!listed.excluded_by) {
    if (exclusion.excludes(Demand<base::Integer>(derived.demand))) return std::nullopt;
    return refuted("no reason is given why " + name() + " is not covered");
  }
  const auto& minimal = cutoff.uncoverable.minimal;
  if (*listed.excluded_by < minimal.size() && derived.demand.covers(minimal[*listed.excluded_by]))
    return std::nullopt;
  return refuted("element " + std::to_string(*listed.excluded_by) + " of the basis is not below " +
                 name());
}

/// Are the listed candidates those that the model has?
Problem check_candidates(const model::CountingTask& task, const Cutoff& cutoff,
                         const std::vector<DerivedCandidate>& derived) {
  const Exclusion exclusion(cutoff.uncoverable.relative_to);
  for (std::size_t i = 0; i < derived.size(); ++i) {
    const auto& expected = derived[i].candidate;
    if (i >= cutoff.candidates.size() || key_of(cutoff.candidates[i]) != key_of(expected))
      return refuted("the candidate of transition " + std::to_string(expected.transition.value) +
                     " for " + state_name(task.model, expected.missing) + " is not listed");
    if (auto problem = check_reason(task, cutoff, derived[i], cutoff.candidates[i], exclusion))
      return problem;
  }
  if (cutoff.candidates.size() > derived.size())
    return refuted("the last candidate listed, of transition " +
                   std::to_string(cutoff.candidates.back().transition.value) +
                   ", is not a candidate");
  return std::nullopt;
}

/// No candidate's demand can be covered.
Problem check_basis(const model::CountingTask& task, const Cutoff& cutoff,
                    const std::vector<DerivedCandidate>& derived, base::RunContext& context) {
  model::CountingTask asked{task.model, {task.question.initial, {}}};
  std::vector<Configuration> demands;
  for (const DerivedCandidate& candidate : derived) demands.push_back(candidate.demand);
  std::sort(demands.begin(), demands.end());
  demands.erase(std::unique(demands.begin(), demands.end()), demands.end());
  for (const Configuration& demand : demands) {
    model::Region region{demand.shared, {}};
    for (const auto& [counter, count] : demand.counts.entries())
      region.bounds.push_back({counter, count, std::nullopt});
    asked.question.targets.push_back(std::move(region));
  }
  CheckResult result = check_certificate(asked, cutoff.uncoverable, context);
  if (result.status == EvidenceStatus::Confirmed) return std::nullopt;
  result.why = "the basis: " + result.why;
  return result;
}

/// The set of the proof is R, the listed thread states; what is excluded at its end is that fewer
/// threads reach them.
class CutoffCheck {
 public:
  CutoffCheck(const model::CountingTask& task, const Cutoff& cutoff, base::RunContext& context)
      : task_(task), cutoff_(cutoff), context_(context) {}

  Problem well_formed() {
    return std::visit([&](const auto& model) { return check_question(model); }, task_.model);
  }

  template <class Model>
  Problem check_question(const Model& model) {
    if (auto problem = check_model(model)) return problem;
    if (const auto found = mismatch(model, task_.question))
      return refuted("the question names " + *found);
    return check_list(task_, cutoff_);
  }

  NotNeeded keeps_to_its_scope() const { return "a list of thread states has nothing else in it"; }

  /// R has the initial thread states, and nothing that is not reached by so many threads.
  Problem contains_beginning() {
    if (auto problem = check_witnesses(task_, cutoff_, context_)) return problem;
    reached_.emplace(cutoff_.reachable);
    return check_initial(task_, *reached_);
  }

  Problem is_closed() {
    std::vector<DerivedCandidate> derived;
    if (auto problem = derive_candidates(task_, *reached_, context_, derived)) return problem;
    if (auto problem = check_basis(task_, cutoff_, derived, context_)) return problem;
    return check_candidates(task_, cutoff_, derived);
  }

  Problem excludes_end() { return check_minimality(task_, cutoff_, *reached_, context_); }

  std::string confirmation() const {
    using base::counted;
    std::string text =
        counted(cutoff_.reachable.size(), "thread state") + " with witnesses, closed under steps";
    if (!cutoff_.candidates.empty())
      text += " except for " + counted(cutoff_.candidates.size(), "candidate") +
              " proved unreachable (" +
              counted(cutoff_.uncoverable.minimal.size(), "minimal element") + ")";
    return text + "; fewer threads are not enough";
  }

 private:
  const model::CountingTask& task_;
  const Cutoff& cutoff_;
  base::RunContext& context_;
  std::optional<ReachedStates> reached_;
};

}  // namespace

CheckResult check_cutoff(const model::CountingTask& task, const Cutoff& cutoff,
                         base::RunContext& context) {
  return prove(CutoffCheck(task, cutoff, context));
}

CheckResult check_cutoff_of_net(const model::NetTask& net, const model::ThreadTask& threads,
                                const Cutoff& cutoff, base::RunContext& context) {
  if (const auto difference = why_not_the_net(net, threads))
    return *refuted("the thread system is not the net: " + *difference);
  CheckResult result = check_cutoff(threads, cutoff, context);
  if (result.status == EvidenceStatus::Confirmed)
    result.why += "; the steps of the thread system are those of the net";
  return result;
}

}  // namespace heddle::check
