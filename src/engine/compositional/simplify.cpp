#include "engine/compositional/simplify.hpp"

#include <unordered_map>

#include "solver/smt.hpp"
#include "term/print.hpp"

/// Arithmetic modulo 2^w is written by cases: `i + 1` is `i + 1 ≤ max ? i + 1 : i + 1 − 2^w`.
/// Behind a guard `i < n` the second case cannot occur. Without it, the assignment is linear, which
/// is what the analysis of equalities and the solver of Horn clauses are good at.
///
/// A choice in an assignment is decided under the guard of its step; one in the guard only under
/// what holds at the point anyway.

namespace heddle::engine::compositional {

using namespace model::threads;
using term::Operator;
using term::Term;
using transform::blocks::BlockStep;

namespace {

constexpr int kMostQueries = 200;  ///< for a step
/// Of the solver for a query. Those that help are easy; one that is not costs as much as many.
constexpr std::uint64_t kEffortForQuery = 20'000;
constexpr int kCostOfUndecided = 40;
constexpr std::size_t kMostCases = 6;

Term rebuilt(const Term& term, const std::vector<Term>& arguments) {
  switch (term.op()) {
    case Operator::Boolean:
    case Operator::Integer:
    case Operator::Variable: return term;
    case Operator::Not: return term::negation(arguments[0]);
    case Operator::And: return term::conjunction(arguments);
    case Operator::Or: return term::disjunction(arguments);
    case Operator::Implies: return term::implication(arguments[0], arguments[1]);
    case Operator::Equal: return term::equal(arguments[0], arguments[1]);
    case Operator::AtMost: return term::at_most(arguments[0], arguments[1]);
    case Operator::Sum: return term::sum(arguments);
    case Operator::Product: return term::product(term.arguments()[0].integer(), arguments[1]);
    case Operator::Choice: return term::choice(arguments[0], arguments[1], arguments[2]);
    case Operator::Quotient: return term::quotient(arguments[0], term.arguments()[1].integer());
    case Operator::Remainder: return term::remainder(arguments[0], term.arguments()[1].integer());
  }
  return term;
}

/// Decides the choices of terms under what the solver was told.
class Deciding {
 public:
  Deciding(solver::SmtSolver& solver, const base::RunContext& context, int& queries)
      : solver_(solver), context_(context), queries_(queries) {}

  Term simple(const Term& term) {
    if (const auto known = done_.find(term.identity()); known != done_.end()) return known->second;
    std::vector<Term> arguments;
    for (const Term& argument : term.arguments()) arguments.push_back(simple(argument));
    Term out = rebuilt(term, arguments);
    if (out.op() == Operator::Choice && out.sort() == term::Sort::Integer) {
      const Term condition = out.arguments()[0];
      if (is_implied(condition))
        out = out.arguments()[1];
      else if (is_implied(term::negation(condition)))
        out = out.arguments()[2];
      else
        out = as_one_case(out);
    }
    kept_.push_back(term);  // keeps its identity
    done_.emplace(term.identity(), out);
    return out;
  }

 private:
  /// To a signed number and back is no change at all: one of the cases, whichever it is.
  Term as_one_case(const Term& choice) {
    std::vector<Term> cases;
    collect(choice, cases);
    if (cases.size() > kMostCases) return choice;
    for (const Term& one : cases)
      if (is_implied(term::equal(choice, one))) return one;
    return choice;
  }

  static void collect(const Term& term, std::vector<Term>& cases) {
    if (cases.size() > kMostCases) return;
    if (term.op() == Operator::Choice) {
      collect(term.arguments()[1], cases);
      collect(term.arguments()[2], cases);
      return;
    }
    // A sum with a choice in it: the sum of each case.
    if (term.op() == Operator::Sum)
      for (std::size_t i = 0; i < term.arguments().size(); ++i)
        if (term.arguments()[i].op() == Operator::Choice) {
          std::vector<Term> parts = term.arguments();
          for (const std::size_t branch : {1U, 2U}) {
            parts[i] = term.arguments()[i].arguments()[branch];
            collect(term::sum(parts), cases);
          }
          return;
        }
    for (const Term& known : cases)
      if (term::to_smtlib(known) == term::to_smtlib(term)) return;
    cases.push_back(term);
  }

  bool is_implied(const Term& formula) {
    if (queries_ <= 0 || context_.stopped()) return false;
    --queries_;
    solver_.push();
    solver_.add(term::negation(formula));
    const solver::SmtAnswer answer = solver_.check(context_);
    solver_.pop();
    if (answer == solver::SmtAnswer::Unknown) queries_ -= kCostOfUndecided;
    return answer == solver::SmtAnswer::Unsatisfiable;
  }

  solver::SmtSolver& solver_;
  const base::RunContext& context_;
  int& queries_;
  std::vector<Term> kept_;
  std::unordered_map<const void*, Term> done_;
};

bool has_choice(const Term& term) {
  if (term.op() == Operator::Choice) return true;
  for (const Term& argument : term.arguments())
    if (has_choice(argument)) return true;
  return false;
}

}  // namespace

void decide_choices(Prepared& prepared, const base::RunContext& context) {
  const ThreadProgram& program = prepared.program;
  const auto solver = solver::make_smt_solver(solver::SmtBackend::Z3);
  solver->limit_effort(kEffortForQuery);
  for (auto& steps : prepared.blocks.steps)
    for (BlockStep& step : steps) {
      bool any = has_choice(step.guard);
      for (const Assignment& a : step.assignments) any |= has_choice(a.value);
      if (!any || context.stopped()) continue;
      int queries = kMostQueries;
      solver->push();
      solver->add(prepared.facts.formula(step.thread, step.from));
      for (const VariableId v : program.globals)
        solver->add(in_range(program.variable(v), program.variable(v).term));
      for (const VariableId v : prepared.blocks.live[step.thread.index()][step.from.index()])
        solver->add(in_range(program.variable(v), program.variable(v).term));
      for (const Input& input : step.inputs) solver->add(in_range(input));
      step.guard = Deciding(*solver, context, queries).simple(step.guard);
      solver->push();
      solver->add(step.guard);
      Deciding under_guard(*solver, context, queries);
      for (Assignment& a : step.assignments) a.value = under_guard.simple(a.value);
      std::erase_if(step.assignments, [&](const Assignment& a) {
        return a.value.op() == term::Operator::Variable &&
               a.value.name() == program.variable(a.variable).term.name();
      });
      for (auto& creation : step.creations)
        for (Assignment& a : creation.locals) a.value = under_guard.simple(a.value);
      solver->pop();
      solver->pop();
    }
}

}  // namespace heddle::engine::compositional
