#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <new>
#include <stop_token>
#include <unordered_map>

#include "base/invariant.hpp"
#include "solver/smt.hpp"

/// The adapter for Z3, a module of its own. Z3's exceptions stop here: what is left of them is
/// std::bad_alloc or a bug of ours.

namespace heddle::solver {

namespace {

using base::Integer;
using term::Operator;
using term::Sort;
using term::Term;

[[noreturn]] void translate(const z3::exception& problem) {
  if (std::string_view(problem.msg()).find("memory") != std::string_view::npos)
    throw std::bad_alloc();
  throw base::InternalError(std::string("Z3: ") + problem.msg());
}

/// Runs `work` and turns Z3's exceptions into ours.
template <class Work>
auto guarded(Work work) {
  try {
    return work();
  } catch (const z3::exception& problem) {
    translate(problem);
  }
}

class Z3Solver : public SmtSolver {
 public:
  Z3Solver() : solver_(z3::solver(context_, z3::solver::simple())) {}

  void push() override {
    guarded([&] { solver_.push(); });
  }
  void pop() override {
    guarded([&] { solver_.pop(); });
  }

  void add(const Term& formula) override {
    guarded([&] { solver_.add(express(formula)); });
  }

  void limit_effort(std::uint64_t units) override {
    const auto limit = static_cast<unsigned>(std::min<std::uint64_t>(units, UINT_MAX));
    guarded([&] { solver_.set("rlimit", limit); });
  }

  SmtAnswer check(const base::RunContext& context) override {
    return guarded([&] {
      if (context.stopped()) return SmtAnswer::Unknown;
      const unsigned milliseconds = time_left(context);
      if (milliseconds != limit_) solver_.set("timeout", limit_ = milliseconds);
      const std::stop_callback stop(context.stop_token(), [&] { context_.interrupt(); });
      switch (solver_.check()) {
        case z3::sat: return SmtAnswer::Satisfiable;
        case z3::unsat: return SmtAnswer::Unsatisfiable;
        case z3::unknown: break;
      }
      return SmtAnswer::Unknown;
    });
  }

  Integer value(const Term& variable) override {
    return guarded([&] {
      const z3::expr value = solver_.get_model().eval(express(variable), true);
      if (value.is_bool()) return Integer(value.is_true() ? 1 : 0);
      std::string digits;
      HEDDLE_INVARIANT(value.is_numeral(digits), "a model should give numbers to variables");
      return Integer(digits);
    });
  }

 private:
  /// Rounded up, so that the deadline has passed when Z3 gives up.
  static unsigned time_left(const base::RunContext& context) {
    if (!context.limits().deadline) return UINT_MAX;
    const auto left = *context.limits().deadline - std::chrono::steady_clock::now();
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count() + 1;
    return static_cast<unsigned>(std::clamp<long>(ms, 1, UINT_MAX));
  }

  /// Terms are kept with what they became, so that no other term gets the same address.
  z3::expr express(const Term& term) {
    const auto known = expressed_.find(term.identity());
    if (known != expressed_.end()) return known->second.second;
    z3::expr expression = build(term);
    expressed_.emplace(term.identity(), std::pair(term, expression));
    return expression;
  }

  z3::expr build(const Term& term) {
    switch (term.op()) {
      case Operator::Boolean: return context_.bool_val(term.boolean());
      case Operator::Integer: return context_.int_val(base::to_string(term.integer()).c_str());
      case Operator::Variable:
        return term.sort() == Sort::Boolean ? context_.bool_const(term.name().c_str())
                                            : context_.int_const(term.name().c_str());
      default: break;
    }
    z3::expr_vector a(context_);
    for (const Term& argument : term.arguments()) a.push_back(express(argument));
    switch (term.op()) {
      case Operator::Not: return !a[0];
      case Operator::And: return z3::mk_and(a);
      case Operator::Or: return z3::mk_or(a);
      case Operator::Implies: return z3::implies(a[0], a[1]);
      case Operator::Equal: return a[0] == a[1];
      case Operator::AtMost: return a[0] <= a[1];
      case Operator::Sum: return z3::sum(a);
      case Operator::Product: return a[0] * a[1];
      default: return z3::ite(a[0], a[1], a[2]);
    }
  }

  z3::context context_;
  z3::solver solver_;
  unsigned limit_ = UINT_MAX;
  std::unordered_map<const void*, std::pair<Term, z3::expr>> expressed_;
};

}  // namespace

}  // namespace heddle::solver

extern "C" heddle::solver::SmtSolver* heddle_make_smt_solver() {
  return heddle::solver::guarded([] { return new heddle::solver::Z3Solver(); });
}
