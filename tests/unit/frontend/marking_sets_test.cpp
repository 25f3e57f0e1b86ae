/// Sets of markings against the comparisons they stand for, exhaustively on small numbers.

#include "frontend/petri/marking_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::frontend::petri::marking_sets_test {
namespace {

using model::Configuration;
using model::PlaceId;

constexpr int kMostTokens = 5;

bool holds(int value, Relation relation) {
  switch (relation) {
    case Relation::Less: return value < 0;
    case Relation::LessEqual: return value <= 0;
    case Relation::Equal: return value == 0;
    case Relation::NotEqual: return value != 0;
    case Relation::GreaterEqual: return value >= 0;
    case Relation::Greater: return value > 0;
  }
  return false;
}

bool contains(const MarkingSet& set, const Configuration& marking) {
  return std::ranges::any_of(set, [&](const model::Region& region) {
    return model::target_region_contains(region, marking);
  });
}

Configuration marking(int p, int q, int r) {
  Configuration out;
  out.counts.set(PlaceId(0u), p);
  out.counts.set(PlaceId(1u), q);
  out.counts.set(PlaceId(2u), r);
  return out;
}

/// Does the set hold the markings where `a·p + b·q + c·r + constant relation 0`, and no others?
void expect_exact(const MarkingSet& set, int a, int b, int c, int constant, Relation relation) {
  for (int p = 0; p <= kMostTokens; ++p)
    for (int q = 0; q <= kMostTokens; ++q)
      for (int r = 0; r <= kMostTokens; ++r)
        ASSERT_EQ(contains(set, marking(p, q, r)),
                  holds(a * p + b * q + c * r + constant, relation))
            << a << "p + " << b << "q + " << c << "r + " << constant << ", relation "
            << static_cast<int>(relation) << " at " << p << "," << q << "," << r;
}

LinearSum linear(int a, int b, int c, int constant) {
  LinearSum sum;
  sum.add(PlaceId(0u), a);
  sum.add(PlaceId(1u), b);
  sum.add(PlaceId(2u), c);
  sum.constant = constant;
  return sum;
}

TEST(MarkingSets, AreExact) {
  for (int a = -2; a <= 3; ++a)
    for (int b = -1; b <= 2; ++b)
      for (int c = -1; c <= 1; ++c)
        for (int constant = -5; constant <= 5; ++constant)
          for (int relation = 0; relation < 6; ++relation) {
            const auto how = static_cast<Relation>(relation);
            expect_exact(where(linear(a, b, c, constant), how), a, b, c, constant, how);
            if (testing::Test::HasFatalFailure()) return;
          }
}

TEST(MarkingSets, BoundsOnOnePlaceAreBoxes) {
  for (int a = -3; a <= 3; ++a)
    for (int constant = -7; constant <= 7; ++constant)
      for (int relation = 0; relation < 6; ++relation)
        for (const auto& region : where(linear(a, 0, 0, constant), static_cast<Relation>(relation)))
          EXPECT_TRUE(region.condition.is_true());
}

TEST(MarkingSets, LowerBoundsOnSumsHaveNoRedundantCases) {
  const auto set = where(linear(2, 3, 1, -6), Relation::GreaterEqual);
  for (const auto& a : set)
    for (const auto& b : set)
      EXPECT_TRUE(a == b || !model::least_element(a).covers(model::least_element(b)));
}

TEST(MarkingSets, UnionAndIntersectionAreThose) {
  const auto low = where(linear(1, 0, 0, -2), Relation::LessEqual);
  const auto sum = where(linear(1, 1, 0, -3), Relation::GreaterEqual);
  const auto greater = where(linear(1, -1, 0, 0), Relation::Greater);
  const auto joint = intersect(unite(low, greater), unite(sum, greater));
  for (int p = 0; p <= kMostTokens; ++p)
    for (int q = 0; q <= kMostTokens; ++q) {
      const Configuration at = marking(p, q, 0);
      EXPECT_EQ(contains(intersect(low, sum), at), p <= 2 && p + q >= 3);
      EXPECT_EQ(contains(unite(low, sum), at), p <= 2 || p + q >= 3);
      EXPECT_EQ(contains(joint, at), (p <= 2 || p > q) && (p + q >= 3 || p > q));
    }
}

TEST(MarkingSets, ATransitionIsFireableOrNot) {
  model::PetriNet net;
  net.places = {"p", "q", "r"};
  model::add_transition(net, "t", {{PlaceId(0u), 2}, {PlaceId(1u), 1}}, {{PlaceId(0u), 1}});
  const auto yes = where_fireable(net.transitions[0], false);
  const auto no = where_fireable(net.transitions[0], true);
  ASSERT_TRUE(yes && no);
  for (int p = 0; p <= kMostTokens; ++p)
    for (int q = 0; q <= kMostTokens; ++q) {
      const auto at = marking(p, q, 0);
      const bool fires = model::step(net, at, model::TransitionId(0u)).has_value();
      EXPECT_EQ(contains(*yes, at), fires);
      EXPECT_EQ(contains(*no, at), !fires);
    }
}

TEST(MarkingSets, ManyCasesAreOneCondition) {
  const auto far = where(linear(1, 1, 1, -1000000), Relation::GreaterEqual);
  ASSERT_EQ(far.size(), 1u);
  EXPECT_FALSE(far[0].condition.is_true());
  const auto many = where(linear(1, 1, 0, -100), Relation::GreaterEqual);
  EXPECT_EQ(many.size(), 101u);
  EXPECT_EQ(intersect(many, many).size(), 1u);
}

/// Either of two places is empty, for each of many pairs: 2^pairs boxes, and as many parts as
/// pairs.
TEST(MarkingSets, ConditionsAreNotMultipliedOut) {
  MarkingSet all = all_markings();
  for (unsigned i = 0; i < 100; ++i) {
    LinearSum first, second;
    first.add(PlaceId(2 * i), 1);
    second.add(PlaceId(2 * i + 1), 1);
    all = intersect(std::move(all),
                    unite(where(first, Relation::Equal), where(second, Relation::Equal)));
  }
  std::size_t inequalities = 0;
  for (const model::Region& region : all)
    model::for_each_inequality(region.condition, [&](const auto&) { ++inequalities; });
  EXPECT_LE(inequalities, 200u);
}

TEST(MarkingSets, BracketsAroundUnionsDoNotMatter) {
  const auto box = [](int tokens) { return where(linear(1, 0, 0, -tokens), Relation::Equal); };
  MarkingSet one_by_one, first, second;
  for (int i = 0; i < 30; ++i) {
    one_by_one = unite(std::move(one_by_one), box(i));
    MarkingSet& half = i < 15 ? first : second;
    half = unite(std::move(half), box(i));
  }
  EXPECT_EQ(one_by_one, unite(first, second));
  EXPECT_EQ(one_by_one.size(), 1u);
}

TEST(MarkingSets, NoMarkingIsATargetOfItsOwn) {
  const auto targets = to_targets(intersect(where(linear(1, 0, 0, -2), Relation::GreaterEqual),
                                            where(linear(1, 0, 0, -1), Relation::LessEqual)));
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_TRUE(targets[0].condition.is_false());
}

}  // namespace
}  // namespace heddle::frontend::petri::marking_sets_test
