#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::onthefly {

/// How many threads of a Boolean program are enough, and all thread states that they reach;
/// cutoff.cpp explains it.
EngineRow cutoff_row();

}  // namespace heddle::engine::onthefly
