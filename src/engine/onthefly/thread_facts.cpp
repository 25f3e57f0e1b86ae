#include "engine/onthefly/thread_facts.hpp"

/// For each node n a cube F(n) over shared and local variables: whenever a thread is at n, the
/// shared variables and its own lie in F(n). The least such cubes are found by iteration from the
/// initial states, in the Cartesian abstraction (a variable is 0, 1 or unknown):
///
///  * a step of the thread itself: from F(source), narrowed by what the guard forces, to F(target);
///    a child starts likewise;
///  * a step of another thread, by an edge e: its values lie in F(e's source), the shared ones also
///    in F(n); what e does to the shared variables goes into F(n), or into F(n') if e moves a
///    waiting thread from n to n'. A thread inside an atomic section sees no steps of others,
///    because at most one thread is inside one and outsiders cannot step.
///
/// This is stronger than treating the shared variables as arbitrary: F(n) keeps what they are known
/// to be at n whoever steps, in particular inside atomic sections. Each round can only widen cubes,
/// so there are at most (variables + 1) · nodes changes.
///
/// What an ordinary edge of another thread does to F(n) depends on the shared part of F(n) alone,
/// of which there are few, however many nodes there are. So nodes with the same shared part are
/// disturbed together; edges that wake threads or assign to their variables look at each node.

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace heddle::engine::onthefly {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Formula;
using model::boolean::Knowledge;
using model::boolean::NodeId;

class FactFinder {
 public:
  FactFinder(const Flow& flow, const Preimage& preimage, ThreadFacts& facts)
      : flow_(flow), preimage_(preimage), facts_(facts.facts_) {
    for (std::size_t i = 0; i < flow.edges.size(); ++i) {
      std::vector<Atom> atoms;
      for_each_atom(preimage.condition(EdgeId(i)), [&](const Atom& a) {
        if (a.kind != AtomKind::Choice) atoms.push_back(a);
      });
      std::ranges::sort(atoms);
      atoms.erase(std::ranges::unique(atoms).begin(), atoms.end());
      atoms_.push_back(std::move(atoms));
    }
    std::vector<std::uint32_t> root_of_frame;  // a caller's frame comes before its own
    for (std::uint32_t i = 0; i < flow.frames.size(); ++i) {
      const std::uint32_t caller = flow.frames[i].caller;
      root_of_frame.push_back(caller == i ? i : root_of_frame[caller]);
    }
    for (const FlowNode& node : flow.nodes) roots_.push_back(root_of_frame[node.frame]);
  }

  void run() {
    widen(flow_.start, flow_.initial_shared, flow_.initial_local);
    do {
      changed_ = false;
      for (std::size_t e = 0; e < flow_.edges.size(); ++e) own_step(e);
      disturb_all();
    } while (changed_);
  }

 private:
  using Fact = ThreadFacts::Fact;

  void widen(NodeId node, const Cube& shared, const Cube& local) {
    Fact& fact = facts_[node.index()];
    const Fact wider = fact.reachable ? Fact{true, fact.shared.hull(shared), fact.local.hull(local)}
                                      : Fact{true, shared, local};
    if (wider == fact) return;
    fact = wider;
    changed_ = true;
  }

  /// Sets every variable that the edge's condition forces; nothing if it cannot hold.
  std::optional<Knowledge> narrowed(std::size_t e, Knowledge known) const {
    const Formula& condition = preimage_.condition(EdgeId(e));
    if (evaluate(condition, known) == false) return std::nullopt;
    for (const Atom& which : atoms_[e]) {
      if (known[which]) continue;
      Knowledge guess[2] = {known, known};
      bool possible[2];
      for (const bool value : {false, true}) {
        guess[value].set(which, value);
        possible[value] = evaluate(condition, guess[value]) != false;
      }
      if (!possible[0] && !possible[1]) return std::nullopt;
      if (possible[0] != possible[1]) known = guess[possible[1] ? 1 : 0];
    }
    return known;
  }

  /// The values afterwards, as far as they are certain.
  Cube after(std::size_t e, const std::vector<Assignment>& assignments, Cube before,
             const Knowledge& known) const {
    for (const Assignment& assignment : assignments) {
      auto value = evaluate(assignment.value, known);
      if (!value) value = forced(e, assignment.value, known);
      before = value ? before.with(assignment.index, *value)
                     : before.without(model::boolean::bit(assignment.index));
    }
    return before;
  }

  /// The value that the edge's condition leaves for the formula, if only one.
  std::optional<bool> forced(std::size_t e, const Formula& formula, const Knowledge& known) const {
    if (formula.kind != Formula::Kind::Atom) return std::nullopt;
    for (const bool value : {false, true}) {
      Knowledge other = known;
      other.set(formula.atom, !value);
      if (evaluate(preimage_.condition(EdgeId(e)), other) == false) return value;
    }
    return std::nullopt;
  }

  void own_step(std::size_t e) {
    const FlowEdge& edge = flow_.edges[e];
    const Fact& fact = facts_[edge.source.index()];
    if (!fact.reachable) return;
    Knowledge start;
    start.shared = fact.shared;
    start.local = fact.local;
    const auto known = narrowed(e, start);
    if (!known) return;
    const Cube shared = after(e, edge.shared, known->shared, *known);
    widen(edge.target, shared, after(e, edge.local, known->local, *known));
    if (edge.kind == EdgeKind::Spawn)
      widen(edge.child, shared, after(e, edge.child_values, known->local, *known));
  }

  /// The edges' effects on threads that do not take them.
  void disturb_all() {
    for (std::size_t e = 0; e < flow_.edges.size(); ++e)
      if (moves_others(flow_.edges[e]) && is_reachable(e)) disturb(e);
    Classes classes = nodes_by_shared();
    for (std::size_t e = 0; e < flow_.edges.size(); ++e)
      if (!moves_others(flow_.edges[e]) && !flow_.edges[e].shared.empty() && is_reachable(e))
        disturb(e, classes);
  }

  bool is_reachable(std::size_t e) const { return facts_[flow_.edges[e].source.index()].reachable; }

  static bool moves_others(const FlowEdge& edge) {
    return edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal ||
           !edge.passive.empty();
  }

  /// The nodes whose threads can be disturbed, by the shared part of their facts.
  using Classes = std::map<Cube, std::vector<NodeId>>;
  Classes nodes_by_shared() const {
    Classes classes;
    for (std::size_t n = 0; n < flow_.nodes.size(); ++n)
      if (facts_[n].reachable && flow_.nodes[n].atomic_depth == 0)
        classes[facts_[n].shared].emplace_back(n);
    return classes;
  }

  /// An edge that changes shared variables and nothing else of other threads.
  void disturb(std::size_t e, Classes& classes) {
    std::vector<std::pair<Cube, Cube>> widened;
    for (const auto& [shared, nodes] : classes) {
      const auto known = before_disturbance(e, shared);
      if (!known) continue;
      const Cube wider = shared.hull(after(e, flow_.edges[e].shared, known->shared, *known));
      if (wider != shared) widened.emplace_back(shared, wider);
    }
    for (const auto& [shared, wider] : widened) {
      auto moved = classes.extract(shared);
      for (const NodeId node : moved.mapped()) widen(node, wider, facts_[node.index()].local);
      std::ranges::copy(moved.mapped(), std::back_inserter(classes[wider]));
    }
  }

  /// An edge that may wake threads or assign to their variables.
  void disturb(std::size_t e) {
    std::map<Cube, std::optional<Knowledge>> known_for;
    for (std::size_t n = 0; n < flow_.nodes.size(); ++n) {
      const Fact fact = facts_[n];
      if (!fact.reachable || flow_.nodes[n].atomic_depth > 0) continue;
      const auto [it, is_new] = known_for.try_emplace(fact.shared);
      if (is_new) it->second = before_disturbance(e, fact.shared);
      if (it->second) disturb(e, *it->second, NodeId(n), fact);
    }
  }

  std::optional<Knowledge> before_disturbance(std::size_t e, const Cube& shared) const {
    const Fact& active = facts_[flow_.edges[e].source.index()];
    if (!active.shared.meets(shared)) return std::nullopt;
    Knowledge start;
    start.shared = active.shared.with(shared);
    start.local = active.local;
    return narrowed(e, start);
  }

  void disturb(std::size_t e, const Knowledge& known, NodeId node, const Fact& fact) {
    const FlowEdge& edge = flow_.edges[e];
    const FlowNode& which = flow_.nodes[node.index()];
    const Cube shared = after(e, edge.shared, known.shared, known);
    const bool woken = which.waits && which.condition == edge.condition &&
                       (edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal);
    if (woken) widen(which.woken, shared, fact.local);
    if (woken && edge.kind == EdgeKind::Broadcast) return;
    Cube local = fact.local;
    Knowledge sent = known;  // whose choices are the active thread's
    sent.choices = Cube::all();
    sent.receiver = fact.local;
    if (roots_[node.index()] == roots_[edge.source.index()])
      for (const Assignment& passive : edge.passive) {
        const auto value = evaluate(passive.value, sent);
        local = value ? local.with(passive.index, *value)
                      : local.without(model::boolean::bit(passive.index));
      }
    widen(node, shared, local);
  }

  const Flow& flow_;
  const Preimage& preimage_;
  std::vector<Fact>& facts_;
  std::vector<std::vector<Atom>> atoms_;  ///< of each edge's condition, without choices
  std::vector<std::uint32_t> roots_;
  bool changed_ = false;
};

ThreadFacts::ThreadFacts(const Flow& flow) : flow_(flow) {}

ThreadFacts::ThreadFacts(const Flow& flow, const Preimage& preimage)
    : flow_(flow), known_(true), facts_(flow.nodes.size()) {
  FactFinder(flow, preimage, *this).run();
}

bool ThreadFacts::allow(const Element& element) const {
  Cube shared = element.shared;
  std::size_t inside = 0;
  for (const ThreadCube& thread : element.threads) {
    if (flow_.nodes[thread.node.index()].atomic_depth > 0 && ++inside > 1) return false;
    if (!known_) continue;
    const Fact& fact = facts_[thread.node.index()];
    if (!fact.reachable || !fact.local.meets(thread.values) || !fact.shared.meets(shared))
      return false;
    shared = shared.with(fact.shared);
  }
  return true;
}

std::vector<answer::ThreadFact> ThreadFacts::facts() const {
  std::vector<answer::ThreadFact> out;
  for (std::size_t i = 0; i < facts_.size(); ++i)
    if (facts_[i].reachable) out.push_back({NodeId(i), facts_[i].shared, facts_[i].local});
  return out;
}

std::size_t ThreadFacts::unreachable() const {
  return static_cast<std::size_t>(std::ranges::count(facts_, false, &Fact::reachable));
}

}  // namespace heddle::engine::onthefly
