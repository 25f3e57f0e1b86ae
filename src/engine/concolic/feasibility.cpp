#include "engine/concolic/feasibility.hpp"

#include <algorithm>
#include <set>
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

std::set<std::uint32_t> components_in(const std::vector<Inequality>& system) {
  std::set<std::uint32_t> result;
  for (const Inequality& inequality : system)
    for (const auto& term : inequality.form.terms) result.insert(term.first / 2);
  return result;
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
  const auto components = components_in(system);
  solver_->push();
  for (const std::uint32_t component : components) solver_->add(meaning_of_unknowns(component));
  for (const Inequality& inequality : system) solver_->add(to_term(inequality));
  Feasibility result = Undecided{};
  const solver::SmtAnswer answer = solver_->check(context);
  if (answer == solver::SmtAnswer::Unsatisfiable) result = Infeasible{};
  if (answer == solver::SmtAnswer::Satisfiable) {
    Solution solution;
    for (const std::uint32_t component : components)
      solution[rounds_of(component)] = solver_->value(variable(rounds_of(component)));
    result = std::move(solution);
  }
  solver_->pop();
  return result;
}

}  // namespace heddle::engine::concolic
