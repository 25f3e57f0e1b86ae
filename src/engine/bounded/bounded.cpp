/// The row of `bounded`: a task in; a run that the interpreter has made, or the bounds without one,
/// out. Where the formula is about the whole program, that there is no run is a claim: the checker
/// looks for one in its own way.

#include "engine/bounded/bounded.hpp"

#include "engine/bounded/deepening.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::bounded {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using model::c::Property;

Acceptance accepts(const model::CTask& task) {
  if (task.question.targets.size() != 1) return {"it decides one property at a time"};
  const Property property = task.question.targets.front();
  if (model::c::is_about_ending(property)) return {"it does not search for infinite runs"};
  return {};
}

Verdict run(const model::CTask& task, const NoOptions&, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  Found found = deepen(task.model, task.question.targets.front(), task.question.contexts, context);
  if (found.run) return answer::Unsafe{std::move(*found.run)};
  if (found.is_safe) return answer::Safe{answer::Exploration{}};
  if (found.safe_contexts && !found.is_stopped)
    return answer::SafeUpTo{answer::context_bound(*found.safe_contexts), answer::Exploration{}};
  const auto stop = context.stopped();
  if (found.is_stopped && stop) return Unknown{unknown_reason(*stop), found.why};
  return Unknown{UnknownReason::Incomplete, found.why};
}

}  // namespace

EngineRow row() {
  return row_for(
      {.name = "bounded",
       .summary = "bugs of a C program within bounds on contexts, loops and threads, by SAT",
       .models = "C programs",
       .proves = true,
       .refutes = true,
       .complete = false,
       .counts_contexts = true,
       .evidence = {"trace", "exploration"}},
      accepts, run, {"only C programs are supported"});
}

}  // namespace heddle::engine::bounded
