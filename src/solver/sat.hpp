#pragma once

/// Propositional satisfiability, by CaDiCaL. It is a static library without start-up cost, so it
/// is linked instead of loaded on demand.

#include <cstdint>
#include <memory>
#include <span>

#include "base/run_context.hpp"

namespace heddle::solver {

enum class SatAnswer { Satisfiable, Unsatisfiable, Unknown };

/// A variable v > 0 or its negation −v.
using Literal = int;

class SatSolver {
 public:
  SatSolver();
  ~SatSolver();
  SatSolver(SatSolver&&) noexcept;
  SatSolver& operator=(SatSolver&&) noexcept;
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  Literal new_variable();
  void add_clause(std::span<const Literal> clause);

  /// The next call of `solve` gives up after so many conflicts, which unlike time are the same on
  /// every machine.
  void limit_conflicts(std::uint32_t conflicts);

  /// Is there a model in which the assumptions hold? They count for this call only. Unknown if the
  /// context's deadline passed or a stop was requested (`context.stopped()` tells), or if the
  /// solver gave up: that is no proof of anything.
  SatAnswer solve(std::span<const Literal> assumptions, const base::RunContext& context);

  /// The literal's value in the model that the last call found. Precondition: it found one.
  bool value(Literal literal) const;

  /// Was this assumption needed for the answer? Together those that were have no model.
  /// Precondition: the last call assumed it and found that there is no model.
  bool was_needed(Literal assumption) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace heddle::solver
