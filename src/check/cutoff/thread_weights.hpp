#pragma once

/// Weighted sums of threads that bound what few threads can do. Private to src/check.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/cutoff.hpp"
#include "check/counting/demand.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// Why the weighting does not fit the model, or which step increases the sum of its weights;
/// nothing if all is well. Linear in the model times the logarithm of the weighting.
std::optional<std::string> why_no_weighting(const model::CountingModel& model,
                                            const answer::ThreadWeighting& weighting);

/// Demands that weigh more than any initial configuration of so many threads, by a weighting that
/// no step increases, so that no run of so many threads covers them.
class TooHeavy {
 public:
  /// Precondition: nothing speaks against the weightings.
  TooHeavy(const model::CountingTask& task, const std::vector<answer::ThreadWeighting>& weightings,
           const base::Integer& threads);

  /// `pool` threads are demanded of the pool, too.
  bool contains(const Demand<MachineAmount>& demand, MachineAmount pool) const;

 private:
  struct Bound {
    std::map<std::uint32_t, base::Integer> shared;
    std::map<std::uint32_t, base::Integer> counters;
    base::Integer pool;
    base::Integer greatest;  ///< weight of an initial configuration
  };
  std::vector<Bound> bounds_;
};

}  // namespace heddle::check
