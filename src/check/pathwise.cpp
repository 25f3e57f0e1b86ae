#include "check/pathwise.hpp"

#include <optional>
#include <string>

#include "check/backward_basis.hpp"
#include "check/path_formula.hpp"
#include "check/shared_graph.hpp"
#include "check/spaghetti_slice.hpp"
#include "solver/smt.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::PathwiseProof;

using Problem = std::optional<CheckResult>;

Problem not_checked(std::string_view why) {
  return CheckResult{EvidenceStatus::NotChecked, std::string(why)};
}

/// Nothing if no path of the formula is a run.
Problem check_paths(const PathFormula& formula, base::RunContext& context) {
  if (!formula.is_open) return std::nullopt;
  const auto solver = solver::make_smt_solver(solver::SmtBackend::Cvc5);
  for (const term::Term& assertion : formula.assertions) solver->add(assertion);
  switch (solver->check(context)) {
    case solver::SmtAnswer::Unsatisfiable: return std::nullopt;
    case solver::SmtAnswer::Satisfiable:
      return CheckResult{EvidenceStatus::Refuted,
                         "a path through simple loops leads from an initial configuration to a "
                         "target"};
    case solver::SmtAnswer::Unknown: break;
  }
  const auto reason = context.stopped();
  return not_checked(reason ? base::to_string(*reason) : "cvc5 gave up on the formula");
}

/// The system that has only the slice, asked for the targets at the end of spaghetti paths.
model::Task sliced(const model::ThreadSystem& system, const model::Question& question,
                   const Slices& slices) {
  model::ThreadSystem kept;
  kept.shared_count = system.shared_count;
  kept.local_count = system.local_count;
  for (const std::uint32_t t : slices.spaghetti) kept.transitions.push_back(system.transitions[t]);
  model::Question asked{question.initial, {}};
  for (std::size_t i = 0; i < question.targets.size(); ++i)
    if (slices.ends_spaghetti[i]) asked.targets.push_back(question.targets[i]);
  return {std::move(kept), std::move(asked)};
}

Problem check_spaghetti(const model::Task& slice, const PathwiseProof& proof,
                        base::RunContext& context) {
  CheckResult result = check_backward_basis(slice, proof.spaghetti, context);
  if (result.status == EvidenceStatus::Confirmed) return std::nullopt;
  if (result.status == EvidenceStatus::Refuted)
    result.why = "on the spaghetti slice, its transitions numbered by themselves: " + result.why;
  return result;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string confirmation(const PathFormula& formula, const Slices& slices,
                         const PathwiseProof& proof) {
  std::string text = !formula.has_path
                         ? "no path through simple loops"
                         : "no path through " + counted(formula.loops, "simple loop") + " is a run";
  if (slices.spaghetti.empty()) return text + "; no other paths";
  return text + "; on the other paths, of " + counted(slices.spaghetti.size(), "transition") +
         ", " + counted(proof.spaghetti.minimal.size(), "minimal configuration") +
         ": targets inside, initial ones outside, closed under predecessors";
}

}  // namespace

CheckResult check_pathwise_proof(const model::Task& task, const PathwiseProof& proof,
                                 base::RunContext& context) {
  const auto* system = std::get_if<model::ThreadSystem>(&task.model);
  if (!system) return {EvidenceStatus::Refuted, "a Petri net has no thread states to have paths"};
  const SharedGraph graph(*system, task.question);
  const Slices parts = slices(graph, task.question);
  if (auto problem = check_spaghetti(sliced(*system, task.question, parts), proof, context))
    return *problem;
  const auto formula = path_formula(*system, task.question, graph, parts, context);
  if (!formula) return *not_checked(base::to_string(formula.error()));
  if (auto problem = check_paths(*formula, context)) return *problem;
  return {EvidenceStatus::Confirmed, confirmation(*formula, parts, proof)};
}

}  // namespace heddle::check
