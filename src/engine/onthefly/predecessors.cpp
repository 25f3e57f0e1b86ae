#include "engine/onthefly/predecessors.hpp"

/// Cover predecessors, derived from the semantics of flow.hpp.
///
/// Wanted: all states p with a step to some state q of the element m = ⟨S, T⟩, that is, q's shared
/// valuation is in S and T is mapped one to one to threads of q. Look at the edge e of the step and
/// at the threads of q that are *not* mere bystanders: the active thread, now at e's target; the
/// child, if e is a Spawn; threads that e has moved (woken, or given new values). Each of them is
/// either the image of a thread of T or it is not demanded by m at all.
///
///  * Step. The active thread is one of T at e's target (direct predecessor), or new (expanded).
///    Take it out, put back a thread at e's source with values from the preimage of the edge.
///  * Spawn. Active thread and child are in T or not, in every combination, also both in the same
///    cube if T has two of it; T's demands on both are pulled back to the one thread at e's source,
///    whose values *before* the step the child inherits. (Neither in T: p is a state of m.)
///  * Broadcast. Each other thread of T has stayed where it is, unless it is at a wait of the
///    condition (such a thread would have been moved), or it comes from a wait whose next node it
///    is at. Every combination counts: of n equal threads any number may have been woken. (To let a
///    thread stay at a wait of the condition would change no verdict: whatever a waiting thread can
///    do later, one that was woken at once can do as well, by staying behind the wait. But such an
///    element has no step by e, and runs are made of such steps.)
///  * Signal. A thread of T was the one woken; or nobody waited (impossible if another thread of T
///    waits); or the one woken is not in T: then one more waiting thread was there.
///  * Passive assignments. A demand on an assigned variable of another thread is a demand on its
///    value, over the active thread's variables; `*` meets every demand. If a value depends on the
///    receiver, too, all cubes of the active thread's and the receiver's variables are tried that
///    allow the receiver to choose as demanded; those of the active thread hold for all receivers.
///
/// Which edges need an active thread outside T? If e changes neither the shared state nor other
/// threads of T, then p with the new thread removed is a state of m already. So only edges that
/// assign shared variables, create threads, or move or change other threads expand: exactly those
/// are in `expanding_` and `spawning_`. (Edges that assign shared variables but happen to keep them
/// give elements that m includes.)
///
/// Minimality is left to the antichain: what is visited may include each other.

#include <algorithm>
#include <utility>

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
using model::boolean::Valuation;

namespace {

using Threads = std::vector<ThreadCube>;

/// Precondition: it is no Spawn.
bool may_expand(const FlowEdge& edge) {
  return !edge.shared.empty() || edge.kind != EdgeKind::Step || !edge.passive.empty();
}

Threads without(const Threads& threads, std::size_t index) {
  Threads out = threads;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(index));
  return out;
}

Threads with(const Threads& threads, const ThreadCube& thread) {
  Threads out = threads;
  out.insert(std::ranges::upper_bound(out, thread), thread);
  return out;
}

/// Is this the first of a run of equal threads? The others would give the same once more.
bool is_first(const Threads& threads, std::size_t index) {
  return index == 0 || threads[index - 1] != threads[index];
}

/// Every cube of the variables of `known` that a receiver and the active thread may have, for the
/// formula to hold with some choice of the receiver.
void for_each_way(const Formula& wanted, const Knowledge& known,
                  const std::function<void(const Knowledge&)>& visit) {
  const auto value = evaluate(wanted, known);
  if (value == false) return;
  if (value) return visit(known);
  const Atom unknown = first_unknown(wanted, known);
  if (unknown.kind == AtomKind::Choice) {  // the others matter no more
    if (satisfiable(wanted, known)) visit(known);
    return;
  }
  for (const bool guess : {false, true}) {
    Knowledge more = known;
    more.set(unknown, guess);
    for_each_way(wanted, more, visit);
  }
}

}  // namespace

Predecessors::Predecessors(const Flow& flow, std::optional<std::uint64_t> memory_mb)
    : flow_(flow), preimage_(flow, memory_mb), into_(flow.nodes.size()) {
  for (std::size_t i = 0; i < flow.edges.size(); ++i) {
    const FlowEdge& edge = flow.edges[i];
    if (edge.kind == EdgeKind::Spawn) {
      spawning_.emplace_back(i);
      continue;
    }
    into_[edge.target.index()].emplace_back(i);
    if (may_expand(edge)) expanding_.emplace_back(i);
  }
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    roots_.push_back(flow.root_of(NodeId(i)));
    if (flow.nodes[i].waits) waiting_.emplace_back(i);
  }
}

bool Predecessors::waits_for(NodeId node, std::uint32_t condition) const {
  const FlowNode& which = flow_.nodes[node.index()];
  return which.waits && which.condition == condition;
}

/// A Spawn whose active thread is a new one counts here: its child may be one of the element's.
void Predecessors::for_each_as_large(const Element& element, const Visit& visit) {
  for (std::size_t i = 0; i < element.threads.size(); ++i) {
    const NodeId node = element.threads[i].node;
    if (i > 0 && element.threads[i - 1].node == node) continue;
    for (const EdgeId edge : into_[node.index()]) by_demanded(edge, element, visit);
  }
  for (const EdgeId edge : spawning_) {
    by_demanded(edge, element, visit);
    with_active(edge, element, nullptr, element.threads, visit);
  }
}

void Predecessors::for_each_larger(const Element& element, const Visit& visit) {
  for (const EdgeId edge : expanding_) with_active(edge, element, nullptr, element.threads, visit);
}

