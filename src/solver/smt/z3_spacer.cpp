#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <stop_token>

#include "base/invariant.hpp"
#include "solver/horn.hpp"
#include "solver/smt/z3_terms.hpp"
#include "term/print.hpp"

/// Horn clauses by Z3's Spacer, asked through its logic HORN, whose models give every predicate a
/// formula. Two traps of version 4.8.12: the formulas of predicates that were inlined can be wrong
/// (the caller validates and, if need be, asks again without inlining), and the engine must be
/// named, or else purely Boolean systems go to another one.

namespace heddle::solver {

namespace {

using term::HornAtom;
using term::HornClause;
using term::HornSystem;
using term::Sort;
using term::Term;

class Spacer {
 public:
  Spacer(const HornSystem& system, const HornOptions& options)
      : system_(system), solver_(context_, "HORN"), decls_(context_) {
    z3::params params(context_);
    params.set("fp.engine", context_.str_symbol("spacer"));
    params.set("fp.spacer.eq_prop", options.propagate_equalities);
    params.set("fp.spacer.push_pob", options.push_obligations);
    params.set("fp.xform.inline_eager", options.inlining);
    params.set("fp.xform.inline_linear", options.inlining);
    params.set("fp.spacer.random_seed", options.seed);
    solver_.set(params);
    if (options.effort != 0)
      solver_.set("rlimit",
                  static_cast<unsigned>(std::min<std::uint64_t>(options.effort, UINT_MAX)));
  }

  HornResult solve(const base::RunContext& context) {
    for (const auto& predicate : system_.predicates) declare(predicate);
    for (const HornClause& clause : system_.clauses) solver_.add(rule(clause));
    solver_.set("timeout", time_left(context));
    const std::stop_callback stop(context.stop_token(), [&] { context_.interrupt(); });
    HornResult result;
    switch (solver_.check()) {
      case z3::sat: read_solution(result); break;
      case z3::unsat: result.answer = HornResult::Answer::Refuted; break;
      case z3::unknown: result.why = why_unknown(solver_.reason_unknown()); break;
    }
    result.effort = effort();
    return result;
  }

 private:
  /// Z3's words in ours.
  static std::string why_unknown(const std::string& said) {
    if (said.find("resource limit") != std::string::npos) return "the solver used up its effort";
    if (said == "timeout" || said == "canceled") return "the solver was stopped";
    return "the solver gave up: " + said;
  }

  static unsigned time_left(const base::RunContext& context) {
    if (!context.limits().deadline) return UINT_MAX;
    const auto left = *context.limits().deadline - std::chrono::steady_clock::now();
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count() + 1;
    return static_cast<unsigned>(std::clamp<long>(ms, 1, UINT_MAX));
  }

  std::uint64_t effort() const {
    const z3::stats figures = solver_.statistics();
    for (unsigned i = 0; i < figures.size(); ++i)
      if (figures.key(i) == "rlimit count") return figures.uint_value(i);
    return 0;
  }

  void declare(const HornSystem::Predicate& predicate) {
    z3::sort_vector sorts(context_);
    for (const Term& parameter : predicate.parameters)
      sorts.push_back(parameter.sort() == Sort::Boolean ? context_.bool_sort()
                                                        : context_.int_sort());
    decls_.push_back(context_.function(predicate.name.c_str(), sorts, context_.bool_sort()));
  }

  z3::expr apply(const HornAtom& atom) {
    z3::expr_vector arguments(context_);
    for (const Term& argument : atom.arguments) arguments.push_back(terms_.express(argument));
    return decls_[atom.predicate.value](arguments);
  }

  z3::expr rule(const HornClause& clause) {
    std::vector<Term> parts = {clause.constraint};
    z3::expr_vector body(context_);
    for (const HornAtom& atom : clause.body) {
      parts.insert(parts.end(), atom.arguments.begin(), atom.arguments.end());
      body.push_back(apply(atom));
    }
    body.push_back(terms_.express(clause.constraint));
    z3::expr head = context_.bool_val(false);
    if (clause.head) {
      parts.insert(parts.end(), clause.head->arguments.begin(), clause.head->arguments.end());
      head = apply(*clause.head);
    }
    z3::expr_vector bound(context_);
    for (const Term& variable : term::variables(parts)) bound.push_back(terms_.express(variable));
    const z3::expr implication = z3::implies(z3::mk_and(body), head);
    return bound.empty() ? implication : z3::forall(bound, implication);
  }

  void read_solution(HornResult& result) {
    const z3::model model = solver_.get_model();
    for (std::size_t i = 0; i < system_.predicates.size(); ++i) {
      const std::optional<Term> formula =
          read_formula(model, decls_[static_cast<unsigned>(i)], system_.predicates[i].parameters);
      if (!formula)
        result.why = "the formula of " + system_.predicates[i].name + " cannot be expressed";
      result.is_read.push_back(formula.has_value());
      result.solution.formulas.push_back(formula.value_or(term::constant(true)));
    }
    result.answer = result.why.empty() ? HornResult::Answer::Solved : HornResult::Answer::Partly;
  }

  /// A predicate that the model does not mention is false: nothing was derived for it.
  static std::optional<Term> read_formula(const z3::model& model, const z3::func_decl& decl,
                                          const std::vector<Term>& parameters) {
    if (!model.has_interp(decl)) return term::constant(false);
    if (parameters.empty()) return read_back(model.get_const_interp(decl), {});
    const z3::func_interp formula = model.get_func_interp(decl);
    if (formula.num_entries() != 0) return std::nullopt;
    return read_back(formula.else_value(), parameters);
  }

  const HornSystem& system_;
  z3::context context_;
  z3::solver solver_;
  z3::func_decl_vector decls_;
  Z3Terms terms_{context_};
};

}  // namespace

}  // namespace heddle::solver

/// Spacer reports some of its limits as exceptions: they are reasons for not knowing.
extern "C" void heddle_solve_horn(const heddle::term::HornSystem& system,
                                  const heddle::solver::HornOptions& options,
                                  const heddle::base::RunContext& context,
                                  heddle::solver::HornResult& result) {
  try {
    result = heddle::solver::Spacer(system, options).solve(context);
  } catch (const z3::exception& problem) {
    if (std::string_view(problem.msg()).find("memory") != std::string_view::npos)
      heddle::solver::rethrow(problem);
    result.why = problem.msg();
  }
}
