#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::bounded {

/// The row of `bounded`.
EngineRow row();

}  // namespace heddle::engine::bounded
