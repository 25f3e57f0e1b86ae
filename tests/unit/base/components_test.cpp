#include "base/components.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.hpp"

namespace heddle::base {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

/// Does a path lead from one node to the other?
bool leads_to(const Lists& successors, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::uint32_t> work{from};
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    if (node == to) return true;
    if (seen[node]) continue;
    seen[node] = true;
    work.insert(work.end(), successors[node].begin(), successors[node].end());
  }
  return false;
}

Lists random_graph(test::Random& random) {
  Lists successors(random.between(1, 9));
  const auto nodes = static_cast<unsigned>(successors.size());
  for (unsigned edges = random.below(2 * nodes + 1); edges > 0; --edges)
    successors[random.below(nodes)].push_back(random.below(nodes));
  return successors;
}

std::vector<std::size_t> position_of(const Lists& components, std::size_t nodes) {
  std::vector<std::size_t> position(nodes, SIZE_MAX);
  for (std::size_t i = 0; i < components.size(); ++i)
    for (const std::uint32_t node : components[i]) {
      EXPECT_EQ(position[node], SIZE_MAX) << "a node in two components";
      position[node] = i;
    }
  return position;
}

TEST(Components, AreThoseOfPathsThereAndBackSinksFirst) {
  test::Random random(7);
  for (int i = 0; i < 500; ++i) {
    const Lists successors = random_graph(random);
    const auto position = position_of(strongly_connected_components(successors), successors.size());
    for (std::uint32_t a = 0; a < successors.size(); ++a)
      for (std::uint32_t b = 0; b < successors.size(); ++b) {
        const bool there = leads_to(successors, a, b);
        const bool back = leads_to(successors, b, a);
        EXPECT_EQ(position[a] == position[b], there && back);
        EXPECT_TRUE(!there || position[a] >= position[b]);
      }
  }
}

TEST(Components, AreThoseOfWhatRootsLeadToOnly) {
  const Lists successors{{1}, {2}, {1}, {0}};
  const auto successor = [&](std::uint32_t node, std::size_t i) {
    return i < successors[node].size() ? std::optional(successors[node][i]) : std::nullopt;
  };
  const auto found = strongly_connected_components({successors.size(), successor},
                                                   [](std::uint32_t node) { return node == 0; });
  EXPECT_EQ(found, (Lists{{2, 1}, {0}}));
}

TEST(Components, OfALongPathNeedNoStack) {
  Lists successors(1'000'000);
  for (std::uint32_t node = 1; node < successors.size(); ++node)
    successors[node - 1].push_back(node);
  EXPECT_EQ(strongly_connected_components(successors).size(), successors.size());
  successors.back().push_back(0);
  EXPECT_EQ(strongly_connected_components(successors).size(), 1u);
}

TEST(Components, OfNothingAreNone) { EXPECT_EQ(strongly_connected_components(Lists{}), Lists{}); }

}  // namespace
}  // namespace heddle::base
