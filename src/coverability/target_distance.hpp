#pragma once

/// A cheap estimate of how many steps lead from an ω-configuration to a target: the steps that the
/// control state has to make, and for each token that the target still misses the steps that the
/// nearest spare token has to make, each on its own. If the target has a condition, the same for
/// each of its inequalities that does not hold: tokens come nearer to the places that count, or
/// leave those that count against it. It guides searches and proves nothing.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coverability/omega_steps.hpp"
#include "coverability/target_condition.hpp"

namespace heddle::coverability {

class TargetDistance {
 public:
  using Estimate = std::uint32_t;

  /// Linear in the system for each counter of a target; of many targets only the first are kept.
  explicit TargetDistance(const CounterSystem& system,
                          std::span<const TargetCondition> conditions = {});

  /// The estimate for the nearest target. Linear in the vector times the distances that it has.
  Estimate operator()(Control control, std::span<const OmegaWord> vector);

 private:
  /// What a token is worth: so many steps from demanded counter number `demanded`.
  struct Reach {
    std::uint32_t demanded;
    Estimate steps;
  };
  struct Goal {
    std::vector<Estimate> of_control;
    std::vector<std::pair<std::uint32_t, Count>> counts;
    std::vector<std::vector<Reach>> of_counter;
    std::vector<Estimate> of_nothing;  ///< of each demanded counter: a token that is made
    TargetCondition condition = {};
  };
  struct Offer {
    Estimate steps;
    Count count;
  };

  Goal make_goal(const CounterSystem& system, const Demand& target) const;
  /// The steps to the sums of conditions.
  void measure(const CounterSystem& system);
  Estimate estimate(const Goal& goal, Control control, std::span<const OmegaWord> vector);
  Estimate estimate(const TargetCondition& condition, std::span<const OmegaWord> vector);
  Estimate estimate_inequality(const TargetCondition& inequality,
                               std::span<const OmegaWord> vector);

  std::vector<Goal> goals_;
  std::vector<std::vector<Offer>> offers_;  ///< by demanded counter, of the vector at hand
  /// By inequality, of the first ones, and counter: steps to a counter with a positive weight.
  /// Empty if that is too much to store.
  std::vector<std::vector<Estimate>> steps_to_sum_;
  std::vector<Offer> nearest_;  ///< for the inequality at hand
  std::vector<Count> values_;   ///< of the vector at hand, otherwise 0
};

}  // namespace heddle::coverability
