#include "solver/sat.hpp"

#include <cadical.hpp>

namespace heddle::solver {

struct SatSolver::Solver {
  CaDiCaL::Solver cadical;
  Literal last = 0;
};

SatSolver::SatSolver() : solver_(std::make_unique<Solver>()) { solver_->cadical.set("quiet", 1); }
SatSolver::~SatSolver() = default;
SatSolver::SatSolver(SatSolver&&) noexcept = default;
SatSolver& SatSolver::operator=(SatSolver&&) noexcept = default;

Literal SatSolver::new_variable() { return ++solver_->last; }

void SatSolver::add_clause(std::span<const Literal> clause) {
  for (const Literal literal : clause) solver_->cadical.add(literal);
  solver_->cadical.add(0);
}

bool SatSolver::satisfiable(std::span<const Literal> assumptions) {
  constexpr int kSatisfiable = 10;
  for (const Literal literal : assumptions) solver_->cadical.assume(literal);
  return solver_->cadical.solve() == kSatisfiable;
}

bool SatSolver::value(Literal literal) const { return solver_->cadical.val(literal) == literal; }

}  // namespace heddle::solver
