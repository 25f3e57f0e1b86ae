#include "model/boolean_program/thread_states.hpp"

#include <algorithm>

namespace heddle::model::boolean {

namespace {

/// Each of the first `count` variables has its value, where the cube gives one.
Formula has_values(AtomKind kind, const Cube& values, std::size_t count) {
  Formula out = constant(true);
  for (std::uint32_t i = 0; i < count; ++i)
    if (const auto value = values[i])
      out = conjunction(std::move(out), *value ? atom(kind, i) : negation(atom(kind, i)));
  return out;
}

/// Counts the start of a thread: the variables from `first` on become 1, one after the other.
void count_start(FlowEdge& edge, std::uint32_t first, std::uint32_t count) {
  if (edge.kind != EdgeKind::Spawn) return;
  if (count == 0) {
    edge.guard = constant(false);
    return;
  }
  edge.guard =
      conjunction(std::move(edge.guard), negation(atom(AtomKind::Shared, first + count - 1)));
  edge.shared.push_back({first, constant(true)});
  for (std::uint32_t i = first + 1; i < first + count; ++i)
    edge.shared.push_back({i, atom(AtomKind::Shared, i - 1)});
}

}  // namespace

Flow with_target(Flow flow, const ThreadStateTarget& target) {
  for (FlowNode& node : flow.nodes) node.failed = false;
  const FlowNode& there = flow.nodes[target.node.index()];
  FlowNode failed;
  failed.frame = there.frame;
  failed.atomic_depth = there.atomic_depth;
  failed.failed = true;
  failed.at = there.at;
  FlowEdge edge;
  edge.source = target.node;
  edge.target = NodeId(flow.nodes.size());
  edge.guard = conjunction(has_values(AtomKind::Shared, target.shared, flow.shared_names.size()),
                           has_values(AtomKind::Local, target.local, flow.local_count));
  edge.at = there.at;
  edge.text = "the thread state";
  flow.nodes.push_back(failed);
  flow.edges.push_back(std::move(edge));
  return flow;
}

std::optional<Flow> bounded_target(Flow flow, const ThreadStateTarget& target,
                                   std::uint32_t started) {
  flow = with_target(std::move(flow), target);
  if (!starts_threads(flow)) return flow;
  if (flow.shared_names.size() + started > kMostVariables) return std::nullopt;
  const auto first = static_cast<std::uint32_t>(flow.shared_names.size());
  for (std::uint32_t i = 0; i < started; ++i) {
    flow.shared_names.push_back(std::to_string(i + 1) + " started");
    flow.initial_shared = flow.initial_shared.with(first + i, false);
  }
  for (FlowEdge& edge : flow.edges) count_start(edge, first, started);
  return flow;
}

bool starts_threads(const Flow& flow) {
  return std::ranges::any_of(flow.edges,
                             [](const FlowEdge& edge) { return edge.kind == EdgeKind::Spawn; });
}

}  // namespace heddle::model::boolean
