#pragma once

#include "engine/cutoff/realizability.hpp"
#include "engine/engine.hpp"

namespace heddle::engine::cutoff {

/// The row of the engine `cutoff`; README.md in this folder describes it.
EngineRow row();

/// The row of the same engine for the question how many threads are enough: its answers are
/// Cutoff or Unknown.
EngineRow cutoff_row();

/// Yes, or why the task has no cutoff that this engine could find.
Acceptance accepts(const model::CountingTask& task);

/// The minimal cutoff with its evidence. The task's targets do not matter.
/// Precondition: the task is accepted.
answer::Verdict find_cutoff(const model::CountingTask& task, const CutoffOptions& options,
                            base::RunContext& context);

}  // namespace heddle::engine::cutoff
