#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::onthefly {

struct OntheflyOptions {
  SearchOrder order = SearchOrder::SmallestFirst;
  bool use_invariants = true;
};

/// The row of the engine `onthefly`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::onthefly
