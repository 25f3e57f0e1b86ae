/// Two starts correspond if nodes can be paired such that the starts are a pair, nodes of a pair
/// look the same, and their edges, in the order of the program, do the same and lead to pairs
/// again. Pairs are then closed under steps: by induction over a run, a thread from one start with
/// a stack of callers can always do what a thread from the other start can do with the counterparts
/// of its node and callers, to the same shared state, with the same local variables. A call's
/// callee is a pair, and so is the node behind the call, to which the callee returns; hence stacks
/// stay pairs level by level.

#include "model/boolean_program/correspondence.hpp"

namespace heddle::model::boolean {

namespace {

bool do_the_same(const FlowEdge& a, const FlowEdge& b) {
  return a.kind == b.kind && a.guard == b.guard && a.shared == b.shared && a.local == b.local &&
         a.constraint == b.constraint && a.choices == b.choices &&
         a.child_values == b.child_values && a.received == b.received && a.passive == b.passive &&
         a.passive_choices == b.passive_choices && a.condition == b.condition;
}

class SideBySide {
 public:
  explicit SideBySide(const Flow& flow) : flow_(flow), edges_from_(flow.edges_by_source()) {}

  std::optional<Correspondence> walk(NodeId from, NodeId to) {
    if (!pair(from, to)) return std::nullopt;
    while (!open_.empty()) {
      const NodeId node = open_.back();
      open_.pop_back();
      if (!pair_edges(node, found_.nodes.at(node))) return std::nullopt;
    }
    return std::move(found_);
  }

 private:
  std::uint32_t parameters(NodeId node) const {
    return flow_.parameter_counts[flow_.frames[flow_.nodes[node.index()].frame].procedure];
  }

  bool look_the_same(NodeId a, NodeId b) const {
    const FlowNode& one = flow_.nodes[a.index()];
    const FlowNode& other = flow_.nodes[b.index()];
    return one.atomic_depth == other.atomic_depth && one.failed == other.failed && !one.waits &&
           !other.waits && parameters(a) == parameters(b);
  }

  bool pair(NodeId a, NodeId b) {
    const auto [known, is_new] = found_.nodes.emplace(a, b);
    if (!is_new) return known->second == b;
    if (!look_the_same(a, b)) return false;
    open_.push_back(a);
    return true;
  }

  bool pair_edges(NodeId a, NodeId b) {
    const auto& ours = edges_from_[a.index()];
    const auto& theirs = edges_from_[b.index()];
    if (ours.size() != theirs.size()) return false;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const FlowEdge& one = flow_.edges[ours[i].index()];
      const FlowEdge& other = flow_.edges[theirs[i].index()];
      found_.edges.emplace(ours[i], theirs[i]);
      if (!do_the_same(one, other) || !pair(one.target, other.target)) return false;
      if (one.kind == EdgeKind::Call && !pair(one.child, other.child)) return false;
    }
    return true;
  }

  const Flow& flow_;
  std::vector<std::vector<EdgeId>> edges_from_;
  Correspondence found_;
  std::vector<NodeId> open_;
};

}  // namespace

std::optional<Correspondence> correspondence(const Flow& flow, NodeId from, NodeId to) {
  return SideBySide(flow).walk(from, to);
}

}  // namespace heddle::model::boolean
