#pragma once

#include "answer/program_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Replays a run of a Boolean program with the interpreter. Confirmed means: the first state is an
/// initial one, every step is possible where it is taken, and in the end a thread has failed.
/// Linear in the steps, times the number of threads.
answer::CheckResult replay_program(const model::ProgramTask& task, const answer::ProgramRun& run,
                                   base::RunContext& context);

}  // namespace heddle::check
