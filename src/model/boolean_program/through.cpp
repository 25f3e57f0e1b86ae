#include "model/boolean_program/through.hpp"

/// Let W be the set of statements, and v a new shared variable, 0 at first.
///
/// **Visits.** A step of a statement s in W sets v, by the edge itself. Of a call or return that is
/// kept, by an edge in front of it: when it is taken, s could be executed at once (the guard is the
/// same). If it is a call that is not executed then, its thread does nothing any more, and the run
/// in which it is executed fails as well. A return may change shared variables, so a return counts
/// as soon as a thread can take it. Of `start_thread`, `broadcast` and `signal`, by an edge behind
/// it, which is possible at once: the thread has just made a step. Of `wait`, by an edge behind it
/// too: a wait counts when its thread goes on, which it cannot while its waker is inside a section.
///
/// **Failures.** An edge by which an assertion outside of W fails asks for v. A label outside of W
/// fails no longer. Instead a thread there can do one thing only: fail in a step of its own, which
/// asks for v and for nothing else, neither for what the procedure enforces nor (where calls are
/// unfolded) for that nobody is inside an atomic section. Labels in W fail as before. So every run
/// to its first failure that goes through W has its counterpart. The other way round, a failure at
/// a label may be one whose thread was there before another thread executed a statement of W: such
/// steps count, too, though the run has already failed when they are made.
///
/// Silent nodes are passed over in between: steps that set v are not silent by then, and nodes that
/// have failed are still known.

#include <algorithm>

namespace heddle::model::boolean {

namespace {

class Visits {
 public:
  Visits(Flow& flow, const std::vector<StatementPlace>& statements)
      : flow_(flow),
        statements_(statements),
        visited_(static_cast<std::uint32_t>(flow.shared_names.size() - 1)) {}

  void record() {
    const std::size_t edges = flow_.edges.size();
    const std::size_t nodes = flow_.nodes.size();
    for (std::size_t i = 0; i < edges; ++i)
      if (wants(flow_.edges[i].at)) record(i);
    for (std::size_t i = 0; i < nodes; ++i)
      if (flow_.nodes[i].waits && wants(flow_.nodes[i].at))
        flow_.nodes[i].woken = set_before(flow_.nodes[i].woken, flow_.nodes[i].at);
  }

  void count() {
    const std::vector<bool> labels = labels_outside();
    for (FlowEdge& edge : flow_.edges)
      if (flow_.nodes[edge.target.index()].failed && is_sink(edge.target) && !wants(edge.at))
        edge.guard = conjunction(std::move(edge.guard), atom(AtomKind::Shared, visited_));
    remove_edges_from(labels);
    const std::size_t nodes = flow_.nodes.size();
    for (std::size_t i = 0; i < nodes; ++i)
      if (labels[i]) fail_later(NodeId(i));
  }

 private:
  bool wants(const Position& at) const {
    return std::ranges::binary_search(statements_, place_of(at));
  }

  NodeId copy_of(NodeId node) {
    FlowNode copy = flow_.nodes[node.index()];
    copy.failed = copy.waits = false;
    copy.call.reset();
    flow_.nodes.push_back(copy);
    return NodeId(flow_.nodes.size() - 1);
  }

  void set(FlowEdge& edge) const { edge.shared.push_back({visited_, constant(true)}); }

  void record(std::size_t i) {
    switch (flow_.edges[i].kind) {
      case EdgeKind::Step: return set(flow_.edges[i]);
      case EdgeKind::Call:
      case EdgeKind::Return: return record_in_front(i);
      default: {
        const NodeId behind = set_before(flow_.edges[i].target, flow_.edges[i].at);
        flow_.edges[i].target = behind;
      }
    }
  }

  /// Nothing else leads away from a call or return.
  void record_in_front(std::size_t i) {
    const FlowEdge& before = flow_.edges[i];
    FlowEdge edge;
    edge.source = before.source;
    edge.guard = before.guard;
    edge.choices = before.choices;
    edge.at = before.at;
    edge.text = "to " + before.text;
    edge.target = copy_of(before.source);
    set(edge);
    FlowEdge& after = flow_.edges[i];
    if (after.target == after.source) after.target = edge.target;  // as it is with a Return
    after.source = edge.target;
    flow_.edges.push_back(std::move(edge));
  }

  /// A node from which one step leads to the given one. A thread outside of atomic sections changes
  /// nothing while another is inside of one.
  NodeId set_before(NodeId node, Position at) {
    FlowEdge edge;
    edge.source = copy_of(node);
    edge.target = node;
    edge.guard = may_step(node);
    edge.at = at;
    edge.text = "visited";
    set(edge);
    const NodeId before = edge.source;
    flow_.edges.push_back(std::move(edge));
    return before;
  }

  Formula may_step(NodeId node) const {
    if (!flow_.atomic_bit) return constant(true);
    const Formula held = atom(AtomKind::Shared, *flow_.atomic_bit);
    return flow_.nodes[node.index()].atomic_depth == 0 ? negation(held) : held;
  }

  bool is_sink(NodeId node) const { return !leads_on_[node.index()]; }

  /// A failed node that leads on, or waits, is one of a label; others are those of assertions.
  std::vector<bool> labels_outside() {
    leads_on_.assign(flow_.nodes.size(), false);
    for (const FlowEdge& edge : flow_.edges) leads_on_[edge.source.index()] = true;
    std::vector<bool> out(flow_.nodes.size());
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      const FlowNode& node = flow_.nodes[i];
      if (node.waits) leads_on_[i] = true;
      out[i] = node.failed && leads_on_[i] && !wants(node.at);
    }
    return out;
  }

  void remove_edges_from(const std::vector<bool>& labels) {
    std::erase_if(flow_.edges, [&](const FlowEdge& edge) { return labels[edge.source.index()]; });
    for (FlowNode& node : flow_.nodes) node.call.reset();
    for (std::size_t i = 0; i < flow_.edges.size(); ++i)
      if (flow_.edges[i].kind == EdgeKind::Call)
        flow_.nodes[flow_.edges[i].source.index()].call = EdgeId(i);
  }

  void fail_later(NodeId node) {
    const NodeId failed = copy_of(node);
    flow_.nodes[node.index()].failed = flow_.nodes[node.index()].waits = false;
    flow_.nodes[failed.index()].failed = true;
    FlowEdge edge;
    edge.source = node;
    edge.target = failed;
    edge.guard = atom(AtomKind::Shared, visited_);
    if (!flow_.starts.empty()) edge.guard = conjunction(may_step(node), std::move(edge.guard));
    edge.at = flow_.nodes[node.index()].at;
    edge.text = "at the label";
    flow_.edges.push_back(std::move(edge));
  }

  Flow& flow_;
  const std::vector<StatementPlace>& statements_;
  std::uint32_t visited_;
  std::vector<bool> leads_on_;
};

}  // namespace

Flow record_visits(Flow flow, const std::vector<StatementPlace>& statements) {
  Visits(flow, statements).record();
  return flow;
}

Flow count_failures(Flow flow, const std::vector<StatementPlace>& statements) {
  if (!statements.empty()) Visits(flow, statements).count();
  return flow;
}

}  // namespace heddle::model::boolean
