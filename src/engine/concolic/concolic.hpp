#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::concolic {

struct ConcolicOptions {
  SearchOrder order = SearchOrder::SmallestFirst;
};

/// The row of the engine `concolic`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::concolic
