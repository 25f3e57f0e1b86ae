#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::pushdown {

struct PushdownOptions {
  bool use_invariants = true;
  bool list_shared_states = false;  ///< among the figures, with the contexts that they take
};

EngineRow row();

/// Has the system an initial state?
Acceptance accepts(const model::PushdownTask& task);

/// What `row` runs.
answer::Verdict search_by_contexts(const model::PushdownTask& task, const PushdownOptions& options,
                                   base::RunContext& context);

/// Backward from the target, by saturation with predecessors (backward.cpp).
EngineRow backward_row();

/// Recursive programs with fixed threads, as pushdown systems (stacks.cpp).
EngineRow stacks_row();

}  // namespace heddle::engine::pushdown