void Predecessors::by_demanded(EdgeId which, const Element& element, const Visit& visit) {
  const FlowEdge& edge = flow_.edges[which.index()];
  for (std::size_t i = 0; i < element.threads.size(); ++i)
    if (element.threads[i].node == edge.target && is_first(element.threads, i))
      with_active(which, element, &element.threads[i], without(element.threads, i), visit);
}

void Predecessors::with_active(EdgeId which, const Element& element, const ThreadCube* active,
                               Threads rest, const Visit& visit) {
  const FlowEdge& edge = flow_.edges[which.index()];
  After after;
  after[Part::Shared] = element.shared;
  if (active) after[Part::Local] = active->values;
  if (edge.kind == EdgeKind::Spawn) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].node != edge.child || !is_first(rest, i)) continue;
      after[Part::Child] = rest[i].values;
      finish(which, after, {without(rest, i), {}, {}, {}}, visit);
    }
    after[Part::Child] = Cube::all();
  }
  others_before(edge, rest, [&](const Demand& demand) {
    const bool unchanged = !active && edge.shared.empty() && demand.others == rest;
    after[Part::Others] = demand.assigned;
    if (!unchanged) finish(which, after, demand, visit);
  });
}

void Predecessors::others_before(const FlowEdge& edge, const Threads& after,
                                 const VisitDemand& visit) const {
  const auto plain = [&](const Threads& before) { visit({before, {}, {}, {}}); };
  if (edge.kind == EdgeKind::Signal) return signal(edge, after, plain);
  if (edge.kind == EdgeKind::Broadcast) {
    Threads before;
    return broadcast(edge, after, before, plain);
  }
  if (edge.passive.empty()) return plain(after);
  Demand demand{after, {}, {}, {}};
  receivers_before(edge, 0, demand, visit);
}

/// Decides for one receiver after the other what it had before.
void Predecessors::receivers_before(const FlowEdge& edge, std::size_t thread, Demand& demand,
                                    const VisitDemand& visit) const {
  if (thread == demand.others.size()) {
    Demand sorted = demand;
    std::ranges::sort(sorted.others);
    return visit(sorted);
  }
  const Demand saved = demand;
  const ThreadCube after = demand.others[thread];
  Formula wanted = model::boolean::constant(true);
  Knowledge known;
  known.receiver = after.values;
  if (roots_[after.node.index()] == roots_[edge.source.index()])
    for (const Assignment& passive : edge.passive) {
      known.receiver = known.receiver.without(model::boolean::bit(passive.index));
      const auto value = after.values[passive.index];
      if (!value) continue;
      if (!is_same_for_all(passive)) {
        wanted = conjunction(std::move(wanted),
                             equality(passive.value, model::boolean::constant(*value)));
        continue;
      }
      const Cube demanded = Cube::all().with(passive.index, *value);
      if (!demand.assigned.meets(demanded)) {
        demand = saved;
        return;
      }
      demand.assigned = demand.assigned.with(demanded);
    }
  const Demand same = demand;
  known.shared = same.shared;
  known.local = same.local;
  for_each_way(wanted, known, [&](const Knowledge& way) {
    demand = same;
    demand.others[thread].values = way.receiver;
    demand.shared = way.shared;
    demand.local = way.local;
    receivers_before(edge, thread + 1, demand, visit);
  });
  demand = saved;
}

/// Decides for one thread after the other where it was; `before` holds the decisions so far.
void Predecessors::broadcast(const FlowEdge& edge, const Threads& after, Threads& before,
                             const std::function<void(const Threads&)>& visit) const {
  if (before.size() == after.size()) {
    Threads sorted = before;
    std::ranges::sort(sorted);
    return visit(sorted);
  }
  const ThreadCube& thread = after[before.size()];
  // Of equal threads the later one decides for no smaller node: one order of each combination.
  const bool repeats = !before.empty() && after[before.size() - 1] == thread;
  const NodeId least = repeats ? before.back().node : NodeId();
  const auto decide = [&](NodeId node) {
    if (node < least) return;
    before.push_back({node, thread.values});
    broadcast(edge, after, before, visit);
    before.pop_back();
  };
  if (!waits_for(thread.node, edge.condition)) decide(thread.node);
  for (const NodeId wait : waiting_)
    if (waits_for(wait, edge.condition) && flow_.nodes[wait.index()].woken == thread.node)
      decide(wait);
}

void Predecessors::signal(const FlowEdge& edge, const Threads& after,
                          const std::function<void(const Threads&)>& visit) const {
  const bool somebody_waits = std::ranges::any_of(
      after, [&](const ThreadCube& thread) { return waits_for(thread.node, edge.condition); });
  if (!somebody_waits) visit(after);
  for (const NodeId wait : waiting_) {
    if (!waits_for(wait, edge.condition)) continue;
    if (somebody_waits) visit(with(after, {wait, Cube::all()}));
    for (std::size_t i = 0; i < after.size(); ++i)
      if (flow_.nodes[wait.index()].woken == after[i].node && is_first(after, i))
        visit(with(without(after, i), {wait, after[i].values}));
  }
}

void Predecessors::finish(EdgeId edge, const After& after, const Demand& demand,
                          const Visit& visit) {
  const NodeId source = flow_.edges[edge.index()].source;
  for (const Before& before : preimage_.of(edge, after)) {
    if (!before.shared.meets(demand.shared) || !before.local.meets(demand.local)) continue;
    visit(edge, {before.shared.with(demand.shared),
                 with(demand.others, {source, before.local.with(demand.local)})});
  }
}

}  // namespace heddle::engine::onthefly
