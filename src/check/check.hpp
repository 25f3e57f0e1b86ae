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
/// Evidence may come from a file, so nothing is believed of it. Every checker of a certificate
/// makes five steps, and its head says where one of them is not needed:
///
///   form       every number is that of something that exists, and nothing is listed twice where
///              that would leave open what is meant;
///   variables  each set speaks only about what its kind may speak about;
///   beginning  the initial states are inside (of a basis: outside);
///   closure    no step leads out (of a basis: in), by steps that the checker derives itself from
///              the model;
///   end        the targets are outside (of a basis: inside).
answer::CheckResult check(const model::Task& task, const answer::Verdict& verdict,
                          base::RunContext& context);

}  // namespace heddle::check
