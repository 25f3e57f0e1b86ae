#include "engine/explore/input_solver.hpp"

#include "model/c/word_terms.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

/// The solver's own units; some tenths of a second.
constexpr std::uint64_t kMostEffort = 1'000'000;

std::uint64_t bits(const base::Integer& value, std::uint8_t width) {
  base::Integer wrapped = value;
  if (wrapped < 0) wrapped += words::power_of_two(width);
  return wrapped.get_ui();
}

}  // namespace

bool InputSolver::suggest(const OpenDecision& decision, Values& values, base::RunContext& context) {
  const SymbolicRun symbolic =
      replay_symbolically(interpreter_, decision.run, decision.thread, decision.addresses);
  bool is_new = false;
  for (const term::Term& goal : symbolic.goals) {
    is_new = solve(symbolic, goal, values, context) || is_new;
  }
  return is_new;
}

/// First along the path of the run; where that is impossible, the decision alone, because another
/// path may lead to it.
bool InputSolver::solve(const SymbolicRun& run, const term::Term& goal, Values& values,
                        base::RunContext& context) {
  if (!solver_) {
    solver_ = solver::make_smt_solver(solver::SmtBackend::Z3);
    solver_->limit_effort(kMostEffort);
  }
  for (const bool keeps_path : {true, false}) {
    solver_->push();
    solver_->add(goal);
    for (const term::Term& condition : run.conditions) {
      if (keeps_path) solver_->add(condition);
    }
    const bool is_solved = solver_->check(context) == solver::SmtAnswer::Satisfiable;
    const bool is_new = is_solved && take_solution(run, values);
    solver_->pop();
    if (is_solved) return is_new;
  }
  return false;
}

bool InputSolver::take_solution(const SymbolicRun& run, Values& values) {
  bool is_new = false;
  for (const ChosenWord& word : run.chosen) {
    const base::Integer value = solver_->value(word.variable);
    is_new = values.suggest(word.site, bits(value, word.width)) || is_new;
  }
  return is_new;
}

}  // namespace heddle::engine::explore
