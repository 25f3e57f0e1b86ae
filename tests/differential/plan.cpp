#include "differential/plan.hpp"

#include <algorithm>

namespace heddle::test::differential {

namespace {

constexpr unsigned kBlocksPerTest = 20;

}  // namespace

std::uint64_t block_size(const ModelKind& kind) {
  return std::max(1U, kind.cases / kBlocksPerTest);
}

std::vector<Block> plan(const std::vector<const ModelKind*>& kinds, std::uint64_t runs) {
  std::vector<Block> blocks;
  std::uint64_t planned = 0;
  for (std::uint64_t round = 0; planned < runs && !kinds.empty(); ++round)
    for (const ModelKind* kind : kinds) {
      if (planned >= runs) break;
      const std::uint64_t size = block_size(*kind);
      blocks.push_back({kind, round, round * size, size});
      planned += size;
    }
  return blocks;
}

std::uint64_t model_seed(const ModelKind& kind, std::uint64_t campaign_seed, std::uint64_t number) {
  return Random(campaign_seed).next() + kind.first_seed + number;
}

}  // namespace heddle::test::differential
