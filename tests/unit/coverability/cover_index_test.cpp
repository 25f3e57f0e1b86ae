#include "coverability/cover_index.hpp"

#include <algorithm>

#include "support/random.hpp"

namespace heddle::coverability {
namespace {

using Word = std::uint32_t;
using Vector = std::vector<std::uint32_t>;

constexpr std::size_t kCounters = 70;  // more than a signature has bits

std::vector<Word> pack(const PackedLayout<Word>& layout, const Vector& dense) {
  std::vector<Word> words;
  for (std::uint32_t i = 0; i < dense.size(); ++i)
    if (dense[i] > 0) words.push_back(layout.pack(i, dense[i]));
  return words;
}

bool below(const Vector& a, const Vector& b) {
  return std::ranges::equal(a, b, std::less_equal<>{});
}

Vector random_vector(test::Random& random) {
  Vector v(kCounters, 0);
  for (unsigned k = random.below(5); k > 0; --k) v[random.below(6) * 13] = random.below(4);
  return v;
}

TEST(PackedLayout, ComparesLikeTheDenseVectors) {
  const PackedLayout<Word> layout(kCounters);
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Vector a = random_vector(random);
    const Vector b = random_vector(random);
    ASSERT_EQ(layout.below(pack(layout, a), pack(layout, b)), below(a, b));
  }
}

TEST(PackedLayout, RefusesWhatDoesNotFit) {
  const PackedLayout<Word> layout(1000);  // 10 bits for the counter, 22 for the count
  EXPECT_EQ(layout.count(layout.pack(999, (1u << 22) - 1)), (1u << 22) - 1);
  EXPECT_EQ(layout.counter(layout.pack(999, 1)), 999u);
  EXPECT_THROW(layout.pack(0, 1u << 22), CountOverflow);
  EXPECT_TRUE(PackedLayout<Word>::fits(1u << 26));
  EXPECT_FALSE(PackedLayout<Word>::fits((1u << 26) + 1));
}

TEST(CoverTrie, AnswersLikeAScanOfAllElements) {
  const PackedLayout<Word> layout(kCounters);
  test::Random random(2);
  for (int round = 0; round < 50; ++round) {
    ElementStore<Word> store;
    CoverTrie<Word> trie(layout, store, 2, kCounters);
    std::vector<std::pair<Control, Vector>> all;
    const auto covered = [&](Control control, const Vector& v, ElementId since) {
      for (ElementId u = since; u < all.size(); ++u)
        if (all[u].first == control && below(all[u].second, v)) return true;
      return false;
    };
    for (int i = 0; i < 300; ++i) {
      const Control control = random.below(2);
      const Vector v = random_vector(random);
      const auto words = pack(layout, v);
      const bool expected = covered(control, v, 0);
      ASSERT_EQ(trie.covers(control, words), expected);
      if (expected) continue;
      trie.insert(store.add(control, words, 0, kNoElement));
      all.emplace_back(control, v);
    }
    // Elements that a later, smaller one makes superfluous are told from the minimal ones.
    for (ElementId id = 0; id < all.size(); ++id)
      ASSERT_EQ(trie.is_superfluous(id), covered(all[id].first, all[id].second, id + 1));
  }
}

TEST(CoverTrie, TheEmptyDemandLiesBelowEverything) {
  const PackedLayout<Word> layout(kCounters);
  ElementStore<Word> store;
  CoverTrie<Word> trie(layout, store, 1, kCounters);
  const auto one = pack(layout, {1});
  trie.insert(store.add(0, one, 0, kNoElement));
  EXPECT_FALSE(trie.covers(0, {}));
  EXPECT_FALSE(trie.is_superfluous(0));
  trie.insert(store.add(0, {}, 0, kNoElement));
  EXPECT_TRUE(trie.covers(0, {}));
  EXPECT_TRUE(trie.covers(0, pack(layout, {0, 0, 5})));
  EXPECT_TRUE(trie.is_superfluous(0));
  EXPECT_FALSE(trie.is_superfluous(1));
}

/// Elements fall by the thousand while the set grows through several epochs.
TEST(CoverTrie, TellsSuperfluousElementsApartAcrossEpochs) {
  constexpr std::uint32_t kSide = 60;  // demands (i, kSide - i, j): only the last count compares
  const PackedLayout<Word> layout(kCounters);
  ElementStore<Word> store;
  CoverTrie<Word> trie(layout, store, 1, kCounters);
  for (std::uint32_t j = kSide; j > 0; --j)
    for (std::uint32_t i = 1; i < kSide; ++i)
      trie.insert(store.add(0, pack(layout, {i, kSide - i, j}), 0, kNoElement));
  ASSERT_GT(store.size(), 3 * 1024u);
  for (ElementId id = 0; id < store.size(); ++id)
    ASSERT_EQ(trie.is_superfluous(id), id + kSide - 1 < store.size()) << id;
}

}  // namespace
}  // namespace heddle::coverability
