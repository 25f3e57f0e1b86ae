/// The row of `compositional`: a task in, a verdict with its evidence out.

#include "engine/compositional/engine.hpp"

#include "engine/compositional/compositional.hpp"
#include "engine/compositional/no_waiting.hpp"
#include "engine/compositional/race_freedom.hpp"
#include "engine/compositional/termination.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::compositional {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

struct CompositionalOptions {
  bool reduction = true;
};

Acceptance accepts(const model::CTask& task) {
  using enum model::c::Property;
  const auto& asked = task.question.targets;
  if (asked != std::vector{Reach} && asked != std::vector{NoDataRace} &&
      asked != std::vector{NoDeadlock} && asked != std::vector{Termination} &&
      asked != std::vector{FairTermination})
    return {
        "it decides reachability of errors, and proves termination and the absence of data races "
        "and of deadlocks"};
  if (task.question.contexts) return {"--contexts is not supported"};
  return {};
}

/// Of a proof, or why there is none.
template <class Result>
Verdict verdict_of(Result result, const base::RunContext& context) {
  if (result.proof) return answer::Safe{std::move(*result.proof)};
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), result.why.empty() ? "stopped" : result.why};
  return Unknown{result.is_refused ? UnknownReason::Unsupported : UnknownReason::Incomplete,
                 result.why};
}

Verdict run(const model::CTask& task, const CompositionalOptions& options,
            base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  const model::c::Property asked = task.question.targets.front();
  if (asked == model::c::Property::NoDataRace)
    return verdict_of(prove_race_freedom(task.model, context), context);
  if (asked == model::c::Property::NoDeadlock)
    return verdict_of(prove_deadlock_freedom(task.model, context), context);
  if (is_about_ending(asked))  // for every scheduler, hence for fair ones
    return verdict_of(prove_termination(task.model, context), context);
  ProveOptions how;
  how.reduction = options.reduction;
  CompositionalResult result = prove(task.model, how, context);
  base::Statistics& statistics = context.statistics();
  if (result.prepared) {
    std::size_t points = 0;
    for (const auto& thread : result.prepared->program.threads) points += thread.points.size();
    statistics.set("threads", static_cast<double>(result.prepared->program.threads.size()));
    statistics.set("points", static_cast<double>(points));
  }
  switch (result.answer) {
    case CompositionalResult::Answer::Safe:
      return answer::Safe{
          answer::ThreadInvariants{result.prepared->covering, std::move(*result.proof)}};
    case CompositionalResult::Answer::Unsafe: return answer::Unsafe{std::move(*result.run)};
    case CompositionalResult::Answer::Unknown: break;
  }
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), result.why.empty() ? "stopped" : result.why};
  return Unknown{result.is_refused ? UnknownReason::Unsupported : UnknownReason::Incomplete,
                 result.why};
}

}  // namespace

EngineRow row() {
  return row_for({.name = "compositional",
                  .summary = "invariants for each thread of a C program, for data without bound",
                  .models = "C programs",
                  .proves = true,
                  .refutes = true,
                  .complete = false,
                  .counts_contexts = false,
                  .evidence = {"trace", "thread_invariants", "race_freedom", "termination_proof",
                               "deadlock_freedom"},
                  .options = {on_off_option("reduction", &CompositionalOptions::reduction,
                                            "proofs of reachability: steps are blocks that need "
                                            "not be interrupted; off is the plain rule")}},
                 accepts, run, {"only C programs are supported"});
}

}  // namespace heddle::engine::compositional
