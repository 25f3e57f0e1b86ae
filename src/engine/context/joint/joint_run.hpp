#pragma once

#include <span>
#include <vector>

#include "answer/program_evidence.hpp"
#include "engine/context/joint/joint_system.hpp"

namespace heddle::engine::context {

/// A step of a thread, by the number of the edge between its places.
struct JointMove {
  std::size_t thread;
  std::size_t edge;
  std::vector<bool> after;  ///< values behind the step, by variable of the diagrams
};

/// The number that these binary digits have in a valuation.
PlaceNumber number_in(const std::vector<bool>& picked, std::span<const BddVariable> digits);

/// Takes the moves from the values on. Values of variables that are not live are found on the way.
answer::ProgramRun replay(const JointSystem& system, const std::vector<bool>& first,
                          const std::vector<JointMove>& moves);

}  // namespace heddle::engine::context
