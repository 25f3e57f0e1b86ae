#pragma once

#include <cstdint>

#include "model/c/run.hpp"

namespace heddle::model::c {

/// The fewest rounds that the run can be cut into, in each of which every thread has one turn, in
/// the order of their numbers.
inline std::uint32_t rounds_of(const Run& run) {
  std::uint32_t rounds = run.steps.empty() ? 0 : 1;
  for (std::size_t i = 1; i < run.steps.size(); ++i)
    if (run.steps[i].thread < run.steps[i - 1].thread) ++rounds;
  return rounds;
}

}  // namespace heddle::model::c
