#pragma once

/// Can the unknowns of loops be chosen such that linear forms stay below their limits? Answered by
/// looking at the forms where that suffices, else by the solver.
///
/// Questions come from the tree of paths: those about two paths with a common end begin with the
/// same inequalities, in the same order. So the solver keeps the last question's inequalities, one
/// on top of the other, and takes back only what the next one does not begin with. What it has
/// learnt about the common part stays.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <variant>
#include <vector>

#include "base/run_context.hpp"
#include "engine/concolic/affine.hpp"
#include "solver/smt.hpp"

namespace heddle::engine::concolic {

/// form ≤ limit.
struct Inequality {
  Affine form;
  base::Integer limit;

  friend bool operator==(const Inequality&, const Inequality&) = default;
};

/// Unknowns that are not listed are 0.
using Solution = std::map<Unknown, base::Integer>;

struct Infeasible {};
struct Undecided {};  ///< the solver was stopped or gave up
using Feasibility = std::variant<Solution, Infeasible, Undecided>;

class FeasibilityCheck {
 public:
  Feasibility solve(const std::vector<Inequality>& system, const base::RunContext& context);

  std::uint64_t solver_calls() const { return solver_calls_; }
  /// How many inequalities the solver was given; the others it had already.
  std::uint64_t assertions() const { return assertions_; }

 private:
  /// An inequality on the solver's stack, and the loops that are named there for the first time.
  struct Level {
    Inequality inequality;
    std::vector<std::uint32_t> loops;
  };

  Feasibility ask(const std::vector<Inequality>& system, const base::RunContext& context);
  void assert_exactly(const std::vector<Inequality>& system);
  void take_back();
  void put_on_top(const Inequality& inequality);

  std::unique_ptr<solver::SmtSolver> solver_;  // made when it is needed for the first time
  std::vector<Level> stack_;
  std::set<std::uint32_t> loops_;  // named on the stack
  std::uint64_t solver_calls_ = 0;
  std::uint64_t assertions_ = 0;
};

}  // namespace heddle::engine::concolic
