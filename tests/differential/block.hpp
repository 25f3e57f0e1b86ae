#pragma once

/// Plays one block in a process of its own. If that process crashes or takes too long, the models
/// of the block are played one by one, each in its own process, and the one that is to blame is
/// told.

#include <cstdint>

#include "differential/plan.hpp"
#include "differential/score.hpp"

namespace heddle::test::differential {

struct BlockLimits {
  std::uint64_t model_seconds = 120;  ///< CPU time of one model, all engines together
  std::uint64_t memory_mb = 4'000;
};

/// Throws std::system_error if the system has no process or pipe to give, std::runtime_error if the
/// process was ended from outside.
BlockRecord play(const Block& block, std::uint64_t campaign_seed, const BlockLimits& limits);

}  // namespace heddle::test::differential
