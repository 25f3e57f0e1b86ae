#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::coverability {

/// Maximise objective·x for x ≥ 0 with each row·x at most the row's limit. Everything is exact.
/// No limit is negative, so x = 0 is a solution to begin with.
struct LinearProgram {
  struct Row {
    std::vector<std::int64_t> coefficients;  ///< one for each variable
    std::int64_t limit;                      ///< ≥ 0
  };
  std::vector<std::int64_t> objective;
  std::vector<Row> rows;
};

/// x = numerators / denominator.
struct LinearSolution {
  std::vector<std::int64_t> numerators;
  std::int64_t denominator;
};

/// A greatest solution. Nothing if there is none (the objective is unbounded), if a number of the
/// computation does not fit 64 bits, or if it takes more than `pivots` exchanges.
/// Cost: rows × variables for each exchange, as a rule about as many as there are rows.
std::optional<LinearSolution> maximize(const LinearProgram& program, std::size_t pivots);

}  // namespace heddle::coverability
