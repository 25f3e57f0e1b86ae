#pragma once

#include "answer/report.hpp"
#include "driver/child_process.hpp"
#include "driver/portfolio.hpp"

namespace heddle::driver {

/// The deadline with its grace, and the memory.
ChildLimits hard_limits(const base::Limits& limits);

/// What the end of an engine's process says, if it ended without an answer.
std::optional<answer::Unknown> failure(const ChildOutcome& outcome);
answer::Unknown unreadable_answer(const std::string& why);

/// Starts a check in a child process. The step limit is for engines and does not apply.
ChildProcess start_check(CheckFunction check, const model::Task& task,
                         const answer::Verdict& verdict, const base::Limits& limits);

/// What the ended child said; a check that did not come to its end is NotChecked.
answer::CheckResult check_result(const ChildOutcome& outcome);

}  // namespace heddle::driver
