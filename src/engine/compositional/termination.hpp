#pragma once

/// Proofs that every run of a C program ends. See termination.cpp.

#include <optional>
#include <string>

#include "answer/c_evidence.hpp"
#include "base/run_context.hpp"
#include "model/c/program.hpp"

namespace heddle::engine::compositional {

struct TerminationResult {
  std::optional<answer::TerminationProof> proof;
  std::string why;          ///< without a proof
  bool is_refused = false;  ///< it cannot be translated
};

TerminationResult prove_termination(const model::c::Program& program, base::RunContext& context);

}  // namespace heddle::engine::compositional
