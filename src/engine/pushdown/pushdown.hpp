#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::pushdown {

EngineRow row();

/// Backward from the target, by saturation with predecessors (backward.cpp).
EngineRow backward_row();

}  // namespace heddle::engine::pushdown
