#pragma once

#include "engine/engine.hpp"

namespace heddle::engine::context {

/// One analysis, three engines: summaries of a single thread's procedures, and round robin of
/// several threads with lazy or eager guessing. And one that keeps configurations of all threads.
/// Why they take no other models.
inline Refusal refusal() { return {"only Boolean programs are supported"}; }

EngineRow sequential_row();
EngineRow lazy_row();
EngineRow eager_row();
EngineRow joint_row();
/// The same, backwards.
EngineRow backward_row();

}  // namespace heddle::engine::context
