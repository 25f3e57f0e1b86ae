#include "term/term.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/invariant.hpp"
#include "term/evaluate.hpp"
#include "term/print.hpp"

namespace heddle::term {
namespace {

using base::Integer;

const Term x = variable("x", Sort::Integer);
const Term y = variable("y", Sort::Integer);
const Term p = variable("p", Sort::Boolean);

Term number(const char* digits) { return constant(Integer(digits)); }

Assignment values(std::map<std::string, Integer> table) {
  return [table](const Term& v) { return table.at(v.name()); };
}

TEST(Term, PrintsAsSmtLib) {
  EXPECT_EQ(to_smtlib(at_most(sum({x, product(-2, y), number("3")}), number("-7"))),
            "(<= (+ x (* (- 2) y) 3) (- 7))");
  EXPECT_EQ(to_smtlib(implication(p, disjunction({negation(p), equal(x, y)}))),
            "(=> p (or (not p) (= x y)))");
  EXPECT_EQ(to_smtlib(maximum(x, y)), "(ite (<= y x) x y)");
  EXPECT_EQ(to_smtlib(conjunction({p, at_least(x, y)})), "(and p (<= y x))");
}

TEST(Term, AScriptDeclaresEveryVariableOnce) {
  EXPECT_EQ(to_smtlib_script({at_most(x, y), implication(p, at_most(y, x))}),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n"
            "(declare-const p Bool)\n(assert (<= x y))\n(assert (=> p (<= y x)))\n(check-sat)\n");
}

TEST(Term, ConstantsAreFolded) {
  EXPECT_EQ(to_smtlib(sum({number("2"), x, number("-2")})), "x");
  EXPECT_EQ(to_smtlib(sum({})), "0");
  EXPECT_EQ(to_smtlib(product(0, x)), "0");
  EXPECT_EQ(to_smtlib(product(3, number("4"))), "12");
  EXPECT_EQ(to_smtlib(conjunction({constant(true), p})), "p");
  EXPECT_EQ(to_smtlib(conjunction({constant(false), p})), "false");
  EXPECT_EQ(to_smtlib(disjunction({})), "false");
  EXPECT_EQ(to_smtlib(choice(constant(false), x, y)), "y");
  EXPECT_EQ(to_smtlib(maximum(number("2"), number("5"))), "5");
}

TEST(Term, EvaluatesWithNumbersOfAnySize) {
  const Integer huge = Integer(1) << 200;
  const auto at = values({{"x", huge}, {"y", -3}, {"p", 1}});
  EXPECT_EQ(evaluate(sum({x, product(2, y), number("1")}), at), huge - 5);
  EXPECT_EQ(evaluate(maximum(x, y), at), huge);
  EXPECT_EQ(evaluate(choice(negation(p), x, y), at), -3);
  EXPECT_TRUE(holds(conjunction({p, at_most(y, x), negation(equal(x, y))}), at));
  EXPECT_FALSE(holds(disjunction({negation(p), at_most(x, y)}), at));
  EXPECT_FALSE(holds(implication(p, equal(x, y)), at));
  EXPECT_TRUE(holds(equal(p, implication(negation(p), p)), at));
}

TEST(Term, RefusesArgumentsOfTheWrongSort) {
  EXPECT_THROW(sum({x, p}), base::InternalError);
  EXPECT_THROW(negation(x), base::InternalError);
  EXPECT_THROW(equal(x, p), base::InternalError);
  EXPECT_THROW(choice(p, x, p), base::InternalError);
  EXPECT_THROW(evaluate(p, values({})), base::InternalError);
}

}  // namespace
}  // namespace heddle::term
