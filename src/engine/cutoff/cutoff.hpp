#pragma once

#include "answer/cutoff.hpp"
#include "engine/engine.hpp"

namespace heddle::engine::cutoff {

/// The row of the engine `cutoff`; README.md in this folder describes it.
EngineRow row();

/// Yes, or why the task has no cutoff that this engine could find.
Acceptance accepts(const model::Task& task);

/// The minimal cutoff with its evidence. The task's targets do not matter.
/// Precondition: the task is accepted.
answer::CutoffAnswer find_cutoff(const model::Task& task, const Options& options,
                                 base::RunContext& context);

}  // namespace heddle::engine::cutoff
