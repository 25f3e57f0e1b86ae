#pragma once

/// Can the unknowns of loops be chosen such that linear forms stay below their limits? Answered by
/// looking at the forms where that suffices, else by the solver.

#include <cstdint>
#include <map>
#include <memory>
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

 private:
  Feasibility ask(const std::vector<Inequality>& system, const base::RunContext& context);

  std::unique_ptr<solver::SmtSolver> solver_;  // made when it is needed for the first time
  std::uint64_t solver_calls_ = 0;
};

}  // namespace heddle::engine::concolic
