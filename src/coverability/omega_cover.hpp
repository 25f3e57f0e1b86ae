#pragma once

/// What cover searches share: which steps they follow from an ω-configuration, and the cover that
/// they leave behind.

#include <span>
#include <vector>

#include "answer/forward_cover.hpp"
#include "coverability/omega_store.hpp"
#include "coverability/stubborn_sets.hpp"

namespace heddle::coverability {

/// The steps that lead to a target if any do (stubborn_sets.cpp).
class ReducedSteps {
 public:
  /// With bounds, vectors must have no ω.
  explicit ReducedSteps(const CounterSystem& system, ExactBounds bounds = {})
      : steps_(system), stubborn_(system, bounds), guards_(std::move(bounds.guards)) {}

  /// See OmegaSteps::Visit. Precondition: the configuration is no target, covers none if there are
  /// no bounds.
  void for_each(Control control, std::span<const OmegaWord> before, const OmegaSteps::Visit& visit);

  bool has_saturated() const { return steps_.has_saturated(); }

 private:
  OmegaSteps steps_;
  StubbornSets stubborn_;
  std::vector<UpperBounds> guards_;  ///< by transition; empty if there are none
  std::vector<std::uint32_t> enabled_;
};

/// Is there at most so much of each?
bool keeps(std::span<const OmegaWord> vector, const UpperBounds& bounds);

/// Of these elements, which are closed under the steps that `ReducedSteps` follows.
answer::ForwardCover forward_cover(const OmegaStore& store, std::span<const OmegaId> elements);

}  // namespace heddle::coverability
