#pragma once

/// Asks a solver for words that turn a decision of a run.

#include <memory>

#include "engine/explore/search.hpp"
#include "engine/explore/symbolic_replay.hpp"
#include "engine/explore/values.hpp"
#include "solver/smt.hpp"

namespace heddle::engine::explore {

class InputSolver {
 public:
  explicit InputSolver(const model::c::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// Suggests words with which the run may come to the same decision and decide it otherwise;
  /// whether any of them is new. Costs an execution of the run and, if the decision depends on
  /// choices, one or two queries for each outcome.
  bool suggest(const OpenDecision& decision, Values& values, base::RunContext& context);

 private:
  bool solve(const SymbolicRun& run, const term::Term& goal, Values& values,
             base::RunContext& context);
  bool take_solution(const SymbolicRun& run, Values& values);

  const model::c::Interpreter& interpreter_;
  std::unique_ptr<solver::SmtSolver> solver_;  ///< made when it is needed
};

}  // namespace heddle::engine::explore
