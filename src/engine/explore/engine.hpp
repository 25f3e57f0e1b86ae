#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::explore {

EngineRow row();

}  // namespace heddle::engine::explore
