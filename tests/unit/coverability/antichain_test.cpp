#include "coverability/antichain.hpp"

#include <algorithm>
#include <random>
#include <set>

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

Vector random_vector(std::mt19937& random) {
  Vector v(kCounters, 0);
  for (std::uint32_t k = random() % 5; k > 0; --k) v[random() % 6 * 13] = random() % 4;
  return v;
}

TEST(PackedLayout, ComparesLikeTheDenseVectors) {
  const PackedLayout<Word> layout(kCounters);
  std::mt19937 random(1);
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
  EXPECT_TRUE(PackedLayout<Word>::fits(1u << 24));
  EXPECT_FALSE(PackedLayout<Word>::fits((1u << 24) + 1));
}

TEST(SignatureAntichain, KeepsExactlyTheMinimalElements) {
  const PackedLayout<Word> layout(kCounters);
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    ElementStore<Word> store;
    SignatureAntichain<Word> antichain(layout, store, 2);
    std::vector<std::pair<Control, Vector>> all;
    std::set<ElementId> expected_dropped;
    std::set<ElementId> dropped;
    for (int i = 0; i < 200; ++i) {
      const Control control = random() % 2;
      const Vector v = random_vector(random);
      const auto words = pack(layout, v);
      const bool expected = std::ranges::any_of(
          all, [&](const auto& u) { return u.first == control && below(u.second, v); });
      ASSERT_EQ(antichain.covers(control, words), expected);
      if (expected) continue;
      const ElementId id = store.add(control, words, 0, kNoElement);
      std::vector<ElementId> out;
      antichain.insert(control, words, id, out);
      for (ElementId u = 0; u < all.size(); ++u)
        if (all[u].first == control && below(v, all[u].second)) expected_dropped.insert(u);
      all.emplace_back(control, v);
      dropped.insert(out.begin(), out.end());
    }
    ASSERT_EQ(dropped, expected_dropped);
    ASSERT_EQ(antichain.elements().size(), all.size() - dropped.size());
  }
}

}  // namespace
}  // namespace heddle::coverability
