#pragma once

#include "coverability/stubborn_sets.hpp"
#include "engine/counters.hpp"

namespace heddle::engine::forward {

/// Best-first search over configurations (search.cpp). One step of the context is one successor.
/// Precondition: the system is the compiled task. With bounds, initial regions are single
/// configurations and all transitions are ordinary.
ForwardOutcome search(const model::CountingTask& task, const coverability::CounterSystem& system,
                      const coverability::ExactBounds& bounds, base::RunContext& context);

}  // namespace heddle::engine::forward
