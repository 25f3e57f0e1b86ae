#pragma once

/// Two runs of the same suite, side by side: what a change of the code, or of an option, did.

#include <string>
#include <vector>

#include "output/bench/record.hpp"

namespace heddle::output::bench {

/// A time counts as changed if it did by more than this factor and by more than these seconds.
struct Threshold {
  double factor = 1.5;
  double seconds = 0.1;
};

struct Change {
  Record before;
  Record after;
};

/// Cases are told apart by path and tool. A case is in one list at most.
struct Comparison {
  std::vector<Change> flipped;  ///< safe became unsafe or the other way round: one is wrong
  std::vector<Change> solved;   ///< now, and not before
  std::vector<Change> lost;     ///< solved before, and not now
  std::vector<Change> faster;   ///< of those that both solved
  std::vector<Change> slower;
  std::size_t same = 0;
  std::vector<Record> only_before;
  std::vector<Record> only_after;
  double seconds_before = 0;  ///< CPU, over the cases that both solved
  double seconds_after = 0;
  std::size_t both_solved = 0;
};

Comparison compare(const Results& before, const Results& after, const Threshold& threshold);

/// The lists that are not empty, the settings that differ, and one line that sums up.
std::string comparison_text(const Results& before, const Results& after,
                            const Comparison& comparison);

}  // namespace heddle::output::bench
