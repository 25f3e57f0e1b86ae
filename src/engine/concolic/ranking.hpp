#pragma once

/// The order in which simple paths are taken up (papers/cutr.txt, Alg. 3): by the ease with which
/// they are decided, then by length.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/concolic/diagram.hpp"

namespace heddle::engine::concolic {

/// Of a simple path: what kind of loops is on it?
enum class PathClass : std::uint8_t { LoopFree, RealLoops, LoopsWithExpansions };
constexpr std::size_t kPathClasses = 3;

/// What an arrival in this component, which is no spaghetti, makes of a path.
PathClass class_of(const Component& component);

struct Rank {
  PathClass path_class = PathClass::LoopFree;
  std::uint32_t length = 0;  ///< in arcs
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// How far it is from an initial shared state to each node, by paths of each class.
class Ranking {
 public:
  Ranking(const Diagram& diagram, const model::CountingQuestion& question);

  /// The least rank of all simple paths that end with what there is of one: at its node, of its
  /// class and length. Nothing if there is none.
  std::optional<Rank> best(Node node, Rank so_far) const;

 private:
  using Distances = std::vector<std::uint32_t>;  // by node
  static Distances measure(const Diagram& diagram, const model::CountingQuestion& question,
                           PathClass most);

  std::array<Distances, kPathClasses> ahead_;
};

}  // namespace heddle::engine::concolic
