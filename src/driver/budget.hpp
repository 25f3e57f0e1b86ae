#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/run_context.hpp"

namespace heddle::driver {

/// What the user allows a command to use.
struct Budget {
  std::optional<std::chrono::duration<double>> time;  ///< of everything, the check included
  std::optional<std::uint64_t> memory_mb;             ///< of each child process
  std::optional<std::uint64_t> steps;                 ///< of each engine

  base::Limits from(std::chrono::steady_clock::time_point start) const {
    using Duration = std::chrono::steady_clock::duration;
    base::Limits limits;
    if (time) limits.deadline = start + std::chrono::duration_cast<Duration>(*time);
    limits.memory_mb = memory_mb;
    limits.steps = steps;
    return limits;
  }
};

}  // namespace heddle::driver
