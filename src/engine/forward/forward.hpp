#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::forward {

/// The row of the engine `forward`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::forward
