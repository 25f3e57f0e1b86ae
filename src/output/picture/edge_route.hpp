#pragma once

/// Curves between the nodes of a grid.

#include <span>
#include <string>

#include "output/picture/svg.hpp"

namespace heddle::output::picture {

constexpr double kNodeRadius = 14;

struct Route {
  std::string data;  ///< an SVG path
  Point middle;      ///< a place for marks and labels
};

/// From node to node, bent to its own left side, so that an edge and its opposite never lie on each
/// other, and by as little as keeps it away from other nodes. `lane` counts the edges between the
/// same two nodes; each is bent more than the one before. A self-loop if from = to.
Route route(Point from, Point to, std::span<const Point> nodes, unsigned lane);

}  // namespace heddle::output::picture
