#include "engine/cover/cover.hpp"

#include "engine/cover/search.hpp"

namespace heddle::engine::cover {

namespace {

using answer::Unknown;
using answer::Verdict;

Verdict run(const model::CountingTask& task, const NoOptions&, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  const auto system = coverability::compile(task);
  if (!system) return Unknown{answer::UnknownReason::CounterOverflow, system.error()};
  return to_verdict(
      task, *system, search(task, *system, context),
      "counters grow without bound by transfers or resets, which are not accelerated");
}

}  // namespace

EngineRow row() {
  return row_for(
      {.name = "cover",
       .summary = "forward search with acceleration from all initial states (Karp, Miller)",
       .models = "thread systems, Petri nets with resets and transfers",
       .proves = true,
       .refutes = true,
       .complete = false,
       .evidence = {"trace", "forward_cover"}},
      accepts_upward_closed, run, counters_only());
}

}  // namespace heddle::engine::cover
