#include "check/cutoff.hpp"

#include <algorithm>
#include <tuple>

#include "check/backward_basis.hpp"
#include "check/cutoff_parts.hpp"
#include "check/demand.hpp"
#include "check/invariants.hpp"
#include "check/net_as_threads.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::Cutoff;
using answer::EvidenceStatus;
using model::Configuration;

CutoffProblem check_model(const model::Model& model) {
  if (!model::is_counting(model))
    return cutoff_refuted("a " + model::kind_name(model) + " has no thread count");
  const auto* net = std::get_if<model::PetriNet>(&model);
  if (!net) return std::nullopt;
  for (const model::PetriTransition& t : net->transitions) {
    if (!model::is_monotone(t)) return cutoff_refuted("the net is not monotone");
    if (!std::ranges::all_of(t.updates, &model::PlaceUpdate::is_shift))
      return cutoff_refuted("the net moves or drops all tokens of a place: it has no thread count");
  }
  return std::nullopt;
}

CutoffProblem check_form(const model::Task& task, const Cutoff& cutoff) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < cutoff.reachable.size(); ++i) {
    const answer::ReachedState& r = cutoff.reachable[i];
    if (const auto found = misfit(task.model, {r.state.shared, {{r.state.local, 1}}}))
      return cutoff_refuted("the list of thread states names " + *found);
    if (i > 0 && !(cutoff.reachable[i - 1].state < r.state))
      return cutoff_refuted("the list of thread states is not sorted");
    most = std::max(most, r.threads);
  }
  if (most != cutoff.threads)
    return cutoff_refuted("the cutoff should be the greatest thread count of the list, " +
                          std::to_string(most) + ", but is claimed to be " +
                          std::to_string(cutoff.threads));
  return std::nullopt;
}

CutoffProblem check_initial(const model::Task& task, const ReachedStates& reached) {
  for (const model::Region& region : task.question.initial)
    for (const model::CounterBound& bound : region.bounds)
      if ((!bound.upper || *bound.upper > 0) &&
          !reached.contains(region.shared.value, bound.counter.value))
        return cutoff_refuted("the initial thread state " +
                              state_name(task.model, {region.shared, bound.counter}) +
                              " is not listed");
  return std::nullopt;
}

auto key_of(const answer::UnrealizableCandidate& c) {
  return std::tuple(c.transition, c.passive, c.missing);
}

CutoffProblem check_reason(const model::Task& task, const Cutoff& cutoff,
                           const DerivedCandidate& derived,
                           const answer::UnrealizableCandidate& listed,
                           const Exclusion& exclusion) {
  const auto name = [&] { return model::to_string(task.model, derived.demand); };
  if (!listed.excluded_by) {
    if (exclusion.excludes(Demand<base::Integer>(derived.demand))) return std::nullopt;
    return cutoff_refuted("no reason is given why " + name() + " is not covered");
  }
  const auto& minimal = cutoff.uncoverable.minimal;
  if (*listed.excluded_by < minimal.size() && derived.demand.covers(minimal[*listed.excluded_by]))
    return std::nullopt;
  return cutoff_refuted("element " + std::to_string(*listed.excluded_by) +
                        " of the basis is not below " + name());
}

/// Are the listed candidates those that the model has?
CutoffProblem check_candidates(const model::Task& task, const Cutoff& cutoff,
                               const std::vector<DerivedCandidate>& derived) {
  const Exclusion exclusion(cutoff.uncoverable.relative_to);
  for (std::size_t i = 0; i < derived.size(); ++i) {
    const auto& expected = derived[i].candidate;
    if (i >= cutoff.candidates.size() || key_of(cutoff.candidates[i]) != key_of(expected))
      return cutoff_refuted("the candidate of transition " +
                            std::to_string(expected.transition.value) + " for " +
                            state_name(task.model, expected.missing) + " is not listed");
    if (auto problem = check_reason(task, cutoff, derived[i], cutoff.candidates[i], exclusion))
      return problem;
  }
  if (cutoff.candidates.size() > derived.size())
    return cutoff_refuted("a candidate is listed that is none");
  return std::nullopt;
}

/// No candidate's demand can be covered.
CutoffProblem check_basis(const model::Task& task, const Cutoff& cutoff,
                          const std::vector<DerivedCandidate>& derived, base::RunContext& context) {
  model::Task asked{task.model, {task.question.initial, {}}};
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
  CheckResult result = check_backward_basis(asked, cutoff.uncoverable, context);
  if (result.status == EvidenceStatus::Confirmed) return std::nullopt;
  result.why = "the basis: " + result.why;
  return result;
}

std::string confirmation(const Cutoff& cutoff) {
  const auto counted = [](std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return counted(cutoff.reachable.size(), "thread state") +
         " witnessed, closed under steps but for " +
         counted(cutoff.candidates.size(), "candidate") + ", excluded by " +
         counted(cutoff.uncoverable.minimal.size(), "minimal configuration") +
         "; fewer threads do not do";
}

}  // namespace

CheckResult check_cutoff(const model::Task& task, const Cutoff& cutoff, base::RunContext& context) {
  if (auto problem = check_model(task.model)) return *problem;
  if (const auto found = misfit(task.model, task.question))
    return *cutoff_refuted("the question names " + *found);
  if (auto problem = check_form(task, cutoff)) return *problem;
  if (auto problem = check_witnesses(task, cutoff, context)) return *problem;
  const ReachedStates reached(cutoff.reachable);
  if (auto problem = check_initial(task, reached)) return *problem;
  std::vector<DerivedCandidate> derived;
  if (auto problem = derive_candidates(task, reached, context, derived)) return *problem;
  if (auto problem = check_basis(task, cutoff, derived, context)) return *problem;
  if (auto problem = check_candidates(task, cutoff, derived)) return *problem;
  if (auto problem = check_minimality(task, cutoff, reached, context)) return *problem;
  return {EvidenceStatus::Confirmed, confirmation(cutoff)};
}

CheckResult check_cutoff_of_net(const model::Task& net, const model::Task& threads,
                                const Cutoff& cutoff, base::RunContext& context) {
  if (const auto difference = why_not_the_net(net, threads))
    return *cutoff_refuted("the thread system is not the net: " + *difference);
  CheckResult result = check_cutoff(threads, cutoff, context);
  if (result.status == EvidenceStatus::Confirmed) result.why += "; its chains are the net's rules";
  return result;
}

}  // namespace heddle::check
