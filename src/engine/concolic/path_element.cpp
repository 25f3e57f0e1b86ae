#include "engine/concolic/path_element.hpp"

#include <algorithm>

namespace heddle::engine::concolic {

namespace {

/// Read the other path's rounds as rounds of the same loops, and make none of loops that it lacks.
Renaming by_component(const Element& element, const Element& other) {
  Renaming renaming;
  for (const ComponentId loop : element.loops)
    if (std::ranges::find(other.loops, loop) != other.loops.end()) renaming.push_back({loop, loop});
  std::ranges::sort(renaming);
  return renaming;
}

/// Read them as rounds of the loops at the same position, counted from the target.
Renaming by_position(const Element& element, const Element& other) {
  Renaming renaming;
  for (std::size_t i = 0; i < std::min(element.loops.size(), other.loops.size()); ++i)
    renaming.push_back({element.loops[i], other.loops[i]});
  std::ranges::sort(renaming);
  return renaming;
}

}  // namespace

bool subsumes(const Element& element, const Element& other) {
  if (element.left < other.left) return false;
  if (element.loops.empty() || element.loops == other.loops)
    return element.demand.below(other.demand);
  return element.demand.below(other.demand, by_component(element, other)) ||
         element.demand.below(other.demand, by_position(element, other));
}

}  // namespace heddle::engine::concolic
