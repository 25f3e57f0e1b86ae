#pragma once

/// Time and steps of searches whose work is done by decision diagrams.

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/run_context.hpp"
#include "solver/bdd.hpp"

namespace heddle::engine::context {

/// Counts the work of a search. One operation on diagrams may be as much work as all others
/// together, so that their number says little: what counts is how many nodes they make.
class DiagramWork {
 public:
  explicit DiagramWork(const solver::BddSpace& space)
      : space_(space), counted_(space.nodes_made()) {}

  /// One step, and one for every thousand nodes that were made since the last call. Says whether
  /// the run must end, by the clock, too.
  std::optional<base::StopReason> step(base::RunContext& context) {
    constexpr std::uint64_t kNodesPerStep = 1000;
    const std::uint64_t steps = (space_.nodes_made() - counted_) / kNodesPerStep;
    counted_ += steps * kNodesPerStep;
    context.add_steps(steps);
    if (const auto stop = context.step()) return stop;
    return context.stopped();
  }

 private:
  const solver::BddSpace& space_;
  std::uint64_t counted_;
};

/// What this process has computed, without the time in which it was paused.
std::chrono::nanoseconds cpu_time();

/// Is what was computed since then at most one part in `parts` of what can be computed until the
/// deadline, this included? True without a deadline.
bool is_small_part(std::chrono::nanoseconds since, int parts, const base::RunContext& context);

}  // namespace heddle::engine::context
