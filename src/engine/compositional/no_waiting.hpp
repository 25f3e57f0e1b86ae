#pragma once

/// Proofs that threads of a C program do not wait for each other for ever. See no_waiting.cpp.

#include <functional>
#include <optional>
#include <string>

#include "answer/c_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"
#include "engine/compositional/waits.hpp"
#include "model/c/program.hpp"
#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

/// A program with invariants that exclude bad points, and what shows that its threads do not wait
/// for ever.
struct NoWaiting {
  model::threads::Covering covering;
  Waits waits;
  Prepared prepared;
  Encoding encoding;
  term::HornSolution invariants;
  term::Term lemma = term::constant(true);
  model::threads::Monitors monitors;

  model::threads::ThreadProof proof() const;
};

struct NoWaitingResult {
  bool is_refused = false;  ///< it cannot be translated
  std::string why;          ///< what is in the way, if nothing was accepted
};

/// Reads the program with wrapping and then with checked arithmetic, and hands what was found to
/// `accept`, until it returns an empty text; otherwise that is a reason.
NoWaitingResult exclude_waiting_for_ever(const model::c::Program& program,
                                         const std::function<std::string(NoWaiting)>& accept,
                                         base::RunContext& context);

struct DeadlockFreedomResult {
  std::optional<answer::DeadlockFreedom> proof;
  std::string why;
  bool is_refused = false;
};

/// For any number of threads, and data without bound.
DeadlockFreedomResult prove_deadlock_freedom(const model::c::Program& program,
                                             base::RunContext& context);

}  // namespace heddle::engine::compositional
