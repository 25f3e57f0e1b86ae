#include "model/boolean_program/pass_over.hpp"

/// A node is silent if a thread there can do one thing only: go on to another node, changing
/// nothing, as soon as it may step at all (outside of an atomic section: while nobody is inside
/// one). Let N map each silent node to the first node behind it that is not, and a state to the
/// state with all threads moved on by N.
///
/// Every step s → s' of the graph is either one of a silent node, and then N(s) = N(s'), or one of
/// a node that is its own image, and then it is a step N(s) → N(s') of the graph whose edges lead
/// to images: guards look at variables and at the active thread only. The other way round, a run of
/// that graph is one of the original in which each thread takes its silent steps right before its
/// next step (which needs the same value of the atomic bit). Silent nodes have not failed, and N
/// passes no node that has. So a thread can fail in the one graph if and only if it can in the
/// other. Callers on a stack stand at calls, which are not silent. A thread in front of a `wait` is
/// not yet there, which a broadcast can tell that is made inside an atomic section in which the
/// thread got where it is (created or woken): it could not take its silent steps. N stops there.

#include <optional>
#include <utility>
#include <vector>

namespace heddle::model::boolean {

namespace {

/// Does the guard say nothing beyond who may step while a section is held?
bool is_plain(const Flow& flow, const Formula& guard) {
  if (guard.kind == Formula::Kind::True) return true;
  const Formula& bit = guard.kind == Formula::Kind::Not ? guard.operands[0] : guard;
  return bit.kind == Formula::Kind::Atom && bit.atom.kind == AtomKind::Shared &&
         flow.shared_names[bit.atom.index] == kAtomicBit;
}

/// The node behind a silent one, for each node.
std::vector<std::optional<NodeId>> silent_steps(const Flow& flow) {
  std::vector<std::optional<NodeId>> next(flow.nodes.size());
  const auto edges = flow.edges_by_source();
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    const FlowNode& node = flow.nodes[i];
    if (node.failed || node.waits || edges[i].size() != 1) continue;
    const FlowEdge& edge = flow.edges[edges[i][0].index()];
    const FlowNode& target = flow.nodes[edge.target.index()];
    const bool nothing = edge.kind == EdgeKind::Step && edge.shared.empty() && edge.local.empty() &&
                         edge.passive.empty() && edge.constraint.kind == Formula::Kind::True;
    if (nothing && is_plain(flow, edge.guard) && !target.waits &&
        target.atomic_depth == node.atomic_depth)
      next[i] = edge.target;
  }
  return next;
}

/// N. A loop of silent nodes, which a thread goes round for ever, becomes one of its nodes.
std::vector<NodeId> images(const std::vector<std::optional<NodeId>>& next) {
  std::vector<std::optional<NodeId>> image(next.size());
  std::vector<std::size_t> walk_of(next.size(), next.size());  // which walk has been here
  for (std::size_t i = 0; i < next.size(); ++i) {
    std::vector<NodeId> walked;
    NodeId at(i);
    while (!image[at.index()] && next[at.index()] && walk_of[at.index()] != i) {
      walk_of[at.index()] = i;
      walked.push_back(at);
      at = *next[at.index()];
    }
    const NodeId end = image[at.index()].value_or(at);
    image[at.index()] = end;
    for (const NodeId node : walked) image[node.index()] = end;
  }
  std::vector<NodeId> out;
  for (const auto& node : image) out.push_back(*node);
  return out;
}

/// Numbers the nodes that are images anew, in their order; the others lose theirs.
std::vector<NodeId> renumber(Flow& flow, const std::vector<NodeId>& image) {
  std::vector<bool> kept(flow.nodes.size());
  for (const NodeId node : image) kept[node.index()] = true;
  std::vector<NodeId> number(flow.nodes.size());
  std::vector<FlowNode> nodes;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    if (!kept[i]) continue;
    number[i] = NodeId(nodes.size());
    nodes.push_back(flow.nodes[i]);
  }
  flow.nodes = std::move(nodes);
  std::vector<NodeId> out;
  for (const NodeId node : image) out.push_back(number[node.index()]);
  return out;
}

}  // namespace

Flow pass_over_silent_nodes(Flow flow) {
  const std::vector<NodeId> image = images(silent_steps(flow));
  std::vector<FlowEdge> edges;
  for (FlowEdge& edge : flow.edges)
    if (image[edge.source.index()] == edge.source) edges.push_back(std::move(edge));
  flow.edges = std::move(edges);
  const std::vector<NodeId> number = renumber(flow, image);
  for (FlowEdge& edge : flow.edges) {
    edge.source = number[edge.source.index()];
    edge.target = number[edge.target.index()];
    if (edge.kind == EdgeKind::Spawn || edge.kind == EdgeKind::Call)
      edge.child = number[edge.child.index()];
  }
  for (std::size_t i = 0; i < flow.edges.size(); ++i)
    if (flow.edges[i].kind == EdgeKind::Call)
      flow.nodes[flow.edges[i].source.index()].call = EdgeId(i);
  for (FlowNode& node : flow.nodes)
    if (node.waits) node.woken = number[node.woken.index()];
  flow.start = number[flow.start.index()];
  for (NodeId& start : flow.starts) start = number[start.index()];
  return flow;
}

}  // namespace heddle::model::boolean
