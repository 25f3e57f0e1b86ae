#pragma once

/// What engines share that search through configurations of all threads.

#include <chrono>
#include <optional>

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "engine/context/joint/joint_system.hpp"
#include "engine/engine.hpp"

namespace heddle::engine::context {

struct JointOptions {
  bool list_shared_states = false;  ///< among the figures, with the contexts that they take
};

/// A search within so many rounds, or without a bound. Nothing if stacks were too deep for it.
using JointAnswer = std::optional<answer::Verdict> (*)(const JointSystem& system,
                                                       const std::optional<std::uint32_t>& rounds,
                                                       const JointOptions& options,
                                                       base::RunContext& context);

/// Searches with deeper stacks as long as they are needed.
answer::Verdict answer_jointly(const model::ProgramTask& task, JointAnswer search,
                               const JointOptions& options, base::RunContext& context);

Acceptance accepts_joint(const model::ProgramTask& task);

/// Without a bound from the user: a round may take twice as long as those before it, since
/// `cpu_time()` was `start`, and the check as long as all of them.
bool time_for_a_round(const base::RunContext& context, std::chrono::nanoseconds start);

/// Threads, rounds, places and nodes of diagrams.
void report_joint(const JointSystem& system, std::uint32_t rounds, base::RunContext& context);

}  // namespace heddle::engine::context
