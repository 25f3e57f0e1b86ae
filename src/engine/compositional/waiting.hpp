#pragma once

/// Whether all threads may wait at the same time. See waiting.cpp.

#include <string>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"
#include "engine/compositional/waits.hpp"
#include "model/threads/monitor.hpp"
#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

/// What is known about threads where they wait.
struct WaitingKnowledge {
  const Encoding* encoding = nullptr;  ///< none: facts only
  const term::HornSolution* invariants = nullptr;
  term::Term lemma = term::constant(true);
};

struct WaitingResult {
  bool is_excluded = false;  ///< that all threads wait which have not ended
  model::threads::Monitors monitors;
  std::string why;  ///< otherwise: who may wait where
};

/// With invariants, all points at which threads wait must be boundaries (`boundaries_for`).
WaitingResult exclude_waiting(const Prepared& prepared, const model::threads::Covering& covering,
                              const Waits& waits, const WaitingKnowledge& known,
                              base::RunContext& context);

}  // namespace heddle::engine::compositional
