#include "engine/concolic/backward_steps.hpp"

#include <algorithm>

namespace heddle::engine::concolic {

BackwardSteps::BackwardSteps(const model::CountingTask& task, const Diagram& diagram)
    : system_(std::get<model::ThreadSystem>(task.model)),
      diagram_(diagram),
      limited_(system_.local_count, false) {
  for (std::uint32_t local = 0; local < system_.local_count; ++local)
    limited_[local] = std::ranges::any_of(task.question.initial, [&](const model::Region& region) {
      const auto* bound = region.find(model::LocalState(local));
      return !bound || bound->upper.has_value();
    });
}

Summary BackwardSteps::arc(std::uint32_t arc) const {
  Summary result = summary_of(system_.transitions[diagram_.arcs()[arc].transition]);
  std::erase_if(result, [&](const auto& entry) { return !limited_[entry.first]; });
  return result;
}

Summary BackwardSteps::round(Node node) const {
  Summary round;
  for (const std::uint32_t step : loop_backward(node)) round = then(round, arc(step));
  return round;
}

std::vector<std::uint32_t> BackwardSteps::loop_backward(Node node) const {
  std::vector<std::uint32_t> arcs;
  Node at = node;
  do {
    arcs.push_back(diagram_.loop_arc_into(at));
    at = diagram_.arcs()[arcs.back()].from;
  } while (at != node);
  return arcs;
}

std::vector<std::uint32_t> BackwardSteps::round_forward(Node node) const {
  std::vector<std::uint32_t> transitions;
  for (const std::uint32_t arc : loop_backward(node))
    transitions.push_back(diagram_.arcs()[arc].transition);
  std::ranges::reverse(transitions);
  return transitions;
}

}  // namespace heddle::engine::concolic
