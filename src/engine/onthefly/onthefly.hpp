#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::onthefly {

/// The row of the engine `onthefly`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::onthefly
