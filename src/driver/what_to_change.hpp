#pragma once

#include <span>
#include <string>

#include "engine/engine.hpp"
#include "model/task.hpp"

namespace heddle::driver {

/// No engine accepts the task: the one thing to change, in a sentence. If a change of the options
/// helps, it is that one, with the engines that accept the task then. Else it is what an engine for
/// this kind of model says. `engines` were asked; `all` could have been, without --engine.
std::string what_to_change(const model::AnyTask& task, std::span<const engine::EngineRow> engines,
                           std::span<const engine::EngineRow> all);

}  // namespace heddle::driver
