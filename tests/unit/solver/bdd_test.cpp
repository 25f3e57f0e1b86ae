#include "solver/bdd.hpp"

#include <gtest/gtest.h>

#include "base/invariant.hpp"

namespace heddle::solver {
namespace {

/// Every valuation of the first variables in the set, as bits.
std::vector<unsigned> members(const BddSpace& space, const Bdd& set, unsigned variables) {
  std::vector<unsigned> out;
  for (unsigned bits = 0; bits < (1U << variables); ++bits) {
    std::vector<std::pair<BddVariable, bool>> values;
    for (unsigned v = 0; v < variables; ++v) values.emplace_back(v, ((bits >> v) & 1U) != 0);
    if (!(set & space.cube(values)).is_false()) out.push_back(bits);
  }
  return out;
}

TEST(Bdd, OperationsAreThoseOfSets) {
  const BddSpace space(3);
  const Bdd a = space.variable(0), b = space.variable(1), c = space.variable(2);
  EXPECT_EQ(members(space, a & b, 3), (std::vector<unsigned>{3, 7}));
  EXPECT_EQ(members(space, (a | b) - c, 3), (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(members(space, a.iff(b) & !c, 3), (std::vector<unsigned>{0, 3}));
  EXPECT_EQ(members(space, a.ite(b, c), 3), (std::vector<unsigned>{3, 4, 6, 7}));
  EXPECT_EQ(space.exists(a & b, space.all_of(std::vector<BddVariable>{0})), b);
  EXPECT_EQ(space.exists_and(a.iff(b), b.iff(c), space.all_of(std::vector<BddVariable>{1})),
            a.iff(c));
  const Bdd choice = b.ite(a, c);
  EXPECT_EQ(choice.variable(), 0U);
  EXPECT_EQ(choice.low(), c - b);
  EXPECT_EQ(choice.high(), b | c);
  EXPECT_EQ(space.restrict_to(choice, b - a), space.constant(false));
  EXPECT_EQ(space.restrict_to(choice, !b), c);
  EXPECT_TRUE(Bdd().is_constant() && !choice.is_constant());
  EXPECT_TRUE(Bdd().is_false());
  EXPECT_TRUE(space.constant(true).is_true());
}

TEST(Bdd, RenamingIsSimultaneous) {
  const BddSpace space(3);
  const std::vector<std::pair<BddVariable, BddVariable>> swap{{0, 1}, {1, 0}};
  const Bdd set = space.variable(0) - space.variable(1);
  EXPECT_EQ(BddRenaming(swap)(set), space.variable(1) - space.variable(0));
}

/// Equal renamings are one, of one space: none is left for the space that comes next.
TEST(Bdd, RenamingsEndWithTheirSpace) {
  const std::vector<std::pair<BddVariable, BddVariable>> up{{0, 1}, {1, 2}};
  const std::vector<std::pair<BddVariable, BddVariable>> same{{1, 2}, {0, 1}};
  for (const std::uint32_t variables : {3U, 5U}) {
    const BddSpace space(variables);
    const Bdd set = space.variable(0) - space.variable(1);
    EXPECT_EQ(BddRenaming(up)(set), space.variable(1) - space.variable(2));
    EXPECT_EQ(BddRenaming(same)(set), space.variable(1) - space.variable(2));
  }
}

TEST(Bdd, PicksAMemberWithZeroesWhereItDoesNotMatter) {
  const BddSpace space(4);
  const Bdd set = (space.variable(1) | space.variable(2)) & !space.variable(0);
  const std::vector<bool> picked = space.pick(set);
  EXPECT_EQ(picked, (std::vector<bool>{false, false, true, false}));
}

TEST(Bdd, WritesSharedNodesOnceAndChildrenFirst) {
  const BddSpace space(3);
  const Bdd inner = space.variable(1) | space.variable(2);
  const Bdd outer = space.variable(0) & inner;
  BddWriter writer;
  const std::uint32_t first = writer.add(inner);
  const std::uint32_t second = writer.add(outer);
  ASSERT_EQ(writer.nodes().size(), 3U);
  EXPECT_EQ(first, 3U);
  EXPECT_EQ(second, 4U);
  EXPECT_EQ(writer.nodes()[2].variable, 0U);
  EXPECT_EQ(writer.nodes()[2].high, first);
  EXPECT_EQ(writer.add(space.constant(true)), 1U);
}

TEST(Bdd, OneSpaceAtATime) {
  const BddSpace space(1);
  EXPECT_THROW(BddSpace(1), base::InternalError);
}

TEST(Bdd, OutOfMemoryIsAnException) {
  constexpr std::uint32_t kPairs = 40;
  const auto grow = [](std::uint64_t memory_mb) {
    const BddSpace space(2 * kPairs, memory_mb);
    Bdd all = space.constant(true);  // equal halves, far apart: exponential
    for (std::uint32_t i = 0; i < kPairs; ++i)
      all &= space.variable(i).iff(space.variable(kPairs + i));
  };
  EXPECT_THROW(grow(20), std::bad_alloc);
  const BddSpace after(1);
  EXPECT_FALSE(after.variable(0).is_false());
}

TEST(Bdd, ASpaceCanFollowAnother) {
  for (unsigned i = 1; i < 4; ++i) {
    const BddSpace space(i);
    EXPECT_EQ(space.variable_count(), i);
    EXPECT_FALSE(space.variable(i - 1).is_false());
  }
}

}  // namespace
}  // namespace heddle::solver
