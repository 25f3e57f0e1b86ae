#pragma once

/// What a benchmark run prints at its end.

#include <string>
#include <vector>

#include "output/bench/record.hpp"

namespace heddle::output::bench {

/// A line per family and one for all; a group of columns per tool. Columns that only say "never"
/// are left out, but for those that Heddle answers for: wrong and unconfirmed.
std::string table_text(const std::vector<Record>& records);

/// A line for each pair of Heddle with another tool: time on the cases that both solved.
std::string common_time_text(const std::vector<Record>& records);

/// Each case that deserves a look: wrong, unconfirmed, failed, refused, or tools that disagree.
std::string remarks_text(const std::vector<Record>& records);

struct Progress {
  std::size_t resumed = 0;  ///< were done by an earlier run
  std::size_t done = 0;     ///< the resumed ones included
  std::size_t total = 0;
  std::size_t wrong = 0;  ///< verdicts of Heddle that are wrong or unconfirmed
};

/// `12/141  0 wrong  about 3 min left`, `seconds` after the start. Nothing is estimated before the
/// first case of this run is done.
std::string progress_text(const Progress& progress, double seconds);

}  // namespace heddle::output::bench
