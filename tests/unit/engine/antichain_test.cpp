/// The order between elements of the on-the-fly search, against a search through all maps.

#include "engine/onthefly/antichain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/random.hpp"

namespace heddle::engine::onthefly {
namespace {

using model::boolean::Cube;

/// Variables 0, 1 and 70: words of their own, and 70 folds onto another bit than 6.
Cube random_cube(test::Random& random) {
  Cube cube;
  for (const std::uint32_t index : {0U, 1U, 70U})
    if (random.one_in(2)) cube = cube.with(index, random.one_in(2));
  return cube;
}

/// Nodes 0 and 32 have the same place in a signature.
Element random_element(test::Random& random, unsigned most_threads) {
  constexpr std::uint32_t kNodes[] = {0, 1, 32, 39};
  Element element{random_cube(random), {}};
  for (unsigned left = random.between(1, most_threads); left > 0; --left)
    element.threads.push_back(
        {model::boolean::NodeId{kNodes[random.below(4)]}, random_cube(random)});
  std::ranges::sort(element.threads);
  return element;
}

/// Tries every order of the second one's threads.
bool includes_by_brute_force(const Element& a, const Element& b) {
  if (!a.shared.contains(b.shared) || a.threads.size() > b.threads.size()) return false;
  std::vector<std::size_t> order(b.threads.size());
  std::iota(order.begin(), order.end(), 0U);
  do {
    bool fits = true;
    for (std::size_t i = 0; i < a.threads.size(); ++i) {
      const ThreadCube& narrow = b.threads[order[i]];
      fits =
          fits && a.threads[i].node == narrow.node && a.threads[i].values.contains(narrow.values);
    }
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST(Antichain, SignaturesNeverSeparateWhatIsIncluded) {
  test::Random random(1);
  unsigned included = 0, separated = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    const Element a = random_element(random, 2), b = random_element(random, 4);
    const bool expected = includes_by_brute_force(a, b);
    EXPECT_EQ(includes(a, b), expected);
    const bool may_include = Signature(a).is_within(Signature(b));
    EXPECT_TRUE(!expected || may_include);
    included += expected ? 1 : 0;
    separated += may_include ? 0 : 1;
  }
  EXPECT_GT(included, 200U);
  EXPECT_GT(separated, 10'000U);
}

TEST(Antichain, HoldsWhatNoOtherIncludes) {
  test::Random random(2);
  for (unsigned round = 0; round < 50; ++round) {
    Antichain chain(40);
    std::vector<Element> all;
    for (unsigned i = 0; i < 30; ++i) {
      Element element = random_element(random, 3);
      const bool known = std::ranges::any_of(
          all, [&](const Element& other) { return includes_by_brute_force(other, element); });
      EXPECT_EQ(chain.includes(element), known);
      all.push_back(element);
      if (!known) chain.add(std::move(element));
    }
    const std::vector<Element> alive = chain.alive();
    for (const Element& a : alive)
      for (const Element& b : alive) EXPECT_TRUE(a == b || !includes_by_brute_force(a, b));
  }
}

/// More threads than a word has bits.
TEST(Antichain, ComparesElementsOfManyThreads) {
  const ThreadCube thread{model::boolean::NodeId(3U), Cube::all()};
  Element many{Cube::all(), std::vector(70, thread)};
  Element more{Cube::all(), std::vector(71, thread)};
  EXPECT_TRUE(includes(many, more));
  EXPECT_FALSE(includes(more, many));
  EXPECT_TRUE(Signature(many).is_within(Signature(more)));
}

}  // namespace
}  // namespace heddle::engine::onthefly
