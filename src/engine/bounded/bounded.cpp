/// The row of `bounded`: a task in, a run that the interpreter has made or the bounds without one
/// out.

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
  if (property != Property::Reach && property != Property::NoOverflow)
    return {"it looks for failed assertions, calls of error functions and overflows only"};
  return {};
}

Verdict run(const model::CTask& task, const NoOptions&, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  Found found = deepen(task.model, task.question.targets.front(), task.question.contexts, context);
  if (found.run) return answer::Unsafe{std::move(*found.run)};
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
       .proves = false,
       .refutes = true,
       .complete = false,
       .counts_contexts = true,
       .evidence = {"trace"}},
      accepts, run, {"it works on C programs only"});
}

}  // namespace heddle::engine::bounded
