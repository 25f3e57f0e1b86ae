#include "engine/compositional/samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compositional/bounds.hpp"
#include "term/evaluate.hpp"

namespace heddle::engine::compositional {
namespace {

using base::Integer;
using term::HornAtom;
using term::Sort;
using term::Term;

class SampledClauses : public testing::Test {
 protected:
  void clause(std::vector<HornAtom> body, const Term& constraint, HornAtom head) {
    system.clauses.push_back({std::move(body), constraint, std::move(head), ""});
  }
  void error(std::vector<HornAtom> body, const Term& constraint) {
    system.clauses.push_back({std::move(body), constraint, std::nullopt, "error"});
  }
  Samples sampled() const {
    base::RunContext context;
    return sample(system, context);
  }
  static bool has(const std::vector<std::vector<Integer>>& states, std::vector<Integer> state) {
    return std::ranges::find(states, state) != states.end();
  }

  const Term x = term::variable("x", Sort::Integer), y = term::variable("y", Sort::Integer);
  const Term z = term::variable("z", Sort::Integer), any = term::constant(true);
  term::HornSystem system;
  const term::HornPredicate p = system.add("P", {x});
};

TEST_F(SampledClauses, FewStatesAreTheSolution) {
  clause({}, any, {p, {number(0)}});
  clause({{p, {x}}}, term::at_most(x, number(4)), {p, {term::sum({x, number(1)})}});
  const Samples found = sampled();
  EXPECT_TRUE(found.are_all);
  EXPECT_FALSE(found.is_refuted);
  EXPECT_EQ(found.states[0].size(), 6U);
  const Term formula = solution_of(system, found).formulas[0];
  for (int value = -1; value <= 6; ++value)
    EXPECT_EQ(term::holds(formula, [&](const Term&) { return Integer(value); }),
              0 <= value && value <= 5);
}

TEST_F(SampledClauses, AreRefutedByOneOfThem) {
  clause({}, any, {p, {number(0)}});
  clause({{p, {x}}}, any, {p, {term::sum({x, number(3)})}});
  error({{p, {x}}}, term::equal(x, number(30)));
  EXPECT_TRUE(sampled().is_refuted);
  system.clauses.back().constraint = term::equal(x, number(31));
  EXPECT_FALSE(sampled().is_refuted);
}

/// An unbounded number of states is never called all of them.
TEST_F(SampledClauses, ManyStatesAreNotAll) {
  clause({}, any, {p, {number(0)}});
  clause({{p, {x}}}, any, {p, {term::sum({x, number(1)})}});
  EXPECT_FALSE(sampled().are_all);
}

TEST_F(SampledClauses, InputsAreEndsOfTheirRangesAndConstants) {
  const Term in_range =
      term::conjunction({term::at_most(number(0), z), term::at_most(z, number(99)),
                         term::at_most(number(20), term::sum({z, number(-20)}))});
  clause({}, in_range, {p, {z}});
  const Samples found = sampled();
  EXPECT_FALSE(found.are_all);
  EXPECT_TRUE(has(found.states[0], {99}));
  for (const auto& state : found.states[0]) EXPECT_GE(state[0], 40);
}

/// A variable that only its range speaks about is no input.
TEST_F(SampledClauses, UnusedVariablesLeaveNothingOut) {
  clause({}, term::conjunction({term::at_most(number(0), z), term::at_most(z, number(9))}),
         {p, {number(7)}});
  EXPECT_TRUE(sampled().are_all);
}

TEST_F(SampledClauses, EquationsDetermineInputs) {
  const auto q = system.add("Q", {y});
  clause({}, any, {p, {number(1000)}});
  clause({{p, {x}}}, term::equal(term::sum({x, y}), number(777)), {q, {y}});
  EXPECT_TRUE(has(sampled().states[1], {-223}));
}

TEST_F(SampledClauses, AtomsAgreeOnWhatTheyShare) {
  const auto q = system.add("Q", {x, y}), r = system.add("R", {y, z});
  clause({}, any, {p, {number(1)}});
  clause({}, any, {p, {number(2)}});
  clause({}, any, {q, {number(2), number(5)}});
  clause({}, any, {q, {number(3), number(6)}});
  clause({{p, {x}}, {q, {x, y}}}, any, {r, {y, x}});
  const Samples found = sampled();
  EXPECT_EQ(found.states[2], (std::vector<std::vector<Integer>>{{5, 2}}));
  EXPECT_TRUE(found.are_all);
}

/// Where values are too large, something may be left out.
TEST_F(SampledClauses, LargeValuesAreNotWrapped) {
  Integer large = 1;
  large <<= 70;
  clause({}, any, {p, {number(1)}});
  clause({{p, {x}}}, term::at_most(number(1), x), {p, {term::product(large, x)}});
  error({{p, {x}}}, term::at_most(x, number(0)));
  const Samples found = sampled();
  EXPECT_FALSE(found.is_refuted);
  EXPECT_FALSE(found.are_all);
}

TEST_F(SampledClauses, RemaindersAreNotNegative) {
  clause({}, any, {p, {term::remainder(number(-7), 4)}});
  clause({}, any, {p, {term::quotient(number(-7), 4)}});
  const auto q = system.add("Q", {y});
  clause({{p, {x}}}, any, {q, {term::remainder(x, 5)}});
  clause({{p, {x}}}, any, {q, {term::quotient(x, 5)}});
  const Samples found = sampled();
  EXPECT_EQ(found.states[0], (std::vector<std::vector<Integer>>{{1}, {-2}}));
  EXPECT_TRUE(has(found.states[1], {3}));
  EXPECT_TRUE(has(found.states[1], {-1}));
}

/// With samples, bounds are only confirmed by the solver.
TEST_F(SampledClauses, SaveQueriesForBounds) {
  clause({}, any, {p, {number(0)}});
  clause({{p, {x}}}, term::at_most(x, number(8)), {p, {term::sum({x, number(1)})}});
  error({{p, {x}}}, term::at_most(number(10), x));
  base::RunContext context;
  constexpr std::size_t kClauses = 3;
  EXPECT_FALSE(find_bounds(system, BoundForms::All, kClauses, context));
  const auto found = find_bounds(system, BoundForms::All, kClauses, context, sampled());
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_proof);
}

}  // namespace
}  // namespace heddle::engine::compositional
