#include "output/picture/edge_route.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace heddle::output::picture {

namespace {

constexpr double kClearance = kNodeRadius + 3;
constexpr double kBends[] = {9, 16, 26, 38, 52, 68};
constexpr double kLaneDistance = 9;
constexpr int kSamples = 24;

struct Curve {
  Point a, b, c, d;  ///< a cubic Bézier curve

  Point at(double t) const {
    const double u = 1 - t;
    const double wa = u * u * u, wb = 3 * u * u * t, wc = 3 * u * t * t, wd = t * t * t;
    return {wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y};
  }
};

double distance(Point p, Point q) { return std::hypot(p.x - q.x, p.y - q.y); }

/// The point `radius` away from `centre` in the direction of `towards`.
Point on_rim(Point centre, Point towards, double radius) {
  const double length = std::max(distance(centre, towards), 1e-9);
  return {centre.x + (towards.x - centre.x) * radius / length,
          centre.y + (towards.y - centre.y) * radius / length};
}

Curve bent(Point from, Point to, double bend) {
  const double length = distance(from, to);
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
  const Point left{along.y, -along.x};
  const double run = std::min(length * 0.25, 60.0);
  const Point b{from.x + along.x * run + left.x * bend, from.y + along.y * run + left.y * bend};
  const Point c{to.x - along.x * run + left.x * bend, to.y - along.y * run + left.y * bend};
  return {on_rim(from, b, kNodeRadius), b, c, on_rim(to, c, kNodeRadius + 1)};
}

/// How many other nodes the curve runs into.
int collisions(const Curve& curve, Point from, Point to, std::span<const Point> nodes) {
  int found = 0;
  for (const Point& node : nodes) {
    if (distance(node, from) < 1 || distance(node, to) < 1) continue;
    for (int i = 1; i < kSamples; ++i)
      if (distance(node, curve.at(static_cast<double>(i) / kSamples)) < kClearance) {
        ++found;
        break;
      }
  }
  return found;
}

Route drawn(const Curve& c) {
  return {fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", c.a.x, c.a.y,
                      c.b.x, c.b.y, c.c.x, c.c.y, c.d.x, c.d.y),
          c.at(0.5)};
}

/// Loops sit at the upper right of their node, one around the other.
Route self_loop(Point at, unsigned lane) {
  const double size = 26 + kLaneDistance * lane;
  const Point b{at.x + size * 0.35, at.y - size * 1.25}, c{at.x + size * 1.25, at.y - size * 0.35};
  return drawn({on_rim(at, b, kNodeRadius), b, c, on_rim(at, c, kNodeRadius + 1)});
}

}  // namespace

Route route(Point from, Point to, std::span<const Point> nodes, unsigned lane) {
  if (distance(from, to) < 1) return self_loop(from, lane);
  Curve best = bent(from, to, kBends[0] + kLaneDistance * lane);
  int fewest = std::numeric_limits<int>::max();
  for (const double bend : kBends) {
    const Curve curve = bent(from, to, bend + kLaneDistance * lane);
    const int found = collisions(curve, from, to, nodes);
    if (found >= fewest) continue;
    fewest = found;
    best = curve;
  }
  return drawn(best);
}

}  // namespace heddle::output::picture
