#include "check/program/thread_invariant.hpp"

/// I claims for each node n a set I(n) of pairs (shared, local). It holds in every reachable state,
/// for any number of threads, if
///
///  * initial states satisfy it at the start of main;
///  * for each edge e from n: (s, l) in I(n) and a step (s, l) → (s', l') imply (s', l') in I(n'),
///    and likewise for a child that it creates;
///  * for each edge e and each node m of another thread: (s, l) in I(n), (s, k) in I(m) and a step
///    (s, l) → (s', l') imply (s', k') in I(m'), where k' and m' are what the step makes of the
///    other thread: it may wake it or assign to its variables.
///
/// In the third case both threads may not be inside atomic sections, which `sections_exclude`
/// justifies. Each case is a query to the SAT solver for a counterexample.

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "check/program/edge_encoding.hpp"

namespace heddle::check {

namespace {

using answer::ThreadFact;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Knowledge;
using model::boolean::NodeId;
using MaybeProblem = std::optional<InvariantProblem>;

/// Is every pair of these cubes in the union of the facts? Splits them where a fact does.
bool contain(std::span<const ThreadFact> facts, const Cube& shared, const Cube& local) {
  const ThreadFact* meeting = nullptr;
  for (const ThreadFact& fact : facts) {
    if (fact.shared.contains(shared) && fact.local.contains(local)) return true;
    if (fact.shared.meets(shared) && fact.local.meets(local)) meeting = &fact;
  }
  if (!meeting) return false;
  const auto split = [](const Cube& cube, const Cube& by) {
    return (by.mask & ~cube.mask).lowest();
  };
  const bool by_shared = !meeting->shared.contains(shared);
  const std::uint32_t variable =
      by_shared ? split(shared, meeting->shared) : split(local, meeting->local);
  return std::ranges::all_of(std::array{false, true}, [&](bool value) {
    return by_shared ? contain(facts, shared.with(variable, value), local)
                     : contain(facts, shared, local.with(variable, value));
  });
}

class Prover {
 public:
  Prover(const Flow& flow, const ThreadInvariant& invariant, base::RunContext& context)
      : flow_(flow), invariant_(invariant), context_(context) {
    std::set<std::pair<bool, Cube>> met;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const auto facts = invariant.at(NodeId(i));
      const bool inside = flow.nodes[i].atomic_depth > 0;
      if (facts.size() > 1 || (facts.size() == 1 && met.emplace(inside, facts[0].shared).second))
        representatives_.emplace_back(i);
      all_.emplace_back(i);
    }
  }

  MaybeProblem run() {
    if (!contain(invariant_.at(flow_.start), flow_.initial_shared, flow_.initial_local))
      return InvariantProblem{"the thread states do not contain all initial ones"};
    for (const FlowEdge& edge : flow_.edges)
      if (auto problem = check(edge)) return problem;
    return std::nullopt;
  }

 private:
  MaybeProblem check(const FlowEdge& edge) {
    if (invariant_.at(edge.source).empty()) return std::nullopt;
    EdgeEncoding encoding(flow_, edge);
    if (auto problem = own(edge, encoding, edge.target, encoding.local_after())) return problem;
    if (edge.kind == EdgeKind::Spawn)
      if (auto problem = own(edge, encoding, edge.child, encoding.child())) return problem;
    std::set<Cube> seen;
    const bool moves_others =
        edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal || !edge.passive.empty();
    for (const NodeId node : moves_others ? all_ : representatives_)
      if (auto problem = other(edge, encoding, node, seen)) return problem;
    return std::nullopt;
  }

  MaybeProblem own(const FlowEdge& edge, EdgeEncoding& encoding, NodeId target, const Bits& local) {
    encoding.assume_one_of(invariant_.at(edge.source), encoding.shared(), encoding.local());
    forbid(encoding, target, local);
    return ask(edge, encoding);
  }

  void forbid(EdgeEncoding& encoding, NodeId node, const Bits& local) const {
    for (const ThreadFact& fact : invariant_.at(node)) {
      const EdgeEncoding::Part parts[] = {{fact.shared, &encoding.shared_after()},
                                          {fact.local, &local}};
      encoding.assume_not(parts);
    }
  }

  MaybeProblem other(const FlowEdge& edge, EdgeEncoding& encoding, NodeId node,
                     std::set<Cube>& seen) {
    const FlowNode& which = flow_.nodes[node.index()];
    const auto facts = invariant_.at(node);
    const bool both_inside =
        which.atomic_depth > 0 && flow_.nodes[edge.source.index()].atomic_depth > 0;
    if (facts.empty() || both_inside) return std::nullopt;
    const bool wakes = edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal;
    const bool woken = wakes && which.waits && which.condition == edge.condition;
    const bool assigned =
        !edge.passive.empty() && flow_.root_of(node) == flow_.root_of(edge.source);
    if (!woken && !assigned) {
      // Its variables stay as they are: for one cube only the shared part matters.
      if (edge.shared.empty()) return std::nullopt;
      if (facts.size() == 1 && !seen.insert(facts[0].shared).second) return std::nullopt;
    }
    if (woken)
      if (auto problem = disturbed(edge, encoding, node, which.woken, assigned)) return problem;
    if (woken && edge.kind == EdgeKind::Broadcast) return std::nullopt;
    return disturbed(edge, encoding, node, node, assigned);
  }

