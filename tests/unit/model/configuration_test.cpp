#include "model/configuration.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::configuration;

const Counter k0(0u), k1(1u), k2(2u);

/// Shared state 1, exactly one in counter 0, two to four in counter 2.
Region box() { return {SharedState(1u), {{k0, 1, Integer(1)}, {k2, 2, Integer(4)}}}; }

TEST(Configuration, CoversNeedsTheSameSharedState) {
  EXPECT_TRUE(configuration(1, {2, 1}).covers(configuration(1, {1, 1})));
  EXPECT_FALSE(configuration(1, {2, 1}).covers(configuration(0, {1, 1})));
  EXPECT_FALSE(configuration(1, {2, 1}).covers(configuration(1, {3})));
}

TEST(Configuration, IsOrderedBySharedStateFirst) {
  EXPECT_TRUE(configuration(0, {9}) < configuration(1, {1}));
  EXPECT_TRUE(configuration(1, {1}) < configuration(1, {2}));
  EXPECT_FALSE(configuration(1, {1}) < configuration(1, {1}));
}

TEST(Configuration, IsExtrapolatedInEveryCounter) {
  const Configuration start = configuration(0, {5, 0, 2});
  const Configuration end = configuration(1, {4, 3, 2});
  EXPECT_EQ(extrapolate(start, end, 0), configuration(1, {5, 0, 2}));
  EXPECT_EQ(extrapolate(start, end, 1), end);
  EXPECT_EQ(extrapolate(start, end, 5), configuration(1, {0, 15, 2}));
  EXPECT_EQ(extrapolate(start, end, 6), std::nullopt);
  EXPECT_EQ(
      extrapolate(configuration(0, {}), configuration(0, {0, 1}), Integer("100000000000000000000"))
          ->counts[k1],
      Integer("100000000000000000000"));
}

TEST(Region, FindsItsBounds) {
  ASSERT_NE(box().find(k2), nullptr);
  EXPECT_EQ(box().bounds[1], *box().find(k2));
  EXPECT_EQ(box().find(k1), nullptr);
  EXPECT_EQ(Region{}.find(k0), nullptr);
}

TEST(Region, UnlistedCountersAreFreeInTargetsOnly) {
  EXPECT_TRUE(target_region_contains(box(), configuration(1, {1, 7, 3})));
  EXPECT_FALSE(initial_region_contains(box(), configuration(1, {1, 7, 3})));
  EXPECT_TRUE(initial_region_contains(box(), configuration(1, {1, 0, 3})));
}

TEST(Region, BothBoundsAndTheSharedStateCount) {
  for (const auto& outside : {configuration(0, {1, 0, 3}), configuration(1, {1, 0, 1}),
                              configuration(1, {1, 0, 5}), configuration(1, {2, 0, 3})}) {
    EXPECT_FALSE(target_region_contains(box(), outside));
    EXPECT_FALSE(initial_region_contains(box(), outside));
  }
  EXPECT_TRUE(target_region_contains(box(), configuration(1, {1, 0, 2})));
  EXPECT_TRUE(target_region_contains(box(), configuration(1, {1, 0, 4})));
}

TEST(Region, UpwardClosedWithoutUpperBounds) {
  EXPECT_FALSE(is_upward_closed(box()));
  EXPECT_TRUE(is_upward_closed(test::target(1, {0, 2})));
  EXPECT_TRUE(is_upward_closed(Region{}));
}

TEST(Region, LeastElementTakesLowerBounds) {
  EXPECT_EQ(least_element(box()), configuration(1, {1, 0, 2}));
  EXPECT_EQ(least_element(test::any_number(2, {0, 1})), configuration(2, {}));
}

TEST(LeastInitialCovering, RaisesLowerBoundsToTheDemand) {
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {0, 0, 3})),
            configuration(1, {1, 0, 3}));
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {1})), configuration(1, {1, 0, 2}));
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {0, 0, 1})),
            configuration(1, {1, 0, 2}));
  EXPECT_EQ(least_initial_covering(test::any_number(0, {1}), configuration(0, {0, 9})),
            configuration(0, {0, 9}));
}

TEST(LeastInitialCovering, FailsWhereTheRegionEnds) {
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {2})), std::nullopt);
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {0, 0, 5})), std::nullopt);
  EXPECT_EQ(least_initial_covering(box(), configuration(1, {0, 1})), std::nullopt);
  EXPECT_EQ(least_initial_covering(box(), configuration(0, {1})), std::nullopt);
}

}  // namespace
}  // namespace heddle::model
