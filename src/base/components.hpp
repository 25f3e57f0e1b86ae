#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace heddle::base {

/// A graph with the nodes 0 … `nodes` − 1.
struct Graph {
  std::size_t nodes = 0;
  /// The successor of a node at a position of its list; nothing behind the last one.
  std::function<std::optional<std::uint32_t>(std::uint32_t node, std::size_t position)> successor;
};

/// The strongly connected components of what can be reached from the nodes that `is_root` accepts.
/// Sinks first: an edge leads to its own component or to one earlier in the list. Tarjan's
/// algorithm (1972) without recursion, since graphs are deep; linear.
std::vector<std::vector<std::uint32_t>> strongly_connected_components(
    const Graph& graph,
    const std::function<bool(std::uint32_t)>& is_root = [](std::uint32_t) { return true; });

/// The same for a graph given by lists of successors.
std::vector<std::vector<std::uint32_t>> strongly_connected_components(
    const std::vector<std::vector<std::uint32_t>>& successors);

}  // namespace heddle::base
