#pragma once

#include <cstdint>
#include <vector>

#include "answer/trace.hpp"
#include "coverability/counter_system.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

/// Demands from one that an initial configuration meets to a target; each is a cover predecessor
/// of the next by the transition between them.
struct DemandPath {
  struct Step {
    std::uint32_t transition;  ///< index into CounterSystem::transitions
    Demand after;
  };
  Demand first;
  std::vector<Step> steps;
};

/// Runs the path forward with the model's own step function, from the smallest initial
/// configuration that meets its first demand. Threads that no demand asks for are carried along.
answer::Trace build_trace(const model::CountingTask& task, const CounterSystem& system,
                          const DemandPath& path);

}  // namespace heddle::coverability
