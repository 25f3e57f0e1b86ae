#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::pushdown {

EngineRow row();

}  // namespace heddle::engine::pushdown
