#pragma once

/// Checks proofs about thread programs. See thread_proof.cpp.

#include <optional>
#include <string>

#include "base/run_context.hpp"
#include "model/threads/thread_proof.hpp"

namespace heddle::check::c {

struct ProofCheck {
  enum class Status { Confirmed, Refuted, Unfinished };
  Status status = Status::Unfinished;
  std::string why;             ///< unless confirmed
  std::uint64_t formulas = 0;  ///< that cvc5 found valid
};

/// Confirmed: no point of kind Error, Overflow or Unsupported can be reached in the program.
ProofCheck check_thread_proof(const model::threads::ThreadProgram& program,
                              const model::threads::ThreadProof& proof,
                              const base::RunContext& context);

}  // namespace heddle::check::c
