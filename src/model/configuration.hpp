#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "base/integer.hpp"
#include "model/condition.hpp"
#include "model/counts.hpp"

namespace heddle::model {

struct SharedTag;
/// A valuation of the shared variables. Petri nets have exactly one, number 0.
using SharedState = base::Id<SharedTag>;

struct TransitionTag;
/// A transition of a model, by its position in the model's list.
using TransitionId = base::Id<TransitionTag>;

/// A state of the whole system up to the identity of threads.
struct Configuration {
  SharedState shared;
  Counts counts;

  /// The covers relation of papers/cutr.txt section 2: same shared state, at least as many of each.
  bool covers(const Configuration& other) const {
    return shared == other.shared && counts.covers(other.counts);
  }
  friend bool operator==(const Configuration&, const Configuration&) = default;
  friend bool operator<(const Configuration& a, const Configuration& b) {
    return a.shared != b.shared ? a.shared < b.shared : a.counts < b.counts;
  }
};

/// start + times·(end − start) in every counter, in the shared state of `end`. Nothing if a counter
/// would be negative.
std::optional<Configuration> extrapolate(const Configuration& start, const Configuration& end,
                                         const base::Integer& times);

/// lower ≤ value, and value ≤ upper where there is an upper bound.
struct CounterBound {
  Counter counter;
  base::Integer lower = 0;
  std::optional<base::Integer> upper;

  bool allows(const base::Integer& value) const {
    return value >= lower && (!upper || value <= *upper);
  }
  friend bool operator==(const CounterBound&, const CounterBound&) = default;
};

/// A box of configurations with one shared state. What an unlisted counter may be depends on the
/// use: 0 in an initial region, anything in a target region. Bounds are sorted by counter, at most
/// one each, lower ≤ upper. A target may narrow the box by a condition; an initial region has none.
struct Region {
  SharedState shared;
  std::vector<CounterBound> bounds;
  Condition condition = {};

  const CounterBound* find(Counter counter) const;  ///< null if the counter is not listed
  friend bool operator==(const Region&, const Region&) = default;
};

/// Does the region, read as a set of initial configurations, contain this one?
bool initial_region_contains(const Region& region, const Configuration& configuration);

/// Does the region, read as a target, contain this configuration?
bool target_region_contains(const Region& region, const Configuration& configuration);

/// A target without upper bounds and condition is upward closed; then its lower bounds are its
/// least element.
bool is_upward_closed(const Region& target);
Configuration least_element(const Region& region);

/// The least initial configuration of the region that covers `demand`; nothing if there is none.
std::optional<Configuration> least_initial_covering(const Region& region,
                                                    const Configuration& demand);

/// Can a configuration of some initial region reach a configuration of some target region? Asked
/// about models whose configurations are counts.
struct CountingQuestion {
  std::vector<Region> initial;
  std::vector<Region> targets;
  /// A bound on contexts that was asked for. Such models have no contexts, so that a question with
  /// a bound has no answer; it is kept for the explanation.
  std::optional<std::uint32_t> contexts = std::nullopt;
  friend bool operator==(const CountingQuestion&, const CountingQuestion&) = default;
};

}  // namespace heddle::model
