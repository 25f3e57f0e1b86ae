#include "engine/concolic/feasibility.hpp"

#include <algorithm>
#include <string>

#include "engine/concolic/least_solution.hpp"

namespace heddle::engine::concolic {

namespace {

using base::Integer;
using term::Sort;
using term::Term;

/// Of Z3's units: seconds at most. Systems that take longer are rare, and there is another way.
constexpr std::uint64_t kMostEffort = 10'000'000;

Term variable(Unknown unknown) {
  const char* kind = unknown % 2 == 0 ? "rounds" : "entered";
  return term::variable(kind + std::to_string(unknown / 2), Sort::Integer);
}

Term to_term(const Inequality& inequality) {
  std::vector<Term> terms;
  for (const auto& [unknown, factor] : inequality.form.terms)
    terms.push_back(term::product(factor, variable(unknown)));
  const Integer room = inequality.limit - inequality.form.constant;
  return term::at_most(term::sum(std::move(terms)), term::constant(room));
}

/// θ = min(κ, 1), κ ≥ 0.
Term meaning_of_unknowns(std::uint32_t component) {
  const Term rounds = variable(rounds_of(component));
  const Term entered = variable(entered_of(component));
  const Term zero = term::constant(Integer(0));
  const Term one = term::constant(Integer(1));
  return term::disjunction(
      {term::conjunction({term::equal(rounds, zero), term::equal(entered, zero)}),
       term::conjunction({term::at_least(rounds, one), term::equal(entered, one)})});
}

/// True whatever the unknowns are.
bool is_trivial(const Inequality& inequality) {
  const auto& form = inequality.form;
  return form.constant <= inequality.limit &&
         std::ranges::all_of(form.terms, [](const auto& term) { return term.second <= 0; });
}

}  // namespace

Feasibility FeasibilityCheck::solve(const std::vector<Inequality>& system,
                                    const base::RunContext& context) {
  const auto impossible = [](const Inequality& i) { return i.form.always_above(i.limit); };
  if (std::ranges::any_of(system, impossible)) return Infeasible{};
  if (auto least = least_solution(system)) return std::move(*least);
  std::vector<Inequality> kept;
  std::ranges::remove_copy_if(system, std::back_inserter(kept), is_trivial);
  return ask(kept, context);
}

Feasibility FeasibilityCheck::ask(const std::vector<Inequality>& system,
                                  const base::RunContext& context) {
  if (!solver_) {
    solver_ = solver::make_smt_solver(solver::SmtBackend::Z3);
    solver_->limit_effort(kMostEffort);
  }
  ++solver_calls_;
  assert_exactly(system);
  const solver::SmtAnswer answer = solver_->check(context);
  if (answer == solver::SmtAnswer::Unsatisfiable) return Infeasible{};
  if (answer == solver::SmtAnswer::Unknown) return Undecided{};
  Solution solution;
  for (const std::uint32_t loop : loops_)
    solution[rounds_of(loop)] = solver_->value(variable(rounds_of(loop)));
  return solution;
}

void FeasibilityCheck::assert_exactly(const std::vector<Inequality>& system) {
  const auto common = static_cast<std::size_t>(
      std::ranges::mismatch(stack_, system, {}, &Level::inequality).in2 - system.begin());
  while (stack_.size() > common) take_back();
  for (std::size_t i = common; i < system.size(); ++i) put_on_top(system[i]);
}

void FeasibilityCheck::take_back() {
  solver_->pop();
  for (const std::uint32_t loop : stack_.back().loops) loops_.erase(loop);
  stack_.pop_back();
}

void FeasibilityCheck::put_on_top(const Inequality& inequality) {
  solver_->push();
  Level level{inequality, {}};
  for (const auto& term : inequality.form.terms) {
    const std::uint32_t loop = term.first / 2;
    if (!loops_.insert(loop).second) continue;
    level.loops.push_back(loop);
    solver_->add(meaning_of_unknowns(loop));
  }
  solver_->add(to_term(inequality));
  stack_.push_back(std::move(level));
  ++assertions_;
}

}  // namespace heddle::engine::concolic
