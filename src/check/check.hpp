#pragma once

#include "answer/report.hpp"
#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Looks at a claim about a task with code that had no part in making it. Traces are replayed with
/// the model's step function; backward bases are re-proved. A definite verdict comes back Confirmed
/// or Refuted, or NotChecked if the context's limits ended the check; Unknown is NotChecked.
answer::CheckResult check(const model::Task& task, const answer::Verdict& verdict,
                          base::RunContext& context);

}  // namespace heddle::check
