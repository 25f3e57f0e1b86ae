#pragma once

#include "answer/report.hpp"
#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Looks at a claim about a task with code that had no part in making it. Traces are replayed with
/// the model's step function; certificates are re-proved. A definite verdict comes back Confirmed
/// or Refuted, or NotChecked if the context's limits ended the check, a solver gave up, or the
/// claim is too large for the checker; Unknown is NotChecked.
///
/// Evidence may come from a file, so nothing is believed of it. Every checker of a certificate goes
/// through the steps of proof.hpp; certificates.hpp lists them.
answer::CheckResult check(const model::AnyTask& task, const answer::Verdict& verdict,
                          base::RunContext& context);

}  // namespace heddle::check
