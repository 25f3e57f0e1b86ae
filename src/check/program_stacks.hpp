#pragma once

#include <optional>

#include "answer/report.hpp"
#include "answer/stack_evidence.hpp"
#include "base/integer.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Do the products hold all that the threads of the program can reach, with stacks of calls as high
/// as they like, and has no thread failed in them (program_stacks.cpp)? Nothing: in any number of
/// rounds. Linear in products times the steps from their tops but for inclusions of languages,
/// which are remembered.
answer::CheckResult check_program_stacks(const model::Task& task,
                                         const answer::ProgramStacks& claim,
                                         const std::optional<base::Integer>& rounds,
                                         base::RunContext& context);

}  // namespace heddle::check
