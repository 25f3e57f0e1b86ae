/// Every fact of a ring follows by one rule of thread_analysis.cpp from facts of earlier rings.
/// Given one fact with all values, its predecessors are a small set: the rule's relation with
/// these values, cut with the earlier rings. One of them is picked, and so on. Times only
/// decrease, so this ends: at the thread's start or, for a procedure that has returned, at its
/// entry (which is a fact already if anything in the procedure is one with its entry and
/// parameters).

#include "engine/context/relations/path_finder.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::AtomKind;
using model::boolean::bit;
using model::boolean::EdgeKind;

// ---- words ----

Bdd Words::cube(Family family, std::uint32_t round, Valuation values) const {
  std::vector<std::pair<BddVariable, bool>> out;
  const auto& copy = system_.variables().of(family, round);
  for (std::uint32_t i = 0; i < copy.size(); ++i) out.emplace_back(copy[i], values[i]);
  return system_.space().cube(out);
}

Bdd Words::cube_but(Family family, Valuation values, Valuation open) const {
  std::vector<std::pair<BddVariable, bool>> out;
  const auto& copy = system_.variables().of(family);
  for (std::uint32_t i = 0; i < copy.size(); ++i)
    if (!open[i]) out.emplace_back(copy[i], values[i]);
  return system_.space().cube(out);
}

Valuation Words::read(const std::vector<bool>& picked, Family family, std::uint32_t round) const {
  Valuation out = 0;
  const auto& copy = system_.variables().of(family, round);
  for (std::uint32_t i = 0; i < copy.size(); ++i)
    if (picked[copy[i]]) out |= bit(i);
  return out;
}

// ---- sets of facts ----

/// The interface, as far as facts of the round have it.
Bdd PathFinder::prefix(std::uint32_t round) const {
  Bdd out = system_.space().constant(true);
  for (std::uint32_t i = round; i >= 1; --i) {
    out &= words_.cube(Family::Input, i, interface_.inputs[i - 1]);
    if (i < round) out &= words_.cube(Family::Output, i, interface_.outputs[i - 1]);
  }
  return out;
}

Bdd PathFinder::frame(const Fact& fact) const {
  return prefix(fact.round) & words_.cube(Family::Entry, fact.entry) &
         words_.cube(Family::Parameter, fact.parameters);
}

Bdd PathFinder::all_of(const Fact& fact) const {
  return frame(fact) & words_.cube(Family::Current, fact.shared) &
         words_.cube(Family::Local, fact.local);
}

Bdd PathFinder::facts_before(NodeId node, std::uint32_t entered, std::uint32_t round,
                             std::uint64_t time) const {
  Bdd out;
  for (const Ring& ring : thread_.rings(node, entered, round))
    if (ring.time < time) out |= ring.facts;
  return out;
}

/// When the first of these facts was met. Precondition: one was.
std::uint64_t PathFinder::time_of(const Fact& fact, const Bdd& facts) const {
  for (const Ring& ring : thread_.rings(fact.node, fact.entered, fact.round))
    if (!(ring.facts & facts).is_false()) return ring.time;
  base::fail_invariant("rings", "a fact should lie in a ring", __FILE__, __LINE__);
}

Fact PathFinder::read(const Spot& spot, const Bdd& facts) const {
  const std::vector<bool> picked = system_.space().pick(facts);
  return {spot.node,
          spot.entered,
          spot.round,
          words_.read(picked, Family::Entry),
          words_.read(picked, Family::Parameter),
          words_.read(picked, Family::Current),
          words_.read(picked, Family::Local)};
}

bool PathFinder::is_entry(const Fact& fact) const {
  if (fact.entered != fact.round) return false;
  // A thread calls its outermost procedure with the shared state that its turn began with.
  if (system_.starts_threads(fact.node) && fact.shared != interface_.inputs[fact.entered - 1])
    return false;
  const auto& calls = system_.calls_of(system_.flow().nodes[fact.node.index()].frame);
  return !calls.empty() && system_.flow().edges[calls.front().index()].child == fact.node &&
         !(all_of(fact) & system_.entry_base(calls.front())).is_false();
}

// ---- paths ----

