#pragma once

/// Which random models a campaign plays, in which order. The models of a kind are numbered; so many
/// of them in a row are a block, the unit that is run, written down and resumed. Round after round
/// takes one block of every kind, so that a campaign that ends early has seen all kinds evenly, and
/// one with more runs begins with the blocks of one with fewer.

#include <cstdint>
#include <vector>

#include "support/model_kinds.hpp"

namespace heddle::test::differential {

struct Block {
  const ModelKind* kind;
  std::uint64_t number;  ///< among those of its kind
  std::uint64_t first;   ///< the number of its first model
  std::uint64_t count;

  friend bool operator==(const Block&, const Block&) = default;
};

/// The models of a kind in one block: in proportion to the number that the tests usually play,
/// which stands for what they cost.
std::uint64_t block_size(const ModelKind& kind);

/// Whole blocks of these kinds, at least `runs` models in all.
std::vector<Block> plan(const std::vector<const ModelKind*>& kinds, std::uint64_t runs);

/// What the generator of a model starts from: all that is needed to make it again.
std::uint64_t model_seed(const ModelKind& kind, std::uint64_t campaign_seed, std::uint64_t number);

}  // namespace heddle::test::differential
