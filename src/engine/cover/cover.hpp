#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::cover {

/// The row of the engine `cover`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::cover
