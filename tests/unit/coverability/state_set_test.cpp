#include "coverability/state_set.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "support/random.hpp"

namespace heddle::coverability {
namespace {

TEST(StateSet, KeepsEachCodeOnceAndInOrder) {
  StateSet<NarrowKey> set;
  std::unordered_map<NarrowKey, StateId> expected;
  test::Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const NarrowKey key = NarrowKey{random.below(100'000)} << (random.one_in(2) ? 40 : 0);
    const auto place = set.place_of(key);
    ASSERT_EQ(place.is_taken, expected.contains(key));
    if (place.is_taken) continue;
    const StateId id = set.add(place, key);
    ASSERT_EQ(id, expected.size());
    expected.emplace(key, id);
  }
  ASSERT_EQ(set.size(), expected.size());
  for (const auto& [key, id] : expected) {
    ASSERT_EQ(set.find(key), id);
    ASSERT_EQ(set[id], key);
  }
  EXPECT_FALSE(set.contains(set.hashed(NarrowKey{1} << 63)));
  EXPECT_LT(set.bytes(), 16 * set.size());
}

TEST(StateSet, TellsWideCodesApartByTheirUpperHalves) {
  StateSet<WideKey> set;
  for (unsigned i = 0; i < 5000; ++i) {
    const WideKey key = WideKey{i} << 64 | 7;
    const auto place = set.place_of(key);
    ASSERT_FALSE(place.is_taken) << i;
    EXPECT_EQ(set.add(place, key), i);
  }
  EXPECT_TRUE(set.contains(set.hashed(WideKey{4999} << 64 | 7)));
  EXPECT_FALSE(set.contains(set.hashed(WideKey{5000} << 64 | 7)));
}

}  // namespace
}  // namespace heddle::coverability
