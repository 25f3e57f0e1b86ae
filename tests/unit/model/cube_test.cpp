#include "model/boolean_program/cube.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <vector>

#include "support/random.hpp"

namespace heddle::model::boolean {
namespace {

using Plain = std::bitset<kMostVariables>;

Plain plain(const Valuation& values) {
  Plain out;
  for (std::uint32_t i = 0; i < kMostVariables; ++i) out[i] = values[i];
  return out;
}

/// Few bits, those at the edges of words among them.
Valuation some_bits(test::Random& random) {
  constexpr std::uint32_t kEdges[] = {0, 1, 62, 63, 64, 65, 126, 127};
  Valuation out;
  for (const std::uint32_t i : kEdges)
    if (random.one_in(2)) out |= bit(i);
  return random.one_in(3) ? ~out : out;
}

TEST(Valuation, AgreesWithABitset) {
  test::Random random(41);
  for (int round = 0; round < 2'000; ++round) {
    const Valuation a = some_bits(random);
    const Valuation b = some_bits(random);
    EXPECT_EQ(plain(a & b), plain(a) & plain(b));
    EXPECT_EQ(plain(a | b), plain(a) | plain(b));
    EXPECT_EQ(plain(a ^ b), plain(a) ^ plain(b));
    EXPECT_EQ(plain(~a), ~plain(a));
    EXPECT_EQ(a == b, plain(a) == plain(b));
    EXPECT_EQ(a.count(), plain(a).count());
    EXPECT_EQ(a < b, plain(a).to_string() < plain(b).to_string());
    std::uint32_t lowest = 0;
    while (lowest < kMostVariables && !plain(a)[lowest]) ++lowest;
    EXPECT_EQ(a.lowest(), lowest);
  }
}

TEST(Valuation, SubsetsCountOverTheEdgeOfAWord) {
  const Valuation open = bit(3) | bit(63) | bit(64) | bit(127);
  std::vector<Valuation> subsets;
  for (Valuation pick = 0;; pick = pick.next_within(open)) {
    EXPECT_EQ(pick & ~open, Valuation());
    subsets.push_back(pick);
    if (pick == open) break;
  }
  EXPECT_EQ(subsets.size(), 16u);
  EXPECT_TRUE(std::ranges::is_sorted(subsets));
  EXPECT_EQ(std::ranges::adjacent_find(subsets), subsets.end());
  EXPECT_EQ(open.next_within(open), Valuation());
}

TEST(Valuation, TheFirstVariables) {
  for (const std::uint32_t count : {0U, 1U, 63U, 64U, 65U, 127U, 128U}) {
    const Valuation first = Valuation::first(count);
    EXPECT_EQ(first.count(), count);
    EXPECT_EQ((~first).lowest(), count);
  }
}

/// Cubes and their members, on variables on both sides of the edge.
TEST(Cube, AgreesWithItsMembers) {
  const Valuation all = bit(62) | bit(63) | bit(64) | bit(127);
  std::vector<Valuation> valuations;
  for (Valuation pick = 0; valuations.size() < 16; pick = pick.next_within(all))
    valuations.push_back(pick);
  std::vector<Cube> cubes;
  for (const Valuation& mask : valuations)
    for (const Valuation& value : valuations)
      if ((value & ~mask) == 0) cubes.push_back({mask, value});
  ASSERT_EQ(cubes.size(), 81u);
  const auto members = [&](const Cube& cube) {
    std::vector<Valuation> out;
    std::ranges::copy_if(valuations, std::back_inserter(out),
                         [&](const Valuation& v) { return cube.contains(v); });
    return out;
  };
  for (const Cube& a : cubes)
    for (const Cube& b : cubes) {
      const auto of_a = members(a);
      const auto of_b = members(b);
      std::vector<Valuation> common;
      std::ranges::set_intersection(of_a, of_b, std::back_inserter(common));
      EXPECT_EQ(a.contains(b), common == of_b);
      EXPECT_EQ(a.meets(b), !common.empty());
      if (a.meets(b)) {
        EXPECT_EQ(members(a.with(b)), common);
      }
      EXPECT_TRUE(a.hull(b).contains(a) && a.hull(b).contains(b));
      EXPECT_EQ(a.hull(b).mask, a.mask & b.mask & ~(a.value ^ b.value));
      for (const std::uint32_t i : {62U, 63U, 64U, 127U}) {
        EXPECT_EQ(a[i], a.mask[i] ? std::optional(a.value[i]) : std::nullopt);
        EXPECT_EQ(a.with(i, true)[i], true);
        EXPECT_EQ(a.with(i, false)[i], false);
        EXPECT_EQ(a.without(bit(i))[i], std::nullopt);
      }
    }
}

}  // namespace
}  // namespace heddle::model::boolean
