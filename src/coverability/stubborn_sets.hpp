#pragma once

/// Which transitions a search for a target has to try in a configuration (stubborn_sets.cpp).

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coverability/omega_steps.hpp"
#include "coverability/target_condition.hpp"

namespace heddle::coverability {

/// Counters and the most that they may hold.
using UpperBounds = std::vector<std::pair<std::uint32_t, Count>>;

/// What a counter system does not have: upper bounds of targets and of guards and conditions of
/// targets, by their numbers; empty lists if there are none at all. With them a search has to be
/// exact: configurations do not stand for smaller ones.
struct ExactBounds {
  std::vector<UpperBounds> targets = {};
  std::vector<UpperBounds> guards = {};
  std::vector<TargetCondition> conditions = {};
};

class StubbornSets {
 public:
  /// Precondition: without bounds of guards, which transitions in between might violate.
  explicit StubbornSets(const CounterSystem& system, const ExactBounds& bounds = {});

  /// If a target can be reached from the configuration, which is none itself, then it can be
  /// reached in as many steps, the first of which is a chosen one. `enabled` lists the enabled
  /// transitions; the result says whether some of them are left out. Linear in the transitions that
  /// are looked at until the set is closed or contains all enabled ones.
  bool choose(Control control, std::span<const OmegaWord> vector,
              std::span<const std::uint32_t> enabled);

  /// After `choose` has left out some.
  bool is_chosen(std::uint32_t transition) const { return chosen_[transition]; }

 private:
  struct Arc {
    std::uint32_t counter;  ///< one for each counter, then one for each control state
    Count take;
    Count give;
  };

  void add(std::uint32_t transition);
  void add_all(const std::vector<std::uint32_t>& transitions);
  void add_for_targets();
  /// How many transitions may mend a condition that does not hold, at most, by the cheapest choice;
  /// and those.
  std::size_t menders(const TargetCondition& condition) const;
  void add_menders(const TargetCondition& condition);
  void close(std::uint32_t transition);

  const CounterSystem& system_;
  bool is_ordinary_;                                   ///< otherwise none is left out
  std::vector<std::vector<Arc>> arcs_;                 ///< by transition
  std::vector<std::vector<std::uint32_t>> producers_;  ///< by counter: who increases it
  std::vector<std::vector<std::uint32_t>> consumers_;  ///< by counter: who needs something there
  std::vector<std::vector<std::uint32_t>> decreasers_;
  std::vector<UpperBounds> target_bounds_;  ///< by target; empty if there are none
  std::vector<TargetCondition> target_conditions_;
  std::vector<std::vector<std::uint32_t>> raisers_;  ///< by inequality: who increases its sum
  std::vector<Count> values_;
  std::vector<bool> chosen_;
  std::vector<bool> is_enabled_;
  std::size_t left_out_ = 0;           ///< enabled transitions
  std::vector<std::uint32_t> listed_;  ///< the chosen ones
};

}  // namespace heddle::coverability
