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
answer::CheckResult replay_pushdown(const model::Task& task, const answer::Trace& trace,
                                    base::RunContext& context);

/// The fewest rounds that a run fits into if thread threads[i] makes step i (Question::contexts).
std::uint64_t rounds_of(std::span<const std::uint32_t> threads);

/// Why this cannot be a question about pushdown systems (the check of its names aside), or nothing.
std::optional<std::string> misfit_of_tops(const model::Question& question);

}  // namespace heddle::check
