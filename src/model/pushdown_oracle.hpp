#pragma once

/// The naive oracle for pushdown systems: every configuration with its real stacks, one by one, up
/// to a height. It uses nothing but `model::step`, and knows when its answer is exact.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/task.hpp"

namespace heddle::model {

struct PushdownOracleLimits {
  std::size_t max_height = 8;  ///< higher stacks are looked at, but not expanded
  std::size_t max_configurations = 20'000;
  std::uint32_t max_rounds = 12;
};

struct PushdownOracleAnswer {
  /// The fewest contexts per thread (rounds) in which a target was found.
  std::optional<std::uint32_t> rounds;
  /// The fewest contexts, of whichever threads, in which a target was found.
  std::optional<std::uint32_t> contexts;
  /// Rounds whose configurations were all found: within so many, the numbers above are exact.
  std::uint32_t exact_rounds = 0;
  /// Nothing was left out at all: no target found means that there is none.
  bool exact = false;
};

/// Precondition: the model is a pushdown system, the initial regions are exact. Costs time and
/// space in the number of configurations.
PushdownOracleAnswer ask_pushdown_oracle(const Task<PushdownSystem>& task,
                                         const PushdownOracleLimits& limits);

}  // namespace heddle::model
