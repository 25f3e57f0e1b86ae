#include "engine/backward/backward.hpp"

#include <string>

#include "coverability/backward_search.hpp"
#include "coverability/find_invariants.hpp"
#include "engine/search_verdict.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::engine::backward {

namespace {

using answer::Unknown;
using answer::Verdict;

Acceptance accepts(const model::Task& task) {
  if (model::is_program(task.model))
    return {"a Boolean program is translated to a thread system first (--via threads)"};
  if (model::is_pushdown(task.model)) return {"it does not know stacks"};
  if (transform::needs_monotone_relaxation(task))
    return {"a guard or target with an upper bound is not monotone"};
  if (task.question.targets.empty()) return {"there is no target"};
  return {};
}

Verdict run(const model::Task& task, const Options& options, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  coverability::Pruner pruner =
      options.learn_invariants
          ? coverability::find_and_learn_invariants(task, options.use_invariants)
          : coverability::find_invariants(task, options.use_invariants);
  return to_verdict(coverability::backward_search(task, pruner, options.order, context));
}

}  // namespace

EngineRow row() {
  return {.name = "backward",
          .summary = "backward coverability search from the target (Abdulla), sound and complete",
          .models = "thread systems, Petri nets with resets and transfers",
          .proves = true,
          .refutes = true,
          .complete = true,
          .evidence = {"trace", "backward_basis"},
          .options = {"order", "invariants"},
          .accepts = accepts,
          .run = run};
}

}  // namespace heddle::engine::backward
