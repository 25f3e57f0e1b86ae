#include "solver/sat.hpp"

#include <cadical.hpp>

namespace heddle::solver {

namespace {

/// Ends a search when the context says so.
class Limit final : public CaDiCaL::Terminator {
 public:
  Limit(CaDiCaL::Solver& solver, const base::RunContext& context)
      : solver_(solver), context_(context) {
    solver_.connect_terminator(this);
  }
  ~Limit() override { solver_.disconnect_terminator(); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  bool terminate() override { return context_.stopped().has_value(); }

 private:
  CaDiCaL::Solver& solver_;
  const base::RunContext& context_;
};

}  // namespace

struct SatSolver::Solver {
  CaDiCaL::Solver cadical;
  Literal last = 0;
};

/// Without its profile a call asks the system for the time twice, not six times.
SatSolver::SatSolver() : solver_(std::make_unique<Solver>()) {
  solver_->cadical.set("quiet", 1);
  solver_->cadical.set("profile", 0);
}
SatSolver::~SatSolver() = default;
SatSolver::SatSolver(SatSolver&&) noexcept = default;
SatSolver& SatSolver::operator=(SatSolver&&) noexcept = default;

Literal SatSolver::new_variable() { return ++solver_->last; }

void SatSolver::add_clause(std::span<const Literal> clause) {
  for (const Literal literal : clause) solver_->cadical.add(literal);
  solver_->cadical.add(0);
}

void SatSolver::limit_conflicts(std::uint32_t conflicts) {
  solver_->cadical.limit("conflicts", static_cast<int>(conflicts));
}

SatAnswer SatSolver::solve(std::span<const Literal> assumptions, const base::RunContext& context) {
  if (context.stopped()) return SatAnswer::Unknown;
  for (const Literal literal : assumptions) solver_->cadical.assume(literal);
  const Limit limit(solver_->cadical, context);
  switch (solver_->cadical.solve()) {
    case 10: return SatAnswer::Satisfiable;
    case 20: return SatAnswer::Unsatisfiable;
    default: return SatAnswer::Unknown;
  }
}

bool SatSolver::value(Literal literal) const { return solver_->cadical.val(literal) == literal; }

bool SatSolver::was_needed(Literal assumption) const { return solver_->cadical.failed(assumption); }

}  // namespace heddle::solver
