#include <string>

#include "engine/pushdown/pre_star.hpp"
#include "engine/pushdown/pushdown.hpp"
#include "engine/search_verdict.hpp"
#include "transform/sequential_pushdown.hpp"

/// One thread: where the target can be reached from is a regular set (pre_star.cpp). The initial
/// configuration is in it, and why it is gives a run; or it is not, and all that is outside of the
/// set is closed under steps and has no target in it, which is a certificate of safety.
///
/// Several threads: within K contexts each they are one thread (transform/sequential_pushdown), and
/// a run of it stands for an interleaving. That there is none is proved for the one thread, whose
/// states are not those of the threads; so nothing is claimed then.

namespace heddle::engine::pushdown {

namespace {

/// Systems with more rules are not searched backward.
constexpr std::size_t kMostBackwardRules = 200'000;

Acceptance accepts_backward(const model::PushdownTask& task) {
  if (Acceptance common = accepts(task); !common.yes()) return common;
  if (task.question.targets.empty()) return {"there is no target"};
  const bool one_thread = task.model.threads.size() == 1;
  if (!one_thread && !task.question.contexts)
    return {"several threads need a number of contexts (--contexts)"};
  return {};
}

answer::PushdownRun run_of(const model::VisibleState& initial,
                           const std::vector<model::TransitionId>& steps) {
  answer::PushdownRun run{initial, {}};
  for (const model::TransitionId step : steps) run.steps.push_back({step, answer::ThreadId(0U)});
  return run;
}

answer::Verdict decide_one_thread(const model::PushdownTask& task, base::RunContext& context) {
  const StackThreads facts(task);
  const ThreadRules& rules = facts.rules(0);
  const PreStar saturated(rules, target_tops(facts, task.question.targets), context);
  if (const auto& stop = saturated.stopped())
    return answer::Unknown{unknown_reason(*stop), "the saturation was stopped"};
  for (const model::VisibleState& initial : task.question.initial) {
    const model::ThreadTop* at = initial.find(0);
    std::vector<Symbol> stack;
    if (at && at->top) stack.push_back(*rules.symbol_of_top(at->top));
    if (saturated.holds(initial.shared.value, stack))
      return answer::Unsafe{run_of(initial, saturated.witness(initial.shared.value, stack))};
  }
  auto outside = saturated.complement(task.model.shared_count, context);
  if (!outside) return answer::Unknown{unknown_reason(outside.error()), "the proof is incomplete"};
  return answer::Safe{std::move(*outside)};
}

answer::Verdict decide_threads(const model::PushdownTask& task, base::RunContext& context) {
  const auto reduction = transform::sequentialise(task, kMostBackwardRules);
  if (!reduction) return answer::Unknown{answer::UnknownReason::Unsupported, reduction.error()};
  answer::Verdict verdict = decide_one_thread(reduction->sequential, context);
  if (auto* unsafe = std::get_if<answer::Unsafe>(&verdict))
    return answer::Unsafe{
        transform::interleaving_of(task, *reduction, std::get<answer::PushdownRun>(unsafe->trace))};
  if (!answer::is_definite(verdict)) return verdict;
  return answer::Unknown{
      answer::UnknownReason::Unsupported,
      "no violation within the bound, but the proof is about the sequential system"};
}

answer::Verdict run_backward(const model::PushdownTask& task, const NoOptions&,
                             base::RunContext& context) {
  if (const auto stop = context.stopped())
    return answer::Unknown{unknown_reason(*stop), "stopped before the search began"};
  const bool one_thread = task.model.threads.size() == 1;
  return one_thread ? decide_one_thread(task, context) : decide_threads(task, context);
}

}  // namespace

EngineRow backward_row() {
  return row_for(
      {.name = "pushdown-backward",
       .summary = "stack automata backward from the target; several threads as one, to refute",
       .models = "concurrent pushdown systems: one thread, or --contexts",
       .proves = true,
       .refutes = true,
       .complete = false,
       .counts_contexts = true,
       .evidence = {"trace", "pushdown_invariant"}},
      accepts_backward, run_backward, {"only pushdown systems are supported"});
}

}  // namespace heddle::engine::pushdown
