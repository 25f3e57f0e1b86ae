#include "solver/horn.hpp"

#include <gtest/gtest.h>

#include "solver/smt.hpp"
#include "term/horn_system.hpp"

namespace heddle::solver {
namespace {

using base::Integer;
using namespace term;

const Term count = variable("x", Sort::Integer);
const Term flag = variable("b", Sort::Boolean);
Term number(long value) { return constant(Integer(value)); }

/// Counts from 0 in steps of `step` while x ≤ 9; x = `bad` is an error.
HornSystem counting(long step, long bad) {
  HornSystem system;
  const HornPredicate p = system.add("p", {count, flag});
  system.clauses.push_back({{}, equal(count, number(0)), HornAtom{p, {count, flag}}, "initial"});
  system.clauses.push_back({{{p, {count, flag}}},
                            at_most(count, number(9)),
                            HornAtom{p, {sum({count, number(step)}), negation(flag)}},
                            "step"});
  system.clauses.push_back(
      {{{p, {count, flag}}}, equal(count, number(bad)), std::nullopt, "error"});
  return system;
}

TEST(Horn, SolutionsMakeEveryClauseValid) {
  for (const bool inlining : {true, false}) {
    HornOptions options;
    options.inlining = inlining;
    const HornSystem system = counting(3, 11);
    const base::RunContext context;
    const HornResult result = solve_horn(system, options, context);
    ASSERT_EQ(result.answer, HornResult::Answer::Solved) << result.why;
    const auto smt = make_smt_solver(SmtBackend::Cvc5);
    for (const HornClause& clause : system.clauses) {
      smt->push();
      smt->add(negation(instance(system, result.solution, clause)));
      EXPECT_EQ(smt->check(context), SmtAnswer::Unsatisfiable) << clause.name;
      smt->pop();
    }
  }
}

TEST(Horn, RefutesWhatHasNoSolution) {
  const HornResult result = solve_horn(counting(3, 12), {}, base::RunContext());
  EXPECT_EQ(result.answer, HornResult::Answer::Refuted);
}

TEST(Horn, GivesUpAtTheDeadline) {
  HornSystem system;  // count and y grow; that y is never count + 1 needs products
  const Term y = variable("y", Sort::Integer), z = variable("z", Sort::Integer);
  const HornPredicate p = system.add("p", {count, y, z});
  system.clauses.push_back(
      {{},
       conjunction({equal(count, number(0)), equal(y, number(0)), equal(z, number(0))}),
       HornAtom{p, {count, y, z}},
       ""});
  system.clauses.push_back({{{p, {count, y, z}}},
                            constant(true),
                            HornAtom{p, {sum({count, number(1)}), sum({y, count}), sum({z, y})}},
                            ""});
  system.clauses.push_back(
      {{{p, {count, y, z}}}, at_most(sum({z, number(1000000)}), y), std::nullopt, ""});
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const HornResult result = solve_horn(system, {}, base::RunContext(limits));
  EXPECT_EQ(result.answer, HornResult::Answer::Unknown);
}

TEST(Horn, PrintsLogicHorn) {
  const std::string text = to_smtlib(counting(1, 11));
  EXPECT_NE(text.find("(set-logic HORN)"), std::string::npos);
  EXPECT_NE(text.find("(declare-fun p (Int Bool) Bool)"), std::string::npos);
  EXPECT_NE(text.find("(=> (and (p x b) (<= x 9)) (p (+ x 1) (not b)))"), std::string::npos);
  EXPECT_NE(text.find("(=> (and (p x b) (= x 11)) false)"), std::string::npos);
}

}  // namespace
}  // namespace heddle::solver
