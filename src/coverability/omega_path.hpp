#pragma once

/// Paths of ω-configurations, and the runs that they stand for.

#include <cstdint>
#include <vector>

#include "answer/trace.hpp"
#include "coverability/counter_system.hpp"
#include "model/task.hpp"

namespace heddle::coverability {

/// A step, and which segments of the path that end here are pumped afterwards, in this order: the
/// number of steps before a segment. Counters that a segment increases become ω.
struct OmegaPathStep {
  std::uint32_t transition;  ///< index into CounterSystem::transitions
  std::uint32_t choice = 0;  ///< see OmegaSteps
  std::vector<std::uint32_t> pumped_from = {};
};

struct OmegaPath {
  std::size_t initial = 0;  ///< index into Question::initial
  std::vector<OmegaPathStep> steps;
  std::size_t target = 0;  ///< index into CounterSystem::targets, which the last vector covers
};

/// A run that the path stands for, from the least initial configuration that is enough for it, to
/// the target. Exact, however large the numbers are; linear in the length of the path and of all
/// pumped segments.
/// Precondition: the path exists (omega_path.cpp says what pumping is); its last vector covers the
/// target.
answer::Trace unfold(const model::CountingTask& task, const CounterSystem& system,
                     const OmegaPath& path);

/// What pumping makes of a vector: every counter in which `after` exceeds `before` becomes ω.
/// Precondition: before ≤ after.
void pump(const std::vector<std::uint64_t>& before, std::vector<std::uint64_t>& after);

}  // namespace heddle::coverability
