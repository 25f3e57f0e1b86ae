#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::backward {

struct BackwardOptions {
  SearchOrder order = SearchOrder::SmallestFirst;
  bool use_invariants = true;  ///< prune with invariants, where they can be proved
  /// And look for further ones during a search. Not for users: translations switch it off.
  bool learn_invariants = true;
};

/// The row of the engine `backward`; README.md in this folder describes it.
EngineRow row();

}  // namespace heddle::engine::backward