/// Calls that have returned lie within each other as deep as the program likes, hence no recursion.
std::vector<Move> PathFinder::path_to(Fact fact) const {
  std::vector<Move> moves;
  std::vector<OpenCall> open;
  while (fact.node != thread_.start() || fact.round != 1) {
    if (is_entry(fact) && open.empty()) {
      const bool called = back_to_caller(fact, moves);
      HEDDLE_INVARIANT(called, "a procedure should have been called");
    } else if (is_entry(fact)) {
      const auto [edge, caller] = open.back();
      open.pop_back();
      moves.push_back({edge, {caller.shared, caller.local, fact.local}, caller.round});
      fact = caller;
    } else {
      const std::uint64_t time = time_of(fact, all_of(fact));
      const bool found = back_over_turn(fact) || back_over_step(fact, time, moves) ||
                         back_over_call(fact, time, moves, open);
      HEDDLE_INVARIANT(found, "a fact should follow from earlier ones");
    }
  }
  std::ranges::reverse(moves);
  return moves;
}

bool PathFinder::back_to_caller(Fact& fact, std::vector<Move>& moves) const {
  const std::uint32_t own = system_.flow().nodes[fact.node.index()].frame;
  for (const EdgeId call : system_.calls_of(own)) {
    const FlowEdge& edge = system_.flow().edges[call.index()];
    const std::uint64_t time = time_of(
        fact, frame(fact) & words_.cube(Family::Current, fact.shared) & system_.entry_base(call));
    const Bdd wanted = prefix(fact.entered) & words_.cube(Family::Current, fact.shared) &
                       words_.cube(Family::Argument, fact.parameters) &
                       system_.relation(call).relation;
    for (std::uint32_t entered = 1; entered <= fact.entered; ++entered) {
      const Bdd callers = wanted & facts_before(edge.source, entered, fact.entered, time);
      if (callers.is_false()) continue;
      const Fact caller = read({fact.entered, 0, entered, edge.source}, callers);
      moves.push_back({call, {caller.shared, caller.local, fact.local}, caller.round});
      fact = caller;
      return true;
    }
  }
  return false;
}

bool PathFinder::back_over_turn(Fact& fact) const {
  if (fact.round == fact.entered || fact.shared != interface_.inputs[fact.round - 1]) return false;
  Fact earlier = fact;
  --earlier.round;
  earlier.shared = interface_.outputs[earlier.round - 1];
  const Bdd wanted = all_of(earlier);
  const auto& rings = thread_.rings(earlier.node, earlier.entered, earlier.round);
  const bool found =
      system_.may_switch(earlier.node) && std::ranges::any_of(rings, [&](const Ring& ring) {
        return !(ring.facts & wanted).is_false();
      });
  if (found) fact = earlier;
  return found;
}

/// Values before the edge with the fact's values behind it.
Bdd PathFinder::after_step(const Fact& fact, const FlowEdge& edge) const {
  Valuation shared = 0;
  Valuation local = 0;
  for (const Assignment& assignment : edge.shared) shared |= bit(assignment.index);
  for (const Assignment& assignment : edge.local) local |= bit(assignment.index);
  return words_.cube_but(Family::Current, fact.shared, shared) &
         words_.cube_but(Family::Local, fact.local, local) &
         words_.cube_but(Family::Next, fact.shared, ~shared) &
         words_.cube_but(Family::NextLocal, fact.local, ~local);
}

bool PathFinder::back_over_step(Fact& fact, std::uint64_t time, std::vector<Move>& moves) const {
  for (const EdgeId id : system_.edges_into(fact.node)) {
    const FlowEdge& edge = system_.flow().edges[id.index()];
    if (edge.kind != EdgeKind::Step) continue;
    const Bdd wanted = after_step(fact, edge) & system_.relation(id).relation & frame(fact);
    if (wanted.is_false()) continue;
    const Bdd earlier = wanted & facts_before(edge.source, fact.entered, fact.round, time);
    if (earlier.is_false()) continue;
    moves.push_back({id, {fact.shared, fact.local, 0}, fact.round});
    fact = read({fact.round, 0, fact.entered, edge.source}, earlier);
    return true;
  }
  return false;
}

bool PathFinder::back_over_call(Fact& fact, std::uint64_t time, std::vector<Move>& moves,
                                std::vector<OpenCall>& open) const {
  for (const EdgeId id : system_.edges_into(fact.node)) {
    if (system_.flow().edges[id.index()].kind != EdgeKind::Call) continue;
    for (std::uint32_t called = fact.entered; called <= fact.round; ++called)
      if (back_over_call(fact, time, id, called, moves, open)) return true;
  }
  return false;
}

