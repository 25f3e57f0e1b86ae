#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::pushdown {

EngineRow row();

/// A pushdown system with an initial state, whose question asks for single tops?
Acceptance accepts_single_tops(const model::Task& task);

/// What `row` runs. Precondition: the task is about a pushdown system.
answer::Verdict search_by_contexts(const model::Task& task, const Options& options,
                                   base::RunContext& context);

/// Backward from the target, by saturation with predecessors (backward.cpp).
EngineRow backward_row();

/// Recursive programs with fixed threads, as pushdown systems (stacks.cpp).
EngineRow stacks_row();

}  // namespace heddle::engine::pushdown
