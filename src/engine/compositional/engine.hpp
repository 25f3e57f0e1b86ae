#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::compositional {

EngineRow row();

}  // namespace heddle::engine::compositional
