#pragma once

#include <cstdint>
#include <vector>

#include "check/pathwise/shared_graph.hpp"

namespace heddle::check {

/// What the paths from the initial shared states to those of the targets pass through. A path is
/// spaghetti if it meets a spaghetti component or takes an arc without constant effect.
struct Slices {
  std::vector<bool> on_other;  ///< by node: does a path that is not spaghetti lead through it?
  std::vector<std::uint32_t> spaghetti;  ///< the transitions on spaghetti paths, ascending
  std::vector<bool> ends_spaghetti;      ///< by target region: does a spaghetti path end there?
};

/// Linear in the graph.
Slices slices(const SharedGraph& graph, const model::CountingQuestion& question);

}  // namespace heddle::check
