#pragma once

/// What engines share that search through configurations of all threads.

#include <chrono>
#include <optional>

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "engine/context/joint_system.hpp"
#include "engine/engine.hpp"

namespace heddle::engine::context {

/// A search within so many rounds, or without a bound. Nothing if stacks were too deep for it.
using JointAnswer = std::optional<answer::Verdict> (*)(const JointSystem& system,
                                                       const std::optional<std::uint32_t>& rounds,
                                                       const Options& options,
                                                       base::RunContext& context);

/// Searches with deeper stacks as long as they are needed.
answer::Verdict answer_jointly(const model::Task& task, JointAnswer search, const Options& options,
                               base::RunContext& context);

Acceptance accepts_joint(const model::Task& task);

/// Without a bound from the user: half of the time is left for the check.
bool time_for_a_round(const base::RunContext& context, std::chrono::steady_clock::time_point start);

/// Threads, rounds, places and nodes of diagrams.
void report_joint(const JointSystem& system, std::uint32_t rounds, base::RunContext& context);

}  // namespace heddle::engine::context
