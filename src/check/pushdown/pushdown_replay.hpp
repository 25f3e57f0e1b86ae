#pragma once

#include <cstdint>
#include <span>

#include "answer/report.hpp"
#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Replays an interleaving of a pushdown system with real stacks, from an initial configuration to
/// a target, within the contexts that the question allows. Each step costs a copy of the stacks.
answer::CheckResult replay_pushdown(const model::PushdownTask& task, const answer::PushdownRun& run,
                                    base::RunContext& context);

/// The fewest rounds that a run fits into if thread threads[i] makes step i
/// (PushdownQuestion::contexts).
std::uint64_t rounds_of(std::span<const std::uint32_t> threads);

}  // namespace heddle::check
