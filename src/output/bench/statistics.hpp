#pragma once

/// Sums over records, per tool and family.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "output/bench/record.hpp"

namespace heddle::output::bench {

/// The middle value, or the mean of the two in the middle; 0 of nothing.
double median(std::vector<double> values);

/// What one tool did on a group of cases.
struct Summary {
  std::size_t cases = 0;
  std::array<std::size_t, 6> outcomes{};  ///< by CaseOutcome
  double cpu_seconds = 0;                 ///< of all cases, the unsolved ones included
  double median_cpu_seconds = 0;          ///< of the solved ones
  double peak_memory_mb = 0;              ///< the highest

  std::size_t count(CaseOutcome outcome) const {
    return outcomes[static_cast<std::size_t>(outcome)];
  }
};

/// Over the records of `tool` whose family is `family`; an empty family means all.
Summary summarise(const std::vector<Record>& records, const std::string& tool,
                  const std::string& family = {});

/// The families in order of their first record.
std::vector<std::string> families_of(const std::vector<Record>& records);

/// The records of two tools on one case. Pointers into the records they were made from.
struct Pair {
  const Record* ours = nullptr;
  const Record* theirs = nullptr;
};

/// All cases that both tools have run.
std::vector<Pair> pairs_of(const std::vector<Record>& records, const std::string& ours,
                           const std::string& theirs);

/// Two definite verdicts that differ.
bool disagree(const Record& one, const Record& other);

/// CPU seconds of both on the cases that both solved.
struct CommonTime {
  std::size_t cases = 0;
  double ours = 0;
  double theirs = 0;
};

CommonTime common_time(const std::vector<Pair>& pairs);

}  // namespace heddle::output::bench