  MaybeProblem disturbed(const FlowEdge& edge, EdgeEncoding& encoding, NodeId from, NodeId to,
                         bool assigned) {
    const Bits after = encoding.other_after(0, assigned);
    encoding.assume_one_of(invariant_.at(edge.source), encoding.shared(), encoding.local());
    encoding.assume_one_of(invariant_.at(from), encoding.shared(), encoding.other(0));
    forbid(encoding, to, after);
    return ask(edge, encoding);
  }

  MaybeProblem ask(const FlowEdge& edge, EdgeEncoding& encoding) {
    if (const auto stop = context_.step())
      return InvariantProblem{std::string(base::to_string(*stop)), true};
    const solver::SatAnswer found = encoding.find_step(context_);
    encoding.forget();
    if (found == solver::SatAnswer::Unsatisfiable) return std::nullopt;
    if (found == solver::SatAnswer::Unknown) return InvariantProblem{why_unknown(context_), true};
    return InvariantProblem{"the thread states are not kept by '" + edge.text + "' in line " +
                            std::to_string(edge.at.line)};
  }

  const Flow& flow_;
  const ThreadInvariant& invariant_;
  base::RunContext& context_;
  std::vector<NodeId> all_;
  /// An edge that neither wakes threads nor assigns to their variables concerns a node with one
  /// cube by the shared part of that cube alone: one node of each kind, inside of atomic sections
  /// and outside, and every node with several cubes.
  std::vector<NodeId> representatives_;
};

/// The values that the edge's guard allows for a shared variable, as far as that variable alone
/// decides.
bool guard_allows(const FlowEdge& edge, std::uint32_t variable, bool value) {
  Knowledge known;
  known.shared = Cube::all().with(variable, value);
  return evaluate(edge.guard, known) != false;
}

/// Is the bit 1 behind the edge exactly if a thread is inside a section, and is there one at most,
/// if both hold before it?
bool keeps_bit(const Flow& flow, const FlowEdge& edge, std::uint32_t atomic) {
  const bool inside = flow.nodes[edge.source.index()].atomic_depth > 0;
  const bool inside_after = flow.nodes[edge.target.index()].atomic_depth > 0;
  if (edge.kind == EdgeKind::Spawn && flow.nodes[edge.child.index()].atomic_depth > 0) return false;
  const bool leaves_bit = std::ranges::none_of(
      edge.shared, [&](const model::boolean::Assignment& a) { return a.index == atomic; });
  if (inside == inside_after && leaves_bit) return true;  // whatever the guard asks for
  if (guard_allows(edge, atomic, !inside)) return false;
  const auto set = std::ranges::find(edge.shared, atomic, &model::boolean::Assignment::index);
  return set != edge.shared.end() && set->value == model::boolean::constant(inside_after);
}

}  // namespace

ThreadInvariant::ThreadInvariant(const Flow& flow, const std::vector<ThreadFact>& facts)
    : claims_(!facts.empty()), facts_(flow.nodes.size()) {
  for (const ThreadFact& fact : facts) facts_[fact.node.index()].push_back(fact);
  if (claims_) return;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) facts_[i] = {{NodeId(i), {}, {}}};
}

bool sections_exclude(const Flow& flow) {
  const bool any =
      std::ranges::any_of(flow.nodes, [](const FlowNode& node) { return node.atomic_depth > 0; });
  if (!any) return true;
  if (!flow.atomic_bit) return false;
  const std::uint32_t atomic = *flow.atomic_bit;
  const bool starts_free =
      flow.initial_shared[atomic] == false && flow.nodes[flow.start.index()].atomic_depth == 0;
  const bool woken_stay = std::ranges::all_of(flow.nodes, [&](const FlowNode& node) {
    return !node.waits ||
           (flow.nodes[node.woken.index()].atomic_depth > 0) == (node.atomic_depth > 0);
  });
  return starts_free && woken_stay && std::ranges::all_of(flow.edges, [&](const FlowEdge& edge) {
           return keeps_bit(flow, edge, atomic);
         });
}

MaybeProblem why_not_invariant(const Flow& flow, const ThreadInvariant& invariant,
                               base::RunContext& context) {
  if (!invariant.claims_something()) return std::nullopt;
  return Prover(flow, invariant, context).run();
}

}  // namespace heddle::check
