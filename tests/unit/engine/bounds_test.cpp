#include "engine/compositional/bounds.hpp"

#include <gtest/gtest.h>

#include "term/print.hpp"

namespace heddle::engine::compositional {
namespace {

using term::HornAtom;
using term::Sort;
using term::Term;

Term number(int value) { return term::constant(base::Integer(value)); }

/// x and y begin at 0; x grows by 1 up to 7, and y with it or before it.
class BoundsOfTwoCounters : public testing::Test {
 protected:
  void SetUp() override {
    counters = system.add("P", {x, y});
    never = system.add("Q", {x});
    system.clauses.push_back(
        {{}, term::constant(true), HornAtom{counters, {number(0), number(0)}}, "initial"});
    system.clauses.push_back({{{counters, {x, y}}},
                              term::at_most(x, number(6)),
                              HornAtom{counters, {plus_one(x), plus_one(y)}},
                              "both"});
    system.clauses.push_back(
        {{{counters, {x, y}}}, term::constant(true), HornAtom{counters, {x, plus_one(y)}}, "y"});
    system.clauses.push_back(
        {{{counters, {x, y}}}, term::at_least(x, plus_one(y)), HornAtom{never, {x}}, "never"});
    system.clauses.push_back(
        {{{never, {x}}}, term::constant(true), HornAtom{never, {plus_one(x)}}, "behind"});
  }

  static Term plus_one(const Term& a) { return term::sum({a, number(1)}); }

  std::optional<Bounds> with_error(const Term& error, std::size_t queries = 1000) {
    term::HornSystem asked = system;
    asked.clauses.push_back({{{counters, {x, y}}}, error, std::nullopt, "error"});
    base::RunContext context;
    return find_bounds(asked, forms, queries, context);
  }

  BoundForms forms = BoundForms::All;
  const Term x = term::variable("x", Sort::Integer), y = term::variable("y", Sort::Integer);
  term::HornSystem system;
  term::HornPredicate counters, never;
};

TEST_F(BoundsOfTwoCounters, CompareThem) {
  const auto found = with_error(term::at_least(x, plus_one(y)));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_proof) << term::to_smtlib(found->solution.formulas[0]);
}

TEST_F(BoundsOfTwoCounters, AsIntervalsKnowConstantsOnly) {
  forms = BoundForms::Intervals;
  const auto constants = with_error(term::at_least(x, number(8)));
  ASSERT_TRUE(constants);
  EXPECT_TRUE(constants->is_proof) << term::to_smtlib(constants->solution.formulas[0]);
  const auto compared = with_error(term::at_least(x, plus_one(y)));
  ASSERT_TRUE(compared);
  EXPECT_FALSE(compared->is_proof);
}

TEST_F(BoundsOfTwoCounters, UseTheConstantsOfTheProgram) {
  const auto found = with_error(term::at_least(x, number(8)));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_proof) << term::to_smtlib(found->solution.formulas[0]);
}

TEST_F(BoundsOfTwoCounters, DoNotProveWhatIsWrong) {
  const auto found = with_error(term::at_least(x, number(7)));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_proof);
}

TEST_F(BoundsOfTwoCounters, WhatIsNeverReachedIsFalse) {
  const auto found = with_error(term::at_least(x, number(7)));
  ASSERT_TRUE(found);
  EXPECT_EQ(term::to_smtlib(found->solution.formulas[1]), "false");
  EXPECT_EQ(strengthened(system, found->solution).clauses.size(), system.clauses.size() - 1);
}

TEST_F(BoundsOfTwoCounters, GiveUpAfterTheirQueries) {
  EXPECT_FALSE(with_error(term::at_least(x, number(8)), 2));
}

/// x and y count up to 10 each, and z is to be x + 2 y, in arithmetic that wraps at `limit`.
std::optional<Bounds> sum_of_counters(int limit) {
  const Term x = term::variable("x", Sort::Integer), y = term::variable("y", Sort::Integer),
             z = term::variable("z", Sort::Integer);
  const auto plus = [&](const Term& a, int by) {
    const Term sum = term::sum({a, number(by)});
    return term::choice(term::at_most(sum, number(limit)), sum, term::sum({sum, number(-limit)}));
  };
  term::HornSystem system;
  const auto counters = system.add("P", {x, y, z});
  system.clauses.push_back(
      {{}, term::constant(true), HornAtom{counters, {number(0), number(0), number(0)}}, "initial"});
  system.clauses.push_back({{{counters, {x, y, z}}},
                            term::at_most(x, number(9)),
                            HornAtom{counters, {plus(x, 1), y, plus(z, 1)}},
                            "x"});
  system.clauses.push_back({{{counters, {x, y, z}}},
                            term::at_most(y, number(9)),
                            HornAtom{counters, {x, plus(y, 1), plus(z, 2)}},
                            "y"});
  system.clauses.push_back({{{counters, {x, y, z}}},
                            term::negation(term::equal(z, term::sum({x, y, y}))),
                            std::nullopt,
                            "error"});
  base::RunContext context;
  return find_bounds(system, BoundForms::All, 1000, context);
}

TEST(BoundsWithEqualities, ExcludeThatSumsWrap) {
  const auto found = sum_of_counters(1000);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_proof) << term::to_smtlib(found->solution.formulas[0]);
}

TEST(BoundsWithEqualities, AreGivenUpWhereSumsWrap) {
  const auto found = sum_of_counters(20);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_proof);
}

}  // namespace
}  // namespace heddle::engine::compositional
