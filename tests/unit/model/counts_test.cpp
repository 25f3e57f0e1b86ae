#include "model/counts.hpp"

#include <gtest/gtest.h>

#include "base/invariant.hpp"
#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::counts;

TEST(Counts, AreSortedAndWithoutZeros) {
  Counts c{{Counter(3u), 1}, {Counter(1u), 2}, {Counter(2u), 0}, {Counter(3u), 4}};
  const std::vector<Counts::Entry> expected = {{Counter(1u), 2}, {Counter(3u), 5}};
  EXPECT_EQ(c.entries(), expected);
  EXPECT_EQ(c[Counter(3u)], 5);
  EXPECT_EQ(c[Counter(2u)], 0);
  EXPECT_EQ(c.total(), 7);
}

TEST(Counts, SettingToZeroRemoves) {
  Counts c = counts({1, 2});
  c.set(Counter(0u), 0);
  EXPECT_EQ(c, counts({0, 2}));
  c.add(Counter(1u), -2);
  EXPECT_TRUE(c.empty());
  EXPECT_EQ(c, Counts{});
}

TEST(Counts, NeverBecomeNegative) {
  Counts c = counts({1});
  EXPECT_THROW(c.add(Counter(0u), -2), base::InternalError);
  EXPECT_THROW(c.set(Counter(5u), -1), base::InternalError);
}

TEST(Counts, CoverComponentwise) {
  EXPECT_TRUE(counts({1, 2, 3}).covers(counts({1, 2, 3})));
  EXPECT_TRUE(counts({1, 2, 3}).covers(counts({0, 2})));
  EXPECT_TRUE(counts({}).covers(counts({})));
  EXPECT_FALSE(counts({1, 2, 3}).covers(counts({0, 3})));
  EXPECT_FALSE(counts({5}).covers(counts({0, 1})));
  EXPECT_FALSE(counts({0, 5}).covers(counts({1})));
}

TEST(Counts, AreExactWhateverTheSize) {
  const Integer large("340282366920938463463374607431768211456");  // 2^128
  Counts c;
  c.set(Counter(0u), large);
  c.add(Counter(0u), 1);
  c.add(Counter(1u), large);
  EXPECT_EQ(c[Counter(0u)], large + 1);
  EXPECT_EQ(c.total(), 2 * large + 1);
  EXPECT_FALSE(Counts({{Counter(0u), large}}).covers(c));
  EXPECT_TRUE(c.covers(Counts({{Counter(0u), large}})));
}

TEST(Counts, HaveAStrictOrder) {
  EXPECT_TRUE(counts({1}) < counts({2}));
  EXPECT_FALSE(counts({2}) < counts({2}));
  EXPECT_TRUE(counts({}) < counts({1}));
}

}  // namespace
}  // namespace heddle::model
