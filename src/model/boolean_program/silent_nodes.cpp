#include "model/boolean_program/silent_nodes.hpp"

/// A node is silent if a thread there can do one thing only: go on to another node, changing
/// nothing, as soon as it may step at all (outside of an atomic section: while nobody is inside
/// one). Let N map each silent node to the first node behind it that is not. A thread that has come
/// to a node by a step of its own, or that starts there at first, may step right away: if it is
/// outside, nobody is inside a section. So it can go on to N of its node at once, and nothing is
/// lost if it always does: its silent steps, wherever they are in a run, can be made right then.
/// They change nothing that another thread sees, because neither the node that they start from nor
/// those in between have failed or wait, and N stops in front of a `wait` (a broadcast can tell
/// whether a thread is there).
///
/// A thread that was created or woken came to its node by a step of another thread, which may be
/// inside a section and never leave it. Then the silent steps cannot be made. For the thread's
/// later steps that is the same (they cannot be made either), but it is not the same whether it is
/// at a node that has failed or in front of it. So such threads go to M of their node, where M does
/// not pass into nodes that have failed, unless silent steps are possible at any time (in programs
/// without sections). Nodes that are images of M are kept, silent or not.
///
/// So a thread can fail in the graph whose edges lead to images if and only if it can in the graph
/// with a step for every statement. Callers on a stack stand at calls, which are not silent.

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
using SilentSteps = std::vector<std::optional<NodeId>>;

SilentSteps silent_steps(const Flow& flow) {
  SilentSteps next(flow.nodes.size());
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

/// Those that a thread can make that was created or woken a moment ago, as far as it matters.
SilentSteps silent_steps_after_others(const Flow& flow, SilentSteps next) {
  for (auto& target : next)
    if (target && flow.atomic_bit && flow.nodes[target->index()].failed) target.reset();
  return next;
}

/// N, or M. A loop of silent nodes, which a thread goes round for ever, becomes one of its nodes.
std::vector<NodeId> images(const SilentSteps& next) {
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

/// Where nodes of the original are in the graph that is made.
class Images {
 public:
  explicit Images(const Flow& flow) {
    const SilentSteps silent = silent_steps(flow);
    by_own_step_ = images(silent);
    by_others_ = images(silent_steps_after_others(flow, silent));
    kept_.resize(flow.nodes.size());
    for (const NodeId node : by_own_step_) kept_[node.index()] = true;
    for (const FlowEdge& edge : flow.edges)
      if (edge.kind == EdgeKind::Spawn) kept_[by_others_[edge.child.index()].index()] = true;
    for (const FlowNode& node : flow.nodes)
      if (node.waits) kept_[by_others_[node.woken.index()].index()] = true;
  }

  bool keeps(NodeId node) const { return kept_[node.index()]; }

  /// Numbers the nodes that are kept anew, in their order; the others are dropped.
  void renumber(std::vector<FlowNode>& nodes) {
    std::vector<FlowNode> few;
    number_.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!kept_[i]) continue;
      number_[i] = NodeId(few.size());
      few.push_back(nodes[i]);
    }
    nodes = std::move(few);
  }

  NodeId itself(NodeId node) const { return number_[node.index()]; }
  NodeId by_own_step(NodeId node) const { return itself(by_own_step_[node.index()]); }
  NodeId by_others(NodeId node) const { return itself(by_others_[node.index()]); }

 private:
  std::vector<NodeId> by_own_step_;  ///< N
  std::vector<NodeId> by_others_;    ///< M
  std::vector<bool> kept_;
  std::vector<NodeId> number_;
};

}  // namespace

Flow skip_silent_nodes(Flow flow) {
  Images images(flow);
  std::erase_if(flow.edges, [&](const FlowEdge& edge) { return !images.keeps(edge.source); });
  images.renumber(flow.nodes);
  for (FlowEdge& edge : flow.edges) {
    edge.source = images.itself(edge.source);
    edge.target = images.by_own_step(edge.target);
    if (edge.kind == EdgeKind::Spawn) edge.child = images.by_others(edge.child);
    if (edge.kind == EdgeKind::Call) edge.child = images.by_own_step(edge.child);
  }
  for (std::size_t i = 0; i < flow.edges.size(); ++i)
    if (flow.edges[i].kind == EdgeKind::Call)
      flow.nodes[flow.edges[i].source.index()].call = EdgeId(i);
  for (FlowNode& node : flow.nodes)
    if (node.waits) node.woken = images.by_others(node.woken);
  flow.start = images.by_own_step(flow.start);
  for (NodeId& start : flow.starts) start = images.by_own_step(start);
  return flow;
}

}  // namespace heddle::model::boolean
