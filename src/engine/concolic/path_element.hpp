#pragma once

#include <cstdint>
#include <vector>

#include "engine/concolic/ranking.hpp"
#include "engine/concolic/symbolic_demand.hpp"

namespace heddle::engine::concolic {

constexpr std::uint32_t kNone = UINT32_MAX;

/// A demand at the beginning of a path to a target.
struct Element {
  Node node;
  std::uint32_t left;    ///< how many more arcs of the loop may be taken backward
  bool repeated;         ///< did it come into a loop here?
  std::uint32_t arc;     ///< how the path goes on; kNone at the target
  std::uint32_t parent;  ///< from where
  Rank so_far;
  bool taken_up;
  std::size_t checked;  ///< so many forms of the ceiling were seen to be feasible together
  std::vector<ComponentId> loops;  ///< on the path, from the target on
  SymbolicDemand demand;
};

/// Does every path that goes on from the other one go on from this one, too, with the other path's
/// rounds read as rounds of this path's loops? Both are at the same node.
bool subsumes(const Element& element, const Element& other);

}  // namespace heddle::engine::concolic
