#include "check/check.hpp"

#include "check/backward_basis.hpp"
#include "check/closed_thread_states.hpp"
#include "check/pathwise.hpp"
#include "check/program_basis.hpp"
#include "check/program_configurations.hpp"
#include "check/program_context.hpp"
#include "check/program_replay.hpp"
#include "check/program_stacks.hpp"
#include "check/program_turns.hpp"
#include "check/pushdown_invariant.hpp"
#include "check/pushdown_replay.hpp"
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

CheckResult check_certificate(const model::Task& task, const answer::PushdownInvariant& invariant,
                              base::RunContext& context) {
  return check_pushdown_invariant(task, invariant, std::nullopt, context);
}

CheckResult check_certificate(const model::Task& task, const answer::ContextRelations& relations,
                              base::RunContext& context) {
  return check_context_relations(task, relations, std::nullopt, context);
}

CheckResult check_certificate(const model::Task& task, const answer::ConfigurationSets& sets,
                              base::RunContext& context) {
  return check_configuration_sets(task, sets, std::nullopt, context);
}

CheckResult check_certificate(const model::Task& task, const answer::TurnFacts& facts,
                              base::RunContext& context) {
  return check_turn_facts(task, facts, std::nullopt, context);
}

CheckResult check_certificate(const model::Task& task, const answer::ProgramStacks& stacks,
                              base::RunContext& context) {
  return check_program_stacks(task, stacks, std::nullopt, context);
}

bool fits(const model::Model& model, const answer::Certificate& certificate) {
  if (std::holds_alternative<answer::ProgramBasis>(certificate) ||
      std::holds_alternative<answer::ContextRelations>(certificate) ||
      std::holds_alternative<answer::ConfigurationSets>(certificate) ||
      std::holds_alternative<answer::TurnFacts>(certificate) ||
      std::holds_alternative<answer::ProgramStacks>(certificate))
    return model::is_program(model);
  if (std::holds_alternative<answer::PushdownInvariant>(certificate))
    return model::is_pushdown(model);
  return model::is_counting(model);
}

/// Is it evidence about the kind of model that the task has?
bool fits(const model::Model& model, const answer::Verdict& verdict) {
  if (const auto* safe = std::get_if<answer::Safe>(&verdict)) return fits(model, safe->certificate);
  if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    return fits(model, bounded->certificate);
  const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
  return !unsafe || unsafe->trace.run.has_value() == model::is_program(model);
}

/// A trace of at most so many contexts is one of a model whose threads have turns.
bool counts_contexts(const model::Task& task) {
  return !task.question.contexts || !model::is_counting(task.model);
}

CheckResult check_claim(const model::Task& task, const answer::Safe& safe,
                        base::RunContext& context) {
  return std::visit([&](const auto& which) { return check_certificate(task, which, context); },
                    safe.certificate);
}

CheckResult check_claim(const model::Task& task, const answer::Unsafe& unsafe,
                        base::RunContext& context) {
  if (unsafe.trace.run) return replay_program(task, *unsafe.trace.run, context);
  if (model::is_pushdown(task.model)) return replay_pushdown(task, unsafe.trace, context);
  return replay(task, unsafe.trace, context);
}

/// A certificate may prove less than that nothing bad is reachable: nothing bad up to a bound.
template <class Kind>
CheckResult check_bound(const model::Task&, const answer::Bound&, const Kind&, base::RunContext&) {
  return {EvidenceStatus::Refuted, "a certificate of this kind proves no bound"};
}

CheckResult check_bound(const model::Task& task, const answer::Bound& bound,
                        const answer::PushdownInvariant& invariant, base::RunContext& context) {
  if (bound.what != "contexts")
    return {EvidenceStatus::Refuted, "the certificate proves no bound on " + bound.what};
  return check_pushdown_invariant(task, invariant, bound.value, context);
}

CheckResult check_bound(const model::Task& task, const answer::Bound& bound,
                        const answer::ContextRelations& relations, base::RunContext& context) {
  if (bound.what != "contexts")
    return {EvidenceStatus::Refuted, "the certificate proves no bound on " + bound.what};
  return check_context_relations(task, relations, bound.value, context);
}

CheckResult check_bound(const model::Task& task, const answer::Bound& bound,
                        const answer::ConfigurationSets& sets, base::RunContext& context) {
  if (bound.what != "contexts")
    return {EvidenceStatus::Refuted, "configuration sets are about a bound on contexts"};
  return check_configuration_sets(task, sets, bound.value, context);
}

CheckResult check_bound(const model::Task& task, const answer::Bound& bound,
                        const answer::TurnFacts& facts, base::RunContext& context) {
  if (bound.what != "contexts")
    return {EvidenceStatus::Refuted, "turn facts are about a bound on contexts"};
  return check_turn_facts(task, facts, bound.value, context);
}

CheckResult check_bound(const model::Task& task, const answer::Bound& bound,
                        const answer::ProgramStacks& stacks, base::RunContext& context) {
  if (bound.what != "contexts")
    return {EvidenceStatus::Refuted, "sets of stacks are about a bound on contexts"};
  return check_program_stacks(task, stacks, bound.value, context);
}

CheckResult check_claim(const model::Task& task, const answer::SafeUpTo& safe,
                        base::RunContext& context) {
  if (safe.bound.value < 1)
    return {EvidenceStatus::Refuted, "a bound of " + base::to_string(safe.bound.value) + " " +
                                         safe.bound.what + " excludes every run"};
  return std::visit(
      [&](const auto& which) { return check_bound(task, safe.bound, which, context); },
      safe.certificate);
}

CheckResult check_claim(const model::Task&, const answer::Unknown&, base::RunContext&) {
  return {EvidenceStatus::NotChecked, "nothing is claimed"};
}

/// The labels of the question are those at which its program fails.
bool fails_at_labels(const model::Task& task) {
  const auto* program = std::get_if<model::BooleanProgram>(&task.model);
  return task.question.labels == (program ? program->failure_labels : std::vector<std::string>());
}

}  // namespace

CheckResult check(const model::Task& task, const answer::Verdict& verdict,
                  base::RunContext& context) {
  if (!fails_at_labels(task))
    return {EvidenceStatus::Refuted, "the program does not fail at the question's labels"};
  if (answer::is_definite(verdict))
    if (const auto found = misfit(task.model, task.question))
      return {EvidenceStatus::Refuted, "the question names " + *found};
  if (!fits(task.model, verdict))
    return {EvidenceStatus::Refuted, "the evidence is about another kind of model"};
  if (model::is_pushdown(task.model) && answer::is_definite(verdict))
    if (const auto found = misfit_of_tops(task.question))
      return {EvidenceStatus::Refuted, "the question names " + *found};
  if (std::holds_alternative<answer::Unsafe>(verdict) && !counts_contexts(task))
    return {EvidenceStatus::Refuted, "the model has no contexts to be counted"};
  return std::visit([&](const auto& claim) { return check_claim(task, claim, context); }, verdict);
}

}  // namespace heddle::check
