#include "engine/onthefly/pair_target.hpp"

#include <utility>

namespace heddle::engine::onthefly {

using model::boolean::Abstraction;
using model::boolean::AtomKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::NodeId;

namespace {

/// A new last node, to which the edge leads.
void add_step(Flow& flow, FlowEdge edge, NodeId source, bool fails) {
  const FlowNode& from = flow.nodes[source.index()];
  FlowNode end;
  end.frame = from.frame;
  end.failed = fails;
  end.at = from.at;
  edge.source = source;
  edge.target = NodeId(flow.nodes.size());
  edge.at = from.at;
  edge.text = "two threads";
  flow.nodes.push_back(end);
  flow.edges.push_back(std::move(edge));
}

}  // namespace

std::optional<Flow> with_pair_target(Flow flow, NodeId first, NodeId second) {
  const auto met = static_cast<std::uint32_t>(flow.shared_names.size());
  if (met >= model::boolean::kMostVariables) return std::nullopt;
  flow.shared_names.emplace_back("one is there");
  flow.initial_shared = flow.initial_shared.with(met, false);
  const auto is_met = [&] { return model::boolean::atom(AtomKind::Shared, met); };
  for (FlowNode& node : flow.nodes) node.failed = false;
  for (FlowEdge& edge : flow.edges)
    edge.guard = conjunction(std::move(edge.guard), negation(is_met()));
  FlowEdge one;
  one.guard = negation(is_met());
  one.shared.push_back({met, model::boolean::constant(true)});
  add_step(flow, std::move(one), first, false);
  FlowEdge other;
  other.guard = is_met();
  add_step(flow, std::move(other), second, true);
  return flow;
}

Abstraction without_pair_target(Abstraction seen, const Flow& flow) {
  const auto met = static_cast<std::uint32_t>(flow.shared_names.size());
  seen.shared = seen.shared & ~model::boolean::bit(met);
  seen.classes.clear();
  return seen;
}

}  // namespace heddle::engine::onthefly
