#pragma once

/// What naive searches know about a task of any kind, and what that says about an answer. No
/// engine and no checker is involved, but for C programs, whose checker of SAFE is the naive
/// search.

#include <cstdint>
#include <optional>
#include <string>

#include "answer/cutoff.hpp"
#include "answer/verdict.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/oracle.hpp"
#include "model/pushdown_oracle.hpp"
#include "model/task.hpp"

namespace heddle::test {

/// How far the search of each kind of model goes.
struct TruthLimits {
  model::OracleLimits counting{.max_unbounded = 2, .max_total = 6, .max_configurations = 400};
  model::PushdownOracleLimits pushdown{.max_height = 5, .max_configurations = 400, .max_rounds = 5};
  model::boolean::RunLimits runs{.max_threads = 3, .max_states = 3'000};
  std::uint64_t c_states = 20'000;
  model::boolean::RoundLimits rounds{.max_depth = 5, .max_states = 3'000};
};

struct Truth {
  /// A run to a target was found, of so many rounds (1 where threads have no turns).
  std::optional<std::uint32_t> reached;
  bool exact = false;  ///< nothing was left out: no target was found means there is none
  std::uint32_t exact_rounds = 0;  ///< nothing was left out of so many rounds

  /// Is a run within the task's bound on contexts known to exist, or known not to exist?
  std::optional<bool> decided(const model::AnyTask& task) const;
};

Truth truth_of(const model::OracleAnswer& oracle);
Truth ask_truth(const model::AnyTask& task, const TruthLimits& limits = {});

/// Replays with nothing but the model's step function: does the trace lead from an initial to a
/// target configuration, within the question's bound on contexts? Empty if so, otherwise why not.
std::string naive_replay(const model::AnyTask& task, const answer::AnyRun& run);

/// What the truth has against a verdict; empty if nothing. Evidence other than traces is not
/// looked at.
std::string objection(const model::AnyTask& task, const answer::Verdict& verdict,
                      const Truth& truth);

}  // namespace heddle::test
