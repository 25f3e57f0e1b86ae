#include "check/check.hpp"

#include "check/backward_basis.hpp"
#include "check/closed_thread_states.hpp"
#include "check/pathwise.hpp"
#include "check/program_basis.hpp"
#include "check/program_replay.hpp"
#include "check/replay.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;

CheckResult check_certificate(const model::Task& task, const answer::BackwardBasis& basis,
                              base::RunContext& context) {
  return check_backward_basis(task, basis, context);
}

CheckResult check_certificate(const model::Task& task, const answer::ClosedThreadStates& closed,
                              base::RunContext&) {
  return check_closed_thread_states(task, closed);
}

CheckResult check_certificate(const model::Task& task, const answer::PathwiseProof& proof,
                              base::RunContext& context) {
  return check_pathwise_proof(task, proof, context);
}

CheckResult check_certificate(const model::Task& task, const answer::ProgramBasis& basis,
                              base::RunContext& context) {
  return check_program_basis(task, basis, context);
}

/// Is it evidence about the kind of model that the task has?
bool fits(const model::Task& task, const answer::Verdict& verdict) {
  const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict);
  if (bounded && bounded->certificate)
    return std::holds_alternative<answer::ProgramBasis>(*bounded->certificate) ==
           model::is_program(task.model);
  const auto* safe = std::get_if<answer::Safe>(&verdict);
  const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
  if (safe)
    return std::holds_alternative<answer::ProgramBasis>(safe->certificate) ==
           model::is_program(task.model);
  return !unsafe || unsafe->trace.run.has_value() == model::is_program(task.model);
}

CheckResult check_claim(const model::Task& task, const answer::Safe& safe,
                        base::RunContext& context) {
  return std::visit([&](const auto& which) { return check_certificate(task, which, context); },
                    safe.certificate);
}

CheckResult check_claim(const model::Task& task, const answer::Unsafe& unsafe,
                        base::RunContext& context) {
  if (unsafe.trace.run) return replay_program(task, *unsafe.trace.run, context);
  return replay(task, unsafe.trace, context);
}

/// A certificate may prove less than that nothing bad is reachable: nothing bad up to a bound.
template <class Kind>
CheckResult check_bound(const model::Task&, const answer::Bound&, const Kind&, base::RunContext&) {
  return {EvidenceStatus::Refuted, "a certificate of this kind proves no bound"};
}

CheckResult check_claim(const model::Task& task, const answer::SafeUpTo& safe,
                        base::RunContext& context) {
  if (!safe.certificate)
    return {EvidenceStatus::NotChecked, "a bound on " + safe.bound.what + " without a certificate"};
  return std::visit(
      [&](const auto& which) { return check_bound(task, safe.bound, which, context); },
      *safe.certificate);
}

CheckResult check_claim(const model::Task&, const answer::Unknown&, base::RunContext&) {
  return {EvidenceStatus::NotChecked, "nothing is claimed"};
}

}  // namespace

CheckResult check(const model::Task& task, const answer::Verdict& verdict,
                  base::RunContext& context) {
  if (answer::is_definite(verdict))
    if (const auto found = misfit(task.model, task.question))
      return {EvidenceStatus::Refuted, "the question names " + *found};
  if (!fits(task, verdict))
    return {EvidenceStatus::Refuted, "the evidence is about another kind of model"};
  return std::visit([&](const auto& claim) { return check_claim(task, claim, context); }, verdict);
}

}  // namespace heddle::check
