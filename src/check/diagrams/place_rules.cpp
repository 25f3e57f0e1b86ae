#include "check/diagrams/place_rules.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "check/diagrams/diagram_support.hpp"
#include "check/program/fixed_threads.hpp"

namespace heddle::check {

using answer::CallStack;
using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using model::boolean::NodeId;
using DiagramSet = Diagrams::Set;

namespace {

constexpr std::size_t kLargestRelation = 1'000;  ///< nodes that a factor may add to it

[[noreturn]] void missing_slots() { refute("the diagrams lack a slot for a local variable"); }

bool receives_shared(const FlowEdge& call) {
  return std::ranges::any_of(call.received, [](const std::optional<Atom>& variable) {
    return variable && variable->kind == AtomKind::Shared;
  });
}

/// Precondition: a return has a call to return to.
CallStack behind(const Flow& flow, const CallStack& stack, EdgeId id) {
  const FlowEdge& edge = flow.edges[id.index()];
  CallStack out{stack.calls, edge.target};
  if (edge.kind == EdgeKind::Call) {
    out.calls.push_back(id);
    out.node = edge.child;
  } else if (edge.kind == EdgeKind::Return) {
    out.node = flow.edges[stack.calls.back().index()].target;
    out.calls.pop_back();
  }
  return out;
}

}  // namespace

namespace {

ClaimedProgram claimed_program(const model::ProgramTask& task, const answer::PlaceDiagrams& claim,
                               const std::optional<base::Integer>& rounds) {
  auto flow = model::boolean::keep_calls(task.model);
  if (!flow) refute("the program has no flow graph: " + flow.error());
  ClaimedProgram out{std::move(*flow), {}};
  out.starts = starts_of(out.flow, task);
  if (out.starts.empty()) refute("the number of threads is not fixed");
  if (claim.rounds > 0 && (!rounds || *rounds > claim.rounds))
    refute("the sets are about fewer rounds");
  if (auto problem = check_form(claim.nodes, claim.variables.size())) throw Broken{*problem};
  return out;
}

const std::vector<answer::DiagramNode>& nodes_of(const answer::PlaceDiagrams& claim,
                                                 const ConfigurationCopies& copies) {
  if (copies.problem()) refute(*copies.problem());
  return claim.nodes;
}

}  // namespace

ClaimedPlaces::ClaimedPlaces(const model::ProgramTask& task, const answer::PlaceDiagrams& claim,
                             const std::optional<base::Integer>& rounds)
    : program(claimed_program(task, claim, rounds)),
      copies(program.flow, claim, program.starts.size()),
      diagrams(nodes_of(claim, copies)),
      rules(program.flow, program.starts, copies, diagrams) {}

PlaceRules::PlaceRules(const Flow& flow, const std::vector<NodeId>& starts,
                       const ConfigurationCopies& copies, Diagrams& diagrams)
    : flow_(flow),
      copies_(copies),
      diagrams_(diagrams),
      by_source_(flow.edges_by_source()),
      identity_(copies.variable_count()) {
  std::iota(identity_.begin(), identity_.end(), 0U);
  for (const NodeId start : starts) firsts_.push_back(first_stack(start));
}

void PlaceRules::refuse_failure(const CallStack& stack) const {
  const auto& node = flow_.nodes[stack.node.index()];
  if (node.failed) refute("a thread can fail in line " + std::to_string(node.at.line));
}

DiagramSet PlaceRules::at(std::uint32_t thread, std::uint32_t place) {
  if (!copies_.occurs_between_turns(thread, place))
    refute("a place at which turns end has too few digits");
  DiagramSet out = 1;
  const auto& digits = copies_.place[thread];
  for (std::size_t i = digits.size(); i-- > 0;) {
    const DiagramSet digit = diagrams_.variable(digits[i]);
    const bool is_one = i < 32 && (place >> i & 1U) != 0;
    out = both(out, is_one ? digit : diagrams_.complement(digit));
  }
  return out;
}

/// Neither tests nor assigns anything, but for variables of a callee, which may have any values
/// before as well as behind it. (Outside of atomic sections a guard asks for their bit alone.)
bool PlaceRules::does_nothing(const FlowEdge& edge) const {
  const auto is_choice = [](const Assignment& a) {
    return a.value.kind == Formula::Kind::Atom && a.value.atom.kind == AtomKind::Choice;
  };
  const Formula& guard = edge.guard;
  const bool asks_for_bit = guard.kind == Formula::Kind::Not &&
                            guard.operands[0].kind == Formula::Kind::Atom &&
                            guard.operands[0].atom.kind == AtomKind::Shared &&
                            flow_.atomic_bit == guard.operands[0].atom.index;
  return (edge.kind == EdgeKind::Step || edge.kind == EdgeKind::Call) && edge.shared.empty() &&
         edge.local.empty() && std::ranges::all_of(edge.child_values, is_choice) &&
         (guard.kind == Formula::Kind::True || asks_for_bit) &&
         edge.constraint.kind == Formula::Kind::True;
}

/// Where a thread is after the steps that do nothing and have no alternative.
CallStack PlaceRules::first_stack(NodeId start) const {
  CallStack out{{}, start};
  std::set<EdgeId> taken;
  while (!flow_.nodes[out.node.index()].failed && edges_from(out.node).size() == 1) {
    const EdgeId id = edges_from(out.node)[0];
    const FlowEdge& edge = flow_.edges[id.index()];
    if (!does_nothing(edge) || !taken.insert(id).second) break;
    out = behind(flow_, out, id);
  }
  return out;
}

DiagramSet PlaceRules::initial() {
  DiagramSet out = 1;
  for (std::uint32_t i = 0; i < copies_.shared.size(); ++i) {
    const auto value = flow_.initial_shared[i];
    if (!value) continue;
    const DiagramSet variable = diagrams_.variable(copies_.shared[i]);
    out = both(out, *value ? variable : diagrams_.complement(variable));
  }
  for (std::uint32_t j = 0; j < firsts_.size(); ++j) {
    const std::uint32_t place = copies_.number(j, firsts_[j]);
    if (place == 0) refute("the start of a thread is not among its places");
    out = both(out, at(j, place));
  }
  return out;
}

StepCopies PlaceRules::step_copies(std::uint32_t thread, std::size_t first) const {
  if (first > copies_.local[thread].size()) missing_slots();
  return {copies_.shared, copies_.next_shared, std::span(copies_.local[thread]).subspan(first),
          std::span(copies_.next_local[thread]).subspan(first), copies_.choices};
}

StepRule PlaceRules::step(std::uint32_t thread, const CallStack& stack, EdgeId id,
                          DiagramSet here) {
  const FlowEdge& edge = flow_.edges[id.index()];
  if (copies_.last_slot(stack) > copies_.local[thread].size()) missing_slots();
  const EdgeSets sets(edge, step_copies(thread, copies_.first_slot(stack)), diagrams_);
  StepRule rule{here, sets.condition(), 0, identity_,
                "'" + edge.text + "' in line " + std::to_string(edge.at.line)};
  switch (edge.kind) {
    case EdgeKind::Call: call(rule, thread, stack, id, sets); break;
    case EdgeKind::Return: leave(rule, thread, stack, id, sets); break;
    default: plain(rule, thread, stack, id, sets); break;
  }
  return rule;
}

/// The relation of a call that hands on many variables is huge, but not what it does to a set that
/// knows most of their values: a relation that grows large goes over into the set.
void PlaceRules::narrow(StepRule& rule, DiagramSet factor) {
  const std::size_t before = diagrams_.size();
  const DiagramSet joined = both(rule.relation, factor);
  if (diagrams_.size() - before <= kLargestRelation) {
    rule.relation = joined;
  } else {
    rule.from = both(rule.from, rule.relation);
    rule.relation = factor;
  }
}

void PlaceRules::assign(StepRule& rule, const EdgeSets& sets, std::span<const Assignment> list,
                        std::span<const std::uint32_t> copy) {
  for (const Assignment& a : list) narrow(rule, sets.assigned({&a, 1}, copy));
}

void PlaceRules::plain(StepRule& rule, std::uint32_t thread, const CallStack& stack, EdgeId id,
                       const EdgeSets& sets) {
  const FlowEdge& edge = flow_.edges[id.index()];
  const StepCopies own = step_copies(thread, copies_.first_slot(stack));
  for (const Assignment& a : edge.shared)
    rule.after[copies_.shared[a.index]] = copies_.next_shared[a.index];
  for (const Assignment& a : edge.local) rule.after[own.local[a.index]] = own.next_local[a.index];
  assign(rule, sets, edge.shared, own.next_shared);
  assign(rule, sets, edge.local, own.next_local);
  rule.target = copies_.number(thread, behind(flow_, stack, id));
}

/// The callee's slots had any values before, so also those that they get.
void PlaceRules::call(StepRule& rule, std::uint32_t thread, const CallStack& stack, EdgeId id,
                      const EdgeSets& sets) {
  const FlowEdge& edge = flow_.edges[id.index()];
  const CallStack callee = behind(flow_, stack, id);
  if (copies_.last_slot(callee) > copies_.local[thread].size()) return;
  const StepCopies inner = step_copies(thread, copies_.first_slot(callee));
  assign(rule, sets, edge.child_values, inner.local);
  rule.target = copies_.number(thread, callee);
}

/// The callee's slots may have any values afterwards: copies that nothing is known of.
void PlaceRules::leave(StepRule& rule, std::uint32_t thread, const CallStack& stack, EdgeId id,
                       const EdgeSets& sets) {
  const FlowEdge& edge = flow_.edges[id.index()];
  if (stack.calls.empty()) refute("a place returns to nowhere");
  const FlowEdge& from = flow_.edges[stack.calls.back().index()];
  const CallStack caller = behind(flow_, stack, id);
  const StepCopies outer = step_copies(thread, copies_.first_slot(caller));
  for (std::size_t i = copies_.last_slot(caller); i < copies_.local[thread].size(); ++i)
    rule.after[copies_.local[thread][i]] = copies_.next_local[thread][i];
  std::map<Atom, std::uint32_t> received;  // the last value counts
  for (std::uint32_t i = 0; i < from.received.size(); ++i)
    if (from.received[i]) received[*from.received[i]] = i;
  for (const auto& [variable, result] : received) {
    if (result >= edge.child_values.size()) refute("a place returns to another call");
    const bool is_local = variable.kind == AtomKind::Local;
    const auto& copy = is_local ? outer.next_local : outer.next_shared;
    rule.after[(is_local ? outer.local : outer.shared)[variable.index]] = copy[variable.index];
    const Assignment value{variable.index, edge.child_values[result].value};
    assign(rule, sets, {&value, 1}, copy);
  }
  rule.target = copies_.number(thread, caller);
}

bool PlaceRules::follows_change(NodeId node) const {
  return flow_.nodes[node.index()].atomic_depth == 0 &&
         std::ranges::any_of(flow_.edges, [&](const FlowEdge& edge) {
           return edge.kind != EdgeKind::Return && edge.target == node &&
                  (!edge.shared.empty() || receives_shared(edge));
         });
}

/// An edge without a constraint is possible if its guard holds for some choices.
bool PlaceRules::goes_on(std::uint32_t thread, const CallStack& stack,
                         const std::vector<bool>& going_on) {
  if (copies_.last_slot(stack) > copies_.local[thread].size()) return false;
  if (ends_turns(thread, stack)) return true;
  std::vector<bool> chosen(copies_.variable_count());
  for (const std::uint32_t choice : copies_.choices) chosen[choice] = true;
  DiagramSet possible =
      flow_.atomic_bit ? diagrams_.variable(copies_.shared[*flow_.atomic_bit]) : 0;
  for (const EdgeId id : edges_from(stack.node)) {
    const FlowEdge& edge = flow_.edges[id.index()];
    const bool returns = edge.kind == EdgeKind::Return;
    const bool is_known = edge.kind == EdgeKind::Step || edge.kind == EdgeKind::Call || returns;
    if (!is_known || (returns && stack.calls.empty()) ||
        edge.constraint.kind != Formula::Kind::True)
      continue;
    const std::uint32_t place = copies_.number(thread, behind(flow_, stack, id));
    if (place == 0 || !going_on[place - 1]) continue;
    const EdgeSets sets(edge, step_copies(thread, copies_.first_slot(stack)), diagrams_);
    possible = diagrams_.disjunction(possible, diagrams_.product(sets.condition(), 1, chosen));
  }
  return possible == 1;
}

std::vector<bool> PlaceRules::stops(std::uint32_t thread, const std::vector<CallStack>& places) {
  std::vector<bool> going_on(places.size());
  for (bool grows = true; std::exchange(grows, false);)
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!going_on[i] && goes_on(thread, places[i], going_on)) going_on[i] = grows = true;
  std::vector<bool> out(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    out[i] = !going_on[i] && follows_change(places[i].node);
  return out;
}

bool PlaceRules::ends_turns(std::uint32_t thread, const CallStack& stack) const {
  if (stack == firsts_[thread]) return true;
  if (flow_.nodes[stack.node.index()].atomic_depth != 0) return false;
  return std::ranges::any_of(by_source_[stack.node.index()], [&](EdgeId id) {
    const FlowEdge& edge = flow_.edges[id.index()];
    const bool returns = edge.kind == EdgeKind::Return && !stack.calls.empty();
    return depends_on_shared(flow_, edge) ||
           (returns && receives_shared(flow_.edges[stack.calls.back().index()]));
  });
}

std::vector<std::uint32_t> PlaceRules::assigned(const std::vector<CallStack>& places) const {
  std::set<std::uint32_t> out;
  const auto note = [&](EdgeId id) {
    const FlowEdge& edge = flow_.edges[id.index()];
    for (const Assignment& a : edge.shared) out.insert(a.index);
    for (const std::optional<Atom>& variable : edge.received)
      if (variable && variable->kind == AtomKind::Shared) out.insert(variable->index);
  };
  for (const CallStack& stack : places) {
    std::ranges::for_each(by_source_[stack.node.index()], note);
    std::ranges::for_each(stack.calls, note);
  }
  return {out.begin(), out.end()};
}

}  // namespace heddle::check
