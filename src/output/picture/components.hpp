#pragma once

#include <cstddef>
#include <vector>

namespace heddle::output::picture {

/// Sizes of the strongly connected components of a graph given by successor lists, largest first.
/// Tarjan's algorithm without recursion; linear.
std::vector<std::size_t> component_sizes(const std::vector<std::vector<std::size_t>>& successors);

}  // namespace heddle::output::picture
