/// Proves that a pathwise proof shows that no target of a thread system can be reached. Of the
/// proof only the basis is read, and its form is checked with it; graph, slices and formula are
/// made here from the model, so about the other paths nothing can be claimed that is false.
///
/// It shows:
///
///   1. the formula of path_formula.hpp cannot be satisfied (cvc5 says so);
///   2. in the system that has only the transitions of the spaghetti slice, the basis shows that
///      no target at the end of a spaghetti path can be reached (backward_basis.cpp).
///
/// That suffices. Suppose c0 → c1 → … → cn leads from an initial configuration into a target, by
/// the transitions t1 … tn. Leave out the steps that change nothing, moves of a thread to where it
/// is. What is left still leads there, and its transitions are live, because the source of each
/// lies in every closed set of thread states. Each starts in the shared state in which the one
/// before ends: they are a path in 𝒮 (shared_graph.hpp) from an initial shared state to that of a
/// target.
///
/// If the path is spaghetti, each of its transitions lies on a spaghetti path, this one; so all of
/// them are in the slice, its end is that of a spaghetti path, and the run is one that 2 excludes.
///
/// Otherwise it meets trivial components and simple loops only, and all its transitions have a
/// constant effect. In a simple loop it goes round as the loop prescribes: from the node where it
/// enters to the one where it leaves there is one walk for each number of whole rounds. So it is
/// one of the paths of the formula. Let d(n) be the target's least element and d(i−1) the least
/// demand such that t(i) leads from above it to above d(i); it exists and has the form that
/// counter_value.hpp says. Going back from cn one sees that ci covers d(i). The numbers d(i), with
/// the choices and rounds of the path, satisfy the formula: its inequalities say no more than how
/// d(i−1) follows from d(i), and d(0) is below c0 and so within the bounds of an initial region.
/// Nodes that the path does not meet get the demands of any way on from them, and no Boolean of
/// theirs is true. This is what 1 excludes.
///
/// The formula is not stronger than needed either: a solution is a run (path_formula.hpp). So no
/// claim that is true is refuted for the formula's sake.
///
/// Which interleavings are paths: all of them. A path says which transition comes after which, not
/// who takes it; the demand says how many threads that needs. Steps that keep the shared state are
/// arcs like others, from a node to itself: one such arc at a node is a simple loop, two at one
/// node are spaghetti.

#include <optional>
#include <string>

#include "check/certificates.hpp"
#include "check/pathwise/path_formula.hpp"
#include "check/pathwise/shared_graph.hpp"
#include "check/pathwise/spaghetti_slice.hpp"
#include "check/proof.hpp"
#include "solver/smt.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::PathwiseProof;

/// Nothing if no path of the formula is a run.
Problem check_paths(const PathFormula& formula, base::RunContext& context) {
  if (!formula.is_open) return std::nullopt;
  const auto solver = solver::make_smt_solver(solver::SmtBackend::Cvc5);
  for (const term::Term& assertion : formula.assertions) solver->add(assertion);
  switch (solver->check(context)) {
    case solver::SmtAnswer::Unsatisfiable: return std::nullopt;
    case solver::SmtAnswer::Satisfiable:
      return refuted("a path through simple loops leads from an initial configuration to a target");
    case solver::SmtAnswer::Unknown: break;
  }
  const auto reason = context.stopped();
  return not_checked(reason ? base::to_string(*reason) : "cvc5 gave up on the formula");
}

/// The system that has only the slice, asked for the targets at the end of spaghetti paths.
model::CountingTask sliced(const model::ThreadSystem& system,
                           const model::CountingQuestion& question, const Slices& slices) {
  model::ThreadSystem kept;
  kept.shared_count = system.shared_count;
  kept.local_count = system.local_count;
  for (const std::uint32_t t : slices.spaghetti) kept.transitions.push_back(system.transitions[t]);
  model::CountingQuestion asked{question.initial, {}};
  for (std::size_t i = 0; i < question.targets.size(); ++i)
    if (slices.ends_spaghetti[i]) asked.targets.push_back(question.targets[i]);
  return {std::move(kept), std::move(asked)};
}

Problem check_spaghetti(const model::CountingTask& slice, const PathwiseProof& proof,
                        base::RunContext& context) {
  CheckResult result = check_certificate(slice, proof.spaghetti, context);
  if (result.status == EvidenceStatus::Confirmed) return std::nullopt;
  if (result.status == EvidenceStatus::Refuted)
    result.why = "on the spaghetti slice, its transitions numbered by themselves: " + result.why;
  return result;
}

/// Graph, slices and formula are made here; of the claim only the basis is read, and its own check
/// goes through all steps.
class PathwiseCheck {
 public:
  PathwiseCheck(const model::ThreadTask& task, const PathwiseProof& proof,
                base::RunContext& context)
      : system_(task.model),
        question_(task.question),
        proof_(proof),
        context_(context),
        graph_(system_, question_),
        parts_(slices(graph_, question_)) {}

  NotNeeded well_formed() const { return "the check of the basis looks at its form"; }
  NotNeeded keeps_to_its_scope() const { return "the check of the basis looks at its scope"; }
  NotNeeded contains_beginning() const {
    return "the formula has all paths from initial states, and the basis is checked to spare them";
  }

  /// No run to a target: neither on spaghetti paths nor on the others.
  Problem is_closed() {
    if (auto problem = check_spaghetti(sliced(system_, question_, parts_), proof_, context_))
      return problem;
    const auto formula = path_formula(system_, question_, graph_, parts_, context_);
    if (!formula) return not_checked(base::to_string(formula.error()));
    has_path_ = formula->has_path;
    loops_ = formula->loops;
    return check_paths(*formula, context_);
  }

  NotNeeded excludes_end() const {
    return "the formula has all paths to targets, and the basis is checked to contain them";
  }

  std::string confirmation() const {
    std::string text =
        !has_path_ ? "no path through simple loops"
                   : "no path through " + base::counted(loops_, "simple loop") + " is a run";
    if (parts_.spaghetti.empty()) return text + "; no other paths";
    return text + "; on the other paths (" + base::counted(parts_.spaghetti.size(), "transition") +
           "), the set contains every target, no initial state, and all its predecessors (" +
           base::counted(proof_.spaghetti.minimal.size(), "minimal element") + ")";
  }

 private:
  const model::ThreadSystem& system_;
  const model::CountingQuestion& question_;
  const PathwiseProof& proof_;
  base::RunContext& context_;
  SharedGraph graph_;
  Slices parts_;
  bool has_path_ = false;
  std::size_t loops_ = 0;
};

}  // namespace

CheckResult check_certificate(const model::ThreadTask& task, const PathwiseProof& proof,
                              base::RunContext& context) {
  return prove(PathwiseCheck(task, proof, context));
}

}  // namespace heddle::check
