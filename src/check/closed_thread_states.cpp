#include "check/closed_thread_states.hpp"

#include "check/demand.hpp"
#include "check/invariants.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

using answer::CheckResult;
using answer::EvidenceStatus;

CheckResult check_closed_thread_states(const model::Task& task,
                                       const answer::ClosedThreadStates& closed) {
  if (const auto found = misfit(task.model, answer::Invariant(closed)))
    return {EvidenceStatus::Refuted, "the set names " + *found};
  if (const auto why = why_not_inductive(task, closed))
    return {EvidenceStatus::Refuted, "the set " + *why};
  const Exclusion exclusion({closed});
  for (const model::Region& target : task.question.targets)
    if (!exclusion.excludes(Demand<base::Integer>(model::least_element(target))))
      return {EvidenceStatus::Refuted,
              "the set has room for the target " + model::target_to_string(task.model, target)};
  return {EvidenceStatus::Confirmed, std::to_string(closed.states.size()) +
                                         " thread states: initial ones inside, closed under "
                                         "steps, no room for a target"};
}

}  // namespace heddle::check
