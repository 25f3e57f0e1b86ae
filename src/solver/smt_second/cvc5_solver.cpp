#include <cvc5/cvc5.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "base/invariant.hpp"
#include "solver/smt.hpp"

/// The adapter for cvc5, a module of its own. cvc5's exceptions stop here. It cannot be interrupted
/// from outside, so a stop request is seen before a check, the deadline during it as well.

namespace heddle::solver {

namespace {

using base::Integer;
using term::Operator;
using term::Sort;
using term::Term;

/// Runs `work` and turns cvc5's exceptions into ours.
template <class Work>
auto guarded(Work work) {
  try {
    return work();
  } catch (const cvc5::CVC5ApiException& problem) {
    throw base::InternalError(std::string("cvc5: ") + problem.what());
  }
}

class Cvc5Solver : public SmtSolver {
 public:
  Cvc5Solver() {
    solver_.setOption("incremental", "true");
    solver_.setOption("produce-models", "true");
    solver_.setLogic("QF_LIA");
  }

  void push() override {
    guarded([&] { solver_.push(); });
  }
  void pop() override {
    guarded([&] { solver_.pop(); });
  }

  void add(const Term& formula) override {
    guarded([&] { solver_.assertFormula(express(formula)); });
  }

  void limit_effort(std::uint64_t units) override {
    guarded([&] { solver_.setOption("rlimit-per", std::to_string(units)); });
  }

  SmtAnswer check(const base::RunContext& context) override {
    return guarded([&] {
      if (context.stopped()) return SmtAnswer::Unknown;
      solver_.setOption("tlimit-per", std::to_string(milliseconds_left(context)));
      const cvc5::Result result = solver_.checkSat();
      if (result.isSat()) return SmtAnswer::Satisfiable;
      return result.isUnsat() ? SmtAnswer::Unsatisfiable : SmtAnswer::Unknown;
    });
  }

  Integer value(const Term& variable) override {
    return guarded([&] {
      const cvc5::Term value = solver_.getValue(express(variable));
      if (value.isBooleanValue()) return Integer(value.getBooleanValue() ? 1 : 0);
      return Integer(value.getIntegerValue());
    });
  }

 private:
  /// Rounded up, so that the deadline has passed when cvc5 gives up; and 0 means no limit to it.
  static std::int64_t milliseconds_left(const base::RunContext& context) {
    if (!context.limits().deadline) return 0;
    const auto left = *context.limits().deadline - std::chrono::steady_clock::now();
    return std::max<std::int64_t>(1,
                                  std::chrono::ceil<std::chrono::milliseconds>(left).count() + 1);
  }

  /// Terms are kept with what they became, so that no other term gets the same address.
  cvc5::Term express(const Term& term) {
    const auto known = expressed_.find(term.identity());
    if (known != expressed_.end()) return known->second.second;
    cvc5::Term expression = build(term);
    expressed_.emplace(term.identity(), std::pair(term, expression));
    return expression;
  }

  cvc5::Term build(const Term& term) {
    switch (term.op()) {
      case Operator::Boolean: return solver_.mkBoolean(term.boolean());
      case Operator::Integer: return solver_.mkInteger(base::to_string(term.integer()));
      case Operator::Variable: return variable(term);
      default: return compound(term);
    }
  }

  /// A name stands for one constant of cvc5, however often a term with that name is made.
  cvc5::Term variable(const Term& term) {
    const bool is_boolean = term.sort() == Sort::Boolean;
    auto& constants = is_boolean ? booleans_ : integers_;
    const auto known = constants.find(term.name());
    if (known != constants.end()) return known->second;
    const cvc5::Sort sort = is_boolean ? solver_.getBooleanSort() : solver_.getIntegerSort();
    return constants.emplace(term.name(), solver_.mkConst(sort, term.name())).first->second;
  }

  cvc5::Term compound(const Term& term) {
    std::vector<cvc5::Term> a;
    for (const Term& argument : term.arguments()) a.push_back(express(argument));
    switch (term.op()) {
      case Operator::And:
        if (a.size() < 2) return a.empty() ? solver_.mkBoolean(true) : a.front();
        break;
      case Operator::Or:
        if (a.size() < 2) return a.empty() ? solver_.mkBoolean(false) : a.front();
        break;
      case Operator::Sum:
        if (a.size() < 2) return a.empty() ? solver_.mkInteger(0) : a.front();
        break;
      default: break;
    }
    return solver_.mkTerm(kind_of(term.op()), a);
  }

  static cvc5::Kind kind_of(Operator op) {
    switch (op) {
      case Operator::Not: return cvc5::NOT;
      case Operator::And: return cvc5::AND;
      case Operator::Or: return cvc5::OR;
      case Operator::Implies: return cvc5::IMPLIES;
      case Operator::Equal: return cvc5::EQUAL;
      case Operator::AtMost: return cvc5::LEQ;
      case Operator::Sum: return cvc5::ADD;
      case Operator::Product: return cvc5::MULT;
      case Operator::Quotient: return cvc5::INTS_DIVISION;
      case Operator::Remainder: return cvc5::INTS_MODULUS;
      default: return cvc5::ITE;
    }
  }

  cvc5::Solver solver_;
  std::unordered_map<std::string, cvc5::Term> integers_;
  std::unordered_map<std::string, cvc5::Term> booleans_;
  std::unordered_map<const void*, std::pair<Term, cvc5::Term>> expressed_;
};

}  // namespace

}  // namespace heddle::solver

extern "C" heddle::solver::SmtSolver* heddle_make_smt_solver() {
  return heddle::solver::guarded([] { return new heddle::solver::Cvc5Solver(); });
}
