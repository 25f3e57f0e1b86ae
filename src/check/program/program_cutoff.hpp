#pragma once

#include "answer/cutoff.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Are these exactly the thread states that threads of the program reach, are so many threads
/// enough for all of them, and fewer not? program_cutoff.cpp says what is proved.
answer::CheckResult check_program_cutoff(const model::ProgramTask& task,
                                         const answer::Cutoff& cutoff, base::RunContext& context);

}  // namespace heddle::check
