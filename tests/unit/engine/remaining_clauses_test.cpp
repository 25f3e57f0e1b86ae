#include "engine/compositional/remaining_clauses.hpp"

#include <gtest/gtest.h>

#include "solver/horn.hpp"

namespace heddle::engine::compositional {
namespace {

using term::HornAtom;
using term::Term;

Term integer_term(int value) { return term::constant(base::Integer(value)); }

/// P holds of 0, Q of what follows P, R of what follows Q; R of 3 is an error.
TEST(RemainingClauses, FormulasTakeThePlaceOfPredicates) {
  const Term x = term::variable("x", term::Sort::Integer);
  term::HornSystem system;
  const auto p = system.add("P", {x}), q = system.add("Q", {x}), r = system.add("R", {x});
  const Term next = term::sum({x, integer_term(1)});
  system.clauses.push_back({{}, term::equal(x, integer_term(0)), HornAtom{p, {x}}, "initial"});
  system.clauses.push_back({{{p, {x}}}, term::constant(true), HornAtom{q, {next}}, "first"});
  system.clauses.push_back({{{q, {x}}}, term::constant(true), HornAtom{r, {next}}, "second"});
  system.clauses.push_back({{{r, {x}}}, term::equal(x, integer_term(3)), std::nullopt, "error"});

  term::HornSolution known;
  known.formulas = {term::equal(x, integer_term(0)), term::constant(true),
                    term::at_most(x, integer_term(2))};
  const RemainingClauses left = remaining_clauses(system, known, {true, false, true});
  EXPECT_EQ(left.original, std::vector<std::size_t>{1});
  ASSERT_EQ(left.system.clauses.size(), 2U);  // those about Q
  EXPECT_TRUE(left.system.clauses[0].body.empty());
  EXPECT_FALSE(left.system.clauses[1].head);

  base::RunContext context;
  const solver::HornResult found = solver::solve_horn(left.system, {}, context);
  ASSERT_EQ(found.answer, solver::HornResult::Answer::Solved) << found.why;

  known.formulas[2] = term::at_most(x, integer_term(1));  // too strong: R holds of 2
  EXPECT_EQ(
      solver::solve_horn(remaining_clauses(system, known, {true, false, true}).system, {}, context)
          .answer,
      solver::HornResult::Answer::Refuted);
}

}  // namespace
}  // namespace heddle::engine::compositional
