#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::backward {

/// The row of the engine `backward`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::backward
