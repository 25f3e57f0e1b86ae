#include "solver/linear_cone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::solver {
namespace {

using testing::ElementsAre;

std::optional<std::vector<std::int64_t>> weights_in(const LinearCone& cone) {
  std::uint64_t work = 1'000'000;
  return find_in(cone, work);
}

TEST(LinearCone, FindsWeights) {
  // 2·w0 ≤ 3·w1 and w1 ≤ w2: something of w0 costs at least two thirds of it in the others.
  const LinearCone cone{3, {{{0, 2}, {1, -3}}, {{1, 1}, {2, -1}}}, {{{0, 3}, {2, -4}}}};
  const auto weights = weights_in(cone);
  ASSERT_TRUE(weights);
  EXPECT_THAT(*weights, ElementsAre(3, 2, 2));
  EXPECT_FALSE(weights_in({3, cone.rows, {{{0, 2}, {2, -3}}}}));
  EXPECT_FALSE(weights_in({3, cone.rows, {{{0, 3}, {2, -4}}, {{0, -1}}}}))
      << "all gains are wanted";
}

TEST(LinearCone, GivesUpWhenItHasWorkedEnough) {
  const LinearCone cone{1, {}, {{{0, 1}}}};
  std::uint64_t work = 5;
  EXPECT_FALSE(find_in(cone, work));
  work = 1000;
  EXPECT_TRUE(find_in(cone, work));
  EXPECT_LT(work, 1000u);
}

TEST(LinearCone, AddsCoefficientsOfTheSameColumn) {
  // w0 − w0 + w1 ≤ 0, and w0 + w0 > w0.
  EXPECT_THAT(*weights_in({2, {{{0, 1}, {0, -1}, {1, 1}}}, {{{0, 1}, {0, 1}, {0, -1}}}}),
              ElementsAre(1, 0));
}

TEST(LinearCone, FindsWholeNumbersOfUnlikeFractions) {
  // Two rows for each proportion; the greatest weight is the unit, the others are fractions of it.
  const LinearCone cone{
      3,
      {{{1, 1}, {0, -7}}, {{1, -1}, {0, 7}}, {{2, 1}, {1, -13}}, {{2, -1}, {1, 13}}},
      {{{2, 1}}}};
  EXPECT_THAT(*weights_in(cone), ElementsAre(1, 7, 91));
}

}  // namespace
}  // namespace heddle::solver
