#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <stop_token>

#include "base/invariant.hpp"
#include "solver/smt.hpp"
#include "solver/smt/z3_terms.hpp"

/// The adapter for Z3, a module of its own. Z3's exceptions stop here.

namespace heddle::solver {

namespace {

using base::Integer;
using term::Term;

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

  z3::expr express(const Term& term) { return terms_.express(term); }

  z3::context context_;
  z3::solver solver_;
  unsigned limit_ = UINT_MAX;
  Z3Terms terms_{context_};
};

}  // namespace

}  // namespace heddle::solver

extern "C" heddle::solver::SmtSolver* heddle_make_smt_solver() {
  return heddle::solver::guarded([] { return new heddle::solver::Z3Solver(); });
}
