#pragma once

/// Models beyond the exhaustive scope, with everything that the models can express.

#include "model/counting.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// |S| ≤ 4, |L| ≤ 5, up to 12 edges of every kind, passive moves with several targets, several
/// initial regions, several targets that are multisets.
model::CountingTask random_thread_task(Random& random);

struct NetFlavour {
  bool ordinary = false;      ///< weights only: no resets, transfers, copies, sums
  bool upper_bounds = false;  ///< in guards and targets; makes the net non-monotone
  /// Few tokens that move about, as in mutual exclusion: most rules give as many as they take,
  /// and the sum of all places is claimed to be constant.
  bool conserving = false;
  bool conditions = false;  ///< targets compare sums of places with each other
};

/// Up to 5 places (8 if conserving) and 6 transitions (10); unbounded initial places, several
/// targets, and claimed invariants of which most are wrong.
model::CountingTask random_net_task(Random& random, NetFlavour flavour);

}  // namespace heddle::test
