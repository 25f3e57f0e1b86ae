#include "engine/concolic/feasibility.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/concolic/least_solution.hpp"
#include "support/random.hpp"

namespace heddle::engine::concolic {
namespace {

using base::Integer;
using test::Random;

Affine form(int constant, const std::vector<std::pair<Unknown, int>>& terms) {
  Affine result{constant, {}};
  for (const auto& [unknown, factor] : terms) result.add(unknown, factor);
  return result;
}

bool satisfies(const std::vector<Inequality>& system, const Solution& solution) {
  return std::ranges::all_of(system, [&](const Inequality& inequality) {
    Integer sum = inequality.form.constant;
    for (const auto& [unknown, factor] : inequality.form.terms) {
      const auto rounds = solution.find(rounds_of(unknown / 2));
      const Integer value = rounds == solution.end() ? Integer(0) : rounds->second;
      sum += factor * (unknown == rounds_of(unknown / 2) ? value : std::min<Integer>(value, 1));
    }
    return sum <= inequality.limit;
  });
}

constexpr std::uint32_t kLoops = 3;
constexpr unsigned kMost = 7;  // of each number of rounds, in the search by hand

/// All numbers of rounds up to a bound; nothing if none of them does.
std::optional<Solution> by_hand(const std::vector<Inequality>& system) {
  for (unsigned i = 0; i < (kMost + 1) * (kMost + 1) * (kMost + 1); ++i) {
    const Solution candidate{{rounds_of(0), i % (kMost + 1)},
                             {rounds_of(1), i / (kMost + 1) % (kMost + 1)},
                             {rounds_of(2), i / (kMost + 1) / (kMost + 1)}};
    if (satisfies(system, candidate)) return candidate;
  }
  return std::nullopt;
}

std::vector<Inequality> random_system(Random& random, bool with_limits) {
  std::vector<Inequality> system;
  for (unsigned i = random.between(1, 4); i > 0; --i) {
    Affine affine{static_cast<int>(random.below(6)) - 2, {}};
    for (std::uint32_t c = 0; c < kLoops; ++c) {
      if (random.one_in(2)) affine.add(rounds_of(c), static_cast<int>(random.below(5)) - 3);
      if (random.one_in(4)) affine.add(entered_of(c), static_cast<int>(random.between(1, 2)));
    }
    system.push_back({affine, random.below(3)});
  }
  // So that whatever is feasible is so within the bound.
  for (std::uint32_t c = 0; with_limits && c < kLoops; ++c)
    system.push_back({form(0, {{rounds_of(c), 1}}), kMost});
  return system;
}

TEST(Feasibility, AgreesWithASearchByHand) {
  unsigned feasible = 0;
  FeasibilityCheck check;
  base::RunContext context;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const auto system = random_system(random, true);
    const auto expected = by_hand(system);
    const Feasibility found = check.solve(system, context);
    ASSERT_EQ(std::holds_alternative<Solution>(found), expected.has_value()) << "seed " << seed;
    if (const auto* solution = std::get_if<Solution>(&found)) {
      ASSERT_TRUE(satisfies(system, *solution)) << "seed " << seed;
    }
    feasible += expected.has_value();
  }
  const std::uint64_t solver_calls = check.solver_calls();
  EXPECT_GT(feasible, 100u);
  EXPECT_LT(feasible, 900u);
  EXPECT_GT(solver_calls, 100u) << "the solver should be asked, too";
  EXPECT_LT(solver_calls, 900u) << "and not every time";
}

TEST(Feasibility, KeepsWhatTwoQuestionsHaveInCommon) {
  const Unknown a = rounds_of(0), b = rounds_of(1), c = rounds_of(2);
  const Inequality choice{form(5, {{a, -1}, {b, -1}}), 0};  // more than one can deliver
  const Inequality few{form(0, {{a, 1}, {b, 2}}), 6}, fewer{form(0, {{a, 1}, {b, 1}}), 4};
  FeasibilityCheck check;
  base::RunContext context;
  const auto feasible = [&](const std::vector<Inequality>& system) {
    return std::holds_alternative<Solution>(check.solve(system, context));
  };
  EXPECT_TRUE(feasible({choice, few}));
  EXPECT_EQ(check.assertions(), 2u);
  EXPECT_FALSE(feasible({choice, few, fewer}));
  EXPECT_EQ(check.assertions(), 3u);
  EXPECT_TRUE(feasible({choice, few, {form(1, {{c, -1}}), 0}}));
  EXPECT_EQ(check.assertions(), 4u) << "one is taken back, one is new";
  EXPECT_TRUE(feasible({choice}));
  EXPECT_FALSE(feasible({choice, fewer}));
  EXPECT_EQ(check.assertions(), 5u);
}

TEST(LeastSolution, IsBelowEveryOther) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const auto system = random_system(random, false);
    const auto least = least_solution(system);
    if (!least || !std::holds_alternative<Solution>(*least)) continue;
    ++found;
    const auto& solution = std::get<Solution>(*least);
    ASSERT_TRUE(satisfies(system, solution)) << "seed " << seed;
    for (const auto& [unknown, value] : solution) {
      Solution smaller = solution;
      smaller[unknown] = value - 1;
      EXPECT_FALSE(satisfies(system, smaller)) << "seed " << seed;
    }
  }
  EXPECT_GT(found, 200u);
}

TEST(LeastSolution, RoundsUp) {
  const auto least = least_solution(
      {{form(3, {{rounds_of(0), -2}}), 0}, {form(1, {{rounds_of(0), 5}, {rounds_of(1), -4}}), 2}});
  ASSERT_TRUE(least.has_value());
  EXPECT_EQ(std::get<Solution>(*least), (Solution{{rounds_of(0), 2}, {rounds_of(1), 3}}));
}

TEST(LeastSolution, LeavesToOthersWhatItCannotDecide) {
  const Unknown a = rounds_of(0), b = rounds_of(1);
  EXPECT_FALSE(least_solution({{form(1, {{a, -1}, {b, -1}}), 0}}).has_value()) << "a choice";
  EXPECT_FALSE(least_solution({{form(1, {{a, 1}, {b, -1}}), 0}, {form(0, {{a, -1}, {b, 2}}), 0}})
                   .has_value())
      << "an unknown that depends on itself without end";
  FeasibilityCheck check;
  base::RunContext context;
  EXPECT_TRUE(std::holds_alternative<Infeasible>(
      check.solve({{form(1, {{a, 1}, {b, -1}}), 0}, {form(0, {{a, -1}, {b, 2}}), 0}}, context)));
}

TEST(Feasibility, IsUndecidedWhenStopped) {
  std::stop_source source;
  source.request_stop();
  base::RunContext context({}, 0, source.get_token());
  FeasibilityCheck check;
  const Feasibility found =
      check.solve({{form(1, {{rounds_of(0), -1}, {rounds_of(1), -1}}), 0}}, context);
  EXPECT_TRUE(std::holds_alternative<Undecided>(found));
}

}  // namespace
}  // namespace heddle::engine::concolic