/// Facts at the exit, in the callee's terms and with results, that go on as the fact.
Bdd PathFinder::returning(const Fact& fact, std::uint64_t time, EdgeId call, std::uint32_t called,
                          EdgeId exit) const {
  const auto& received = system_.flow().edges[call.index()].received;
  Valuation shared = 0;
  Valuation kept = 0;
  Valuation results = 0;
  for (std::uint32_t i = 0; i < received.size(); ++i) {
    if (!received[i]) continue;
    const bool is_local = received[i]->kind == AtomKind::Local;
    if (!is_local) shared |= bit(received[i]->index);
    kept |= bit(i);
    if ((is_local ? fact.local : fact.shared)[received[i]->index]) results |= bit(i);
  }
  return facts_before(system_.flow().edges[exit.index()].source, called, fact.round, time) &
         prefix(fact.round) & system_.relation(exit).relation &
         words_.cube_but(Family::Current, fact.shared, shared) &
         words_.cube_but(Family::Result, results, ~kept);
}

bool PathFinder::back_over_call(Fact& fact, std::uint64_t time, EdgeId call, std::uint32_t called,
                                std::vector<Move>& moves, std::vector<OpenCall>& open) const {
  const FlowEdge& edge = system_.flow().edges[call.index()];
  Valuation received = 0;
  for (const auto& variable : edge.received)
    if (variable && variable->kind == AtomKind::Local) received |= bit(variable->index);
  Fact at_call = fact;
  at_call.round = called;
  const Bdd callers = facts_before(edge.source, fact.entered, called, time) & frame(at_call) &
                      system_.relation(call).relation &
                      words_.cube_but(Family::Local, fact.local, received);
  if (callers.is_false()) return false;
  const Bdd inner =
      system_.all(Family::Local) & system_.all(Family::Result) & system_.all(Family::Current);
  for (const EdgeId exit : system_.returns_of(system_.callee(call))) {
    const Bdd exits = returning(fact, time, call, called, exit);
    const Bdd interfaces = system_.for_caller(system_.space().exists(exits, inner));
    const Bdd both = callers & interfaces;
    if (both.is_false()) continue;
    const Fact caller = read({called, 0, fact.entered, edge.source}, both);
    const Valuation arguments = words_.read(system_.space().pick(both), Family::Argument);
    const Bdd mine = exits & words_.cube(Family::Entry, caller.shared) &
                     words_.cube(Family::Parameter, arguments);
    const Fact last =
        read({fact.round, 0, called, system_.flow().edges[exit.index()].source}, mine);
    const Valuation results = words_.read(system_.space().pick(mine), Family::Result);
    moves.push_back({exit, {last.shared, last.local, results}, fact.round});
    open.push_back({call, caller});
    fact = last;
    return true;
  }
  return false;
}

// ---- where paths end ----

std::vector<Move> PathFinder::path_from_start(const Spot& spot, const Bdd& facts) const {
  return path_to(read(spot, facts));
}

std::vector<Move> PathFinder::to_failure(std::uint32_t round) const {
  for (const auto& [spot, reached] : thread_.reached()) {
    if (spot.round != round || !system_.flow().nodes[spot.node.index()].failed) continue;
    const Bdd facts = reached.facts & prefix(round);
    if (!facts.is_false()) return path_from_start(spot, facts);
  }
  base::fail_invariant("failure", "the thread should fail", __FILE__, __LINE__);
}

/// Has the thread this interface up to the round before, and did nothing in this one?
bool PathFinder::was_idle(std::uint32_t round) const {
  if (interface_.inputs[round - 1] != interface_.outputs[round - 1]) return false;
  Bdd earlier = thread_.effect(round - 1);
  for (std::uint32_t i = 1; i < round; ++i)
    earlier &= words_.cube(Family::Input, i, interface_.inputs[i - 1]) &
               words_.cube(Family::Output, i, interface_.outputs[i - 1]);
  return !earlier.is_false();
}

std::vector<Move> PathFinder::to_effect() const {
  auto round = static_cast<std::uint32_t>(interface_.outputs.size());
  while (round > 0 && was_idle(round)) --round;
  if (round == 0) return {};
  const Bdd wanted = prefix(round) & words_.cube(Family::Current, interface_.outputs[round - 1]);
  for (const auto& [spot, reached] : thread_.reached()) {
    if (spot.round != round || !system_.may_have_changed(spot.node)) continue;
    const Bdd facts = reached.facts & wanted;
    if (!facts.is_false()) return path_from_start(spot, facts);
  }
  base::fail_invariant("effect", "the thread should have this effect", __FILE__, __LINE__);
}

}  // namespace heddle::engine::context
