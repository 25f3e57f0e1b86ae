#include "engine/onthefly/preimage.hpp"

/// The question for an edge with guard g, assignments x := e(x) for x in A and constraint c: which
/// values can lead into the cube `after`? With 'x replaced by e(x) (or by x, if x is not assigned)
/// in c this is
///
///     ∃ choices.  g  ∧  c  ∧  ⋀ { e(x) = b : x in A, after says x = b }
///
/// over values before the step, plus the literals of `after` on variables that are not assigned,
/// which hold before as they do afterwards (they are put into the formula first). A child's and
/// other threads' variables that the edge assigns are like x. The result is wanted as cubes, as few
/// and as large as possible, because each becomes an element of the search: an irredundant sum of
/// products. Functions are truth tables of one word for edges with up to six atoms, choices
/// included, and decision diagrams for others;
/// docs/decisions/0007-preimages-as-tables-or-diagrams.md has the figures.

#include <algorithm>

namespace heddle::engine::onthefly {

using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Valuation;

std::size_t Preimage::Hash::operator()(const Key& key) const {
  std::size_t hash = key.edge.value;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  };
  for (const Cube& cube : key.after.parts) {
    for (const Valuation& values : {cube.mask, cube.value}) {
      mix(values.low_word());
      mix(values.high_word());
    }
  }
  return hash;
}

Preimage::Preimage(const Flow& flow, std::optional<std::uint64_t> memory_mb) {
  functions_.reserve(flow.edges.size());
  std::size_t most_atoms = 0;
  for (const FlowEdge& edge : flow.edges) {
    functions_.emplace_back(edge);
    most_atoms = std::max(most_atoms, functions_.back().atoms.size());
  }
  if (most_atoms > kTableVariables)
    diagrams_ = std::make_unique<DiagramAlgebra>(static_cast<std::uint32_t>(most_atoms), memory_mb);
  for (const EdgeFunctions& edge : functions_) {
    if (edge.atoms.size() <= kTableVariables)
      images_.emplace_back(EdgeImage(edge, tables_));
    else
      images_.emplace_back(EdgeImage(edge, *diagrams_));
  }
}

const std::vector<Before>& Preimage::of(EdgeId edge, const After& after) {
  const auto [it, is_new] = known_.try_emplace(Key{edge, after});
  if (is_new)
    it->second =
        std::visit([&](const auto& image) { return image.of(after); }, images_[edge.index()]);
  return it->second;
}

}  // namespace heddle::engine::onthefly
