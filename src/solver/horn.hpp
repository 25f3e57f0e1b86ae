#pragma once

/// Solving Horn clauses, whoever does it. Nothing that comes from here is believed: a solution is
/// validated clause by clause, a refutation is replayed.

#include <memory>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "term/horn_system.hpp"

namespace heddle::solver {

struct HornOptions {
  bool inlining = true;  ///< eager inlining of predicates, whose formulas may then be wrong
  bool propagate_equalities = false;
  bool push_obligations = false;
  std::uint32_t seed = 0;
  /// Gives up after so many units of the solver's own, the same on every machine; 0: it does not.
  std::uint64_t effort = 0;
};

struct HornResult {
  /// Partly: there is a solution, but some formulas have quantifiers.
  enum class Answer { Solved, Partly, Refuted, Unknown };
  Answer answer = Answer::Unknown;
  term::HornSolution solution;  ///< if solved; if partly, `true` for what could not be read
  std::vector<bool> is_read;    ///< by predicate, if partly
  std::string why;              ///< if unknown
  std::uint64_t effort = 0;     ///< units that were used
};

/// Z3's Spacer. Loads the adapter if it is not loaded yet.
HornResult solve_horn(const term::HornSystem& system, const HornOptions& options,
                      const base::RunContext& context);

}  // namespace heddle::solver
