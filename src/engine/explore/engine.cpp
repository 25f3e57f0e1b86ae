/// The row of `explore`: a task in, a verdict with its evidence out.

#include "engine/explore/engine.hpp"

#include "engine/explore/explore.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::explore {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

Acceptance accepts(const model::CTask& task) {
  if (task.question.targets.size() != 1) return {"it decides one property at a time"};
  if (tracks_memory(task.question.targets.front()) && !task.model.keeps_pointers)
    return {"the program was read for another property: name this one with --property"};
  if (task.question.contexts) return {"--contexts is not supported"};
  return {};
}

Unknown unknown(const ExploreResult& result) {
  switch (result.reason) {
    case ExploreReason::Stopped:
      if (result.stop) return {unknown_reason(*result.stop), result.why};
      return {UnknownReason::Cancelled, result.why};
    case ExploreReason::None:
    case ExploreReason::Values:
    case ExploreReason::Unsupported:
    case ExploreReason::Undefined:
    case ExploreReason::Threads:
    case ExploreReason::Inexact:
    case ExploreReason::Section: break;
  }
  return {UnknownReason::Incomplete, result.why};
}

Verdict run(const model::CTask& task, const NoOptions&, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  ExploreResult result = explore(task.model, task.question.targets.front(), {}, context);
  base::Statistics& statistics = context.statistics();
  statistics.set("states", static_cast<double>(result.states));
  statistics.set("instructions", static_cast<double>(result.instructions));
  switch (result.verdict) {
    case ExploreVerdict::Safe: return answer::Safe{answer::Exploration{result.states}};
    case ExploreVerdict::Unsafe: return answer::Unsafe{std::move(*result.run)};
    case ExploreVerdict::SafeUpTo:
      return answer::SafeUpTo{answer::thread_bound(base::Integer(result.threads)),
                              answer::Exploration{result.states}};
    case ExploreVerdict::Unknown: break;
  }
  return unknown(result);
}

}  // namespace

EngineRow row() {
  return row_for({.name = "explore",
                  .summary = "all interleavings of a C program, state by state",
                  .models = "C programs",
                  .proves = true,
                  .refutes = true,
                  .complete = false,
                  .counts_contexts = false,
                  .evidence = {"trace", "exploration"}},
                 accepts, run, {"only C programs are supported"});
}

}  // namespace heddle::engine::explore
