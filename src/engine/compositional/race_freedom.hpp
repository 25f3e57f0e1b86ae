#pragma once

/// Proofs that no two threads race for data.

#include <optional>
#include <string>

#include "answer/c_evidence.hpp"
#include "base/run_context.hpp"

namespace heddle::engine::compositional {

struct RaceFreedomResult {
  std::optional<answer::RaceFreedom> proof;
  std::string why;          ///< if there is none; how, otherwise
  bool is_refused = false;  ///< the program cannot be translated
};

/// By facts if they suffice, otherwise by invariants, with twice the effort in each round.
RaceFreedomResult prove_race_freedom(const model::c::Program& program, base::RunContext& context);

}  // namespace heddle::engine::compositional
