#pragma once

/// Inductive invariants that a backward basis may lean on: the proof that they hold, and what they
/// rule out.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/certificate.hpp"
#include "check/counting/concurrent_places.hpp"
#include "check/counting/demand.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// Nothing if the invariant holds in every initial configuration and every step keeps it, else
/// which of these could not be shown. Linear in the model times the logarithm of the invariant.
/// Sufficient conditions only: an invariant that is inductive for a deeper reason is turned down.
/// Precondition: the invariant and the question fit the model (check/well_formed.hpp).
std::optional<std::string> why_not_inductive(const model::CountingTask& task,
                                             const answer::Invariant& invariant);

/// Upward-closed sets that no configuration within the invariants meets.
class Exclusion {
 public:
  explicit Exclusion(const std::vector<answer::Invariant>& invariants);

  /// True only if every configuration above the demand violates one of the invariants: a linear
  /// one with non-negative weights (then the sum only grows) whose bound the demand exceeds, a
  /// closed set of thread states that lacks one of the demand's, or concurrent places that lack
  /// a place or a pair of places that the demand marks.
  template <class Amount>
  bool excludes(const Demand<Amount>& demand) const {
    for (const answer::LinearInvariant& invariant : growing_)
      if (exceeds(invariant, demand)) return true;
    for (const Closed& closed : closed_)
      if (lacks(closed, demand)) return true;
    for (const Together& together : together_)
      if (separates(together, demand)) return true;
    return false;
  }

 private:
  struct Closed {
    std::vector<std::uint32_t> shared;  ///< sorted
    std::vector<std::uint64_t> states;  ///< sorted codes
  };

  static std::uint64_t code(std::uint32_t shared, std::uint32_t local) {
    return std::uint64_t{shared} << 32 | local;
  }

  template <class Amount>
  static bool exceeds(const answer::LinearInvariant& invariant, const Demand<Amount>& demand) {
    base::Integer sum = 0;
    for (const auto& [counter, weight] : invariant.weights)
      sum += weight * base::Integer(demand[counter.value]);
    return sum > invariant.bound;
  }

  template <class Amount>
  static bool lacks(const Closed& closed, const Demand<Amount>& demand) {
    if (!std::ranges::binary_search(closed.shared, demand.shared)) return true;
    return std::ranges::any_of(demand.entries, [&](const auto& entry) {
      return !std::ranges::binary_search(closed.states, code(demand.shared, entry.first));
    });
  }

  template <class Amount>
  static bool separates(const Together& together, const Demand<Amount>& demand) {
    for (auto it = demand.entries.begin(); it != demand.entries.end(); ++it) {
      if (!together.is_markable(it->first)) return true;
      if (it->second >= 2 && !together.may_be(it->first, it->first)) return true;
      for (auto other = demand.entries.begin(); other != it; ++other)
        if (!together.may_be(other->first, it->first)) return true;
    }
    return false;
  }

  std::vector<answer::LinearInvariant> growing_;
  std::vector<Closed> closed_;
  std::vector<Together> together_;
};

}  // namespace heddle::check
