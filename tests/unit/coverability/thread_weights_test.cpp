#include "coverability/thread_weights.hpp"

#include <gtest/gtest.h>

#include <random>

#include "coverability/fewest_threads.hpp"
#include "support/builders.hpp"
#include "support/naive_cutoff.hpp"

namespace heddle::coverability {
namespace {

/// The greatest value over all x ≤ 12 that are multiples of 1/12, if the limits allow no more.
double best_on_grid(const LinearProgram& program) {
  double best = 0;
  for (int x = 0; x <= 144; ++x)
    for (int y = 0; y <= 144; ++y) {
      const bool allowed = std::ranges::all_of(program.rows, [&](const LinearProgram::Row& row) {
        return row.coefficients[0] * x + row.coefficients[1] * y <= 12 * row.limit;
      });
      if (!allowed) continue;
      best = std::max(
          best, static_cast<double>(program.objective[0] * x + program.objective[1] * y) / 12);
    }
  return best;
}

TEST(LinearProgram, FindsTheGreatestValue) {
  std::mt19937_64 random(7);
  const auto number = [&](int low, int high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (int i = 0; i < 300; ++i) {
    LinearProgram program{{number(-2, 3), number(-2, 3)}, {{{1, 0}, 12}, {{0, 1}, 12}}};
    // Vertices of these rows are multiples of 1/12 at the least.
    for (int k = 0; k < 3; ++k)
      program.rows.push_back({{number(-1, 2), number(-1, 2)}, number(0, 9)});
    const auto found = maximize(program, 100);
    ASSERT_TRUE(found.has_value());
    double value = 0;
    for (std::size_t j = 0; j < 2; ++j)
      value += static_cast<double>(program.objective[j] * found->numerators[j]) /
               static_cast<double>(found->denominator);
    EXPECT_NEAR(value, best_on_grid(program), 1e-9);
    for (const auto& row : program.rows)
      EXPECT_LE(
          row.coefficients[0] * found->numerators[0] + row.coefficients[1] * found->numerators[1],
          row.limit * found->denominator);
  }
}

TEST(LinearProgram, GivesUpOnWhatHasNoEndOrDoesNotFit) {
  EXPECT_FALSE(maximize({{1}, {{{-1}, 0}}}, 10).has_value()) << "unbounded";
  EXPECT_FALSE(maximize({{1, 1}, {{{1, 0}, 1}, {{0, 1}, 1}}}, 1).has_value())
      << "too few exchanges";
  const std::int64_t large = INT64_MAX / 2;
  EXPECT_FALSE(maximize({{1, 1}, {{{large, 1}, large}, {{1, large}, large}}}, 10).has_value());
}

/// Bounds by weightings are never above the truth, and with them the search gives the same numbers
/// as brute force: on random nets with weighted arcs and several initial regions.
TEST(ThreadWeights, NeverAskForMoreThreadsThanItTakes) {
  std::mt19937_64 random(3);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::size_t raised = 0;
  for (int i = 0; i < 400; ++i) {
    model::PetriNet net = test::net(4);
    for (int t = 0; t < 4; ++t)
      model::add_transition(
          net, "t", {{model::Counter(below(4)), 1 + below(3)}, {model::Counter(below(4)), 1}},
          {{model::Counter(below(4)), 1 + below(2)}});
    auto task =
        test::task(net, {test::any_number(0, {0}), test::marking({below(2), below(3), 0, 0})}, {});
    task.question.initial[0].bounds.push_back({model::Counter(1u), 0, base::Integer(below(3))});
    const auto family = thread_family(task);
    ASSERT_TRUE(family.has_value());
    ThreadWeights weights(*family);
    FewestThreads fewest(task, *family);
    for (const auto& [state, threads] : test::naive_first_reached(task, 7)) {
      const std::vector<CounterCount> demand{{state.local.value, 1}};
      while (weights.look_for_more(weights.least_threads(0, demand).threads, 0, demand)) ++raised;
      EXPECT_LE(weights.least_threads(0, demand).threads, threads) << i;
      base::RunContext context;
      const auto found = fewest.ask(std::vector{Demand{0, demand}}, 7, {}, context);
      ASSERT_TRUE(std::holds_alternative<CoveredBy>(found));
      EXPECT_EQ(std::get<CoveredBy>(found).threads, threads) << i;
    }
  }
  EXPECT_GT(raised, 100u);
}

}  // namespace
}  // namespace heddle::coverability
