#include "engine/concolic/ranking.hpp"

#include <algorithm>
#include <deque>

namespace heddle::engine::concolic {

namespace {

constexpr std::uint32_t kFar = UINT32_MAX;

bool admits(PathClass most, const Component& component) {
  return component.shape != Shape::Spaghetti && class_of(component) <= most;
}

}  // namespace

PathClass class_of(const Component& component) {
  if (component.shape == Shape::Trivial) return PathClass::LoopFree;
  return component.expands ? PathClass::LoopsWithExpansions : PathClass::RealLoops;
}

Ranking::Ranking(const Diagram& diagram, const model::CountingQuestion& question) {
  for (std::size_t c = 0; c < kPathClasses; ++c)
    ahead_[c] = measure(diagram, question, static_cast<PathClass>(c));
}

/// Breadth first. Ways round a loop are never short, so no way goes round one.
Ranking::Distances Ranking::measure(const Diagram& diagram, const model::CountingQuestion& question,
                                    PathClass most) {
  Distances distance(diagram.node_count(), kFar);
  std::deque<Node> queue;
  const auto reach = [&](Node node, std::uint32_t far) {
    if (distance[node] <= far || !admits(most, diagram.component(node))) return;
    distance[node] = far;
    queue.push_back(node);
  };
  for (const model::Region& region : question.initial) reach(region.shared.value, 0);
  for (; !queue.empty(); queue.pop_front())
    for (const std::uint32_t index : diagram.out_of(queue.front())) {
      const Arc& arc = diagram.arcs()[index];
      if (arc.summable) reach(arc.to, distance[queue.front()] + 1);
    }
  return distance;
}

std::optional<Rank> Ranking::best(Node node, Rank so_far) const {
  for (auto c = static_cast<std::size_t>(so_far.path_class); c < kPathClasses; ++c)
    if (ahead_[c][node] != kFar)
      return Rank{static_cast<PathClass>(c), so_far.length + ahead_[c][node]};
  return std::nullopt;
}

}  // namespace heddle::engine::concolic
