#pragma once

#include "engine/counters.hpp"

namespace heddle::engine::cover {

/// Karp and Miller's algorithm with pruning (search.cpp). Precondition: the system is the compiled
/// task.
ForwardOutcome search(const model::CountingTask& task, const coverability::CounterSystem& system,
                      base::RunContext& context);

}  // namespace heddle::engine::cover
