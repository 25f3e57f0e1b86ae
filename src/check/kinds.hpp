#pragma once

/// What the checker needs of each kind of model. A new kind adds its overloads here and defines
/// them in a folder of its own; without them, check.cpp does not compile.

#include <optional>
#include <string>

#include "answer/report.hpp"
#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// What the question names that the model does not have, or nothing (see well_formed.hpp).
std::optional<std::string> mismatch(const model::ThreadSystem& system,
                                    const model::CountingQuestion& question);
std::optional<std::string> mismatch(const model::PetriNet& net,
                                    const model::CountingQuestion& question);
std::optional<std::string> mismatch(const model::BooleanProgram& program,
                                    const model::ProgramQuestion& question);
std::optional<std::string> mismatch(const model::PushdownSystem& system,
                                    const model::PushdownQuestion& question);
std::optional<std::string> mismatch(const model::CProgram& program,
                                    const model::CQuestion& question);

/// Is the run one of the model, from an initial state to a target, within the bound on contexts?
answer::CheckResult check_run(const model::CountingTask& task, const answer::Trace& trace,
                              base::RunContext& context);
answer::CheckResult check_run(const model::ProgramTask& task, const answer::ProgramRun& run,
                              base::RunContext& context);
answer::CheckResult check_run(const model::PushdownTask& task, const answer::PushdownRun& run,
                              base::RunContext& context);
answer::CheckResult check_run(const model::CTask& task, const model::c::Run& run,
                              base::RunContext& context);

}  // namespace heddle::check
