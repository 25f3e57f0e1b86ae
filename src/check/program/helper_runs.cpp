#include "check/program/helper_runs.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace heddle::check {

using model::boolean::Assignment;
using model::boolean::AtomKind;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using model::boolean::NodeId;
using model::boolean::Valuation;
using solver::Bdd;

namespace {

using RunValues = std::vector<std::pair<std::uint32_t, bool>>;
using RunCopies = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool assigns(const std::vector<Assignment>& assignments, std::uint32_t index) {
  return std::ranges::find(assignments, index, &Assignment::index) != assignments.end();
}

/// The variables of the active thread that passive values are computed from.
std::vector<model::boolean::Atom> sent(const FlowEdge& edge) {
  std::set<model::boolean::Atom> out;
  for (const Assignment& passive : edge.passive)
    for_each_atom(passive.value, [&](const model::boolean::Atom& a) {
      if (a.kind == AtomKind::Shared || a.kind == AtomKind::Local) out.insert(a);
    });
  return {out.begin(), out.end()};
}

Bdd copied(const RunCopies& copies, const Bdd& set) {
  return copies.empty() ? set : solver::BddRenaming(copies)(set);
}

}  // namespace

RunLayout::RunLayout(const Flow& flow, std::uint32_t threads) {
  std::size_t messages = 1;
  for (const FlowEdge& edge : flow.edges)
    messages = std::max(messages, edge.choices + sent(edge).size() + edge.passive_choices);
  first_node = static_cast<std::uint32_t>(messages);
  bits = static_cast<std::uint32_t>(std::bit_width(flow.nodes.size()));
  first_shared = first_node + (threads - 1) * bits;
  first_local = first_shared + 2 * static_cast<std::uint32_t>(flow.shared_names.size());
  width = 2 + threads;
  total = first_local + width * flow.local_count;
}

// ---- relations ----

Bdd StepRelations::value(const Formula& formula, const FlowEdge& edge, std::uint32_t thread) const {
  std::vector<Bdd> parts;
  for (const Formula& operand : formula.operands) parts.push_back(value(operand, edge, thread));
  const std::uint32_t index = formula.atom.index;
  switch (formula.kind) {
    case Formula::Kind::False: return space_.constant(false);
    case Formula::Kind::True: return space_.constant(true);
    case Formula::Kind::Not: return !parts[0];
    case Formula::Kind::And: return parts[0] & parts[1];
    case Formula::Kind::Or: return parts[0] | parts[1];
    case Formula::Kind::Equal: return parts[0].iff(parts[1]);
    case Formula::Kind::Conditional: return parts[0].ite(parts[1], parts[2]);
    case Formula::Kind::Atom: break;
  }
  std::uint32_t variable = index;  // a choice
  if (formula.atom.kind == AtomKind::Shared) variable = layout_.shared(index);
  if (formula.atom.kind == AtomKind::Local) variable = layout_.local(thread, index);
  if (formula.atom.kind == AtomKind::NextShared)
    variable = assigns(edge.shared, index) ? layout_.shared_after(index) : layout_.shared(index);
  if (formula.atom.kind == AtomKind::NextLocal)
    variable =
        assigns(edge.local, index) ? layout_.local_after(index) : layout_.local(thread, index);
  return space_.variable(variable);
}

Bdd StepRelations::of(const FlowEdge& edge, std::uint32_t thread) const {
  Bdd out = value(edge.guard, edge, thread) & value(edge.constraint, edge, thread);
  const auto equal = [&](std::uint32_t variable, const Bdd& other) {
    out &= space_.variable(variable).iff(other);
  };
  for (const Assignment& a : edge.shared)
    equal(layout_.shared_after(a.index), value(a.value, edge, thread));
  for (const Assignment& a : edge.local)
    equal(layout_.local_after(a.index), value(a.value, edge, thread));
  for (std::uint32_t i = 0; edge.kind == EdgeKind::Spawn && i < flow_.local_count; ++i)
    if (!assigns(edge.child_values, i))
      equal(layout_.child(i), space_.variable(layout_.local(thread, i)));
  for (const Assignment& a : edge.child_values)
    if (edge.kind == EdgeKind::Spawn) equal(layout_.child(a.index), value(a.value, edge, thread));
  const auto atoms = sent(edge);
  for (std::uint32_t k = 0; k < atoms.size(); ++k)
    equal(edge.choices + k,
          value(model::boolean::atom(atoms[k].kind, atoms[k].index), edge, thread));
  std::vector<std::uint32_t> choices;
  for (std::uint32_t i = 0; i < edge.choices; ++i) choices.push_back(i);
  return space_.exists(out, space_.all_of(choices));
}

/// Messages and the receiver's choices are read as choices: the former stand behind those of the
/// edge, the latter behind the messages.
Bdd StepRelations::deliver(const FlowEdge& edge, std::uint32_t to, const Bdd& set) const {
  const auto atoms = sent(edge);
  const auto messages = static_cast<std::uint32_t>(atoms.size());
  const auto as_read = [&](const model::boolean::Atom& a) {
    if (a.kind == AtomKind::Receiver) return model::boolean::atom(AtomKind::Local, a.index);
    const auto number = static_cast<std::uint32_t>(std::ranges::find(atoms, a) - atoms.begin());
    return model::boolean::atom(
        AtomKind::Choice,
        edge.choices + (a.kind == AtomKind::Choice ? messages + a.index : number));
  };
  Bdd relation = space_.constant(true);
  std::vector<std::uint32_t> before;
  RunCopies copies;
  for (std::uint32_t i = 0; i < edge.passive_choices; ++i)
    before.push_back(edge.choices + messages + i);
  for (const Assignment& a : edge.passive) {
    before.push_back(layout_.local(to, a.index));
    copies.emplace_back(layout_.local_after(a.index), before.back());
    relation &= space_.variable(layout_.local_after(a.index))
                    .iff(value(substitute(a.value, as_read), edge, to));
  }
  return copied(copies, space_.exists_and(set, relation, space_.all_of(before)));
}

Bdd StepRelations::drop(const FlowEdge& edge, const Bdd& set) const {
  Bdd out = set;
  for (std::uint32_t k = 0; k < sent(edge).size(); ++k)
    out = space_.exists(out, space_.variable(edge.choices + k));
  return out;
}

// ---- runs ----

HelperRuns::HelperRuns(const Flow& flow, const RunLayout& layout, const solver::BddSpace& space,
                       std::uint32_t threads, const std::vector<std::vector<EdgeId>>& helpers,
                       base::RunContext& context)
    : flow_(flow),
      layout_(layout),
      space_(space),
      threads_(threads),
      taken_(threads, std::vector<std::vector<EdgeId>>(flow.nodes.size())),
      needed_(threads, std::vector<Valuation>(flow.nodes.size())),
      context_(context),
      relations_(flow, layout, space),
      out_of_(flow.edges_by_source()) {
  for (std::uint32_t thread = 1; thread < threads; ++thread) {
    for (const EdgeId edge : helpers[thread - 1])
      taken_[thread][flow.edges[edge.index()].source.index()].push_back(edge);
    find_needed(thread);
  }
}

/// Whatever is not needed at a node may be forgotten there: it makes no difference to what the
/// thread can do. Where threads assign to each other or start each other, all is needed.
void HelperRuns::find_needed(std::uint32_t thread) {
  Valuation all;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i) all |= model::boolean::bit(i);
  std::vector<Valuation>& needed = needed_[thread];
  const bool keep_all = std::ranges::any_of(flow_.edges, [](const FlowEdge& edge) {
    return edge.kind == EdgeKind::Spawn || !edge.passive.empty();
  });
  if (keep_all) std::ranges::fill(needed, all);
  std::vector<std::vector<NodeId>> before(flow_.nodes.size());  // whose needs depend on it
  std::set<NodeId> open;
  for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
    open.emplace(i);
    if (flow_.nodes[i].waits) before[flow_.nodes[i].woken.index()].emplace_back(i);
    for (const EdgeId edge : taken_[thread][i])
      before[flow_.edges[edge.index()].target.index()].emplace_back(i);
  }
  while (!open.empty()) {
    const NodeId node = *open.rbegin();
    open.erase(node);
    Valuation now = needed[node.index()];
    if (flow_.nodes[node.index()].waits) now |= needed[flow_.nodes[node.index()].woken.index()];
    for (const EdgeId which : taken_[thread][node.index()]) {
      const FlowEdge& edge = flow_.edges[which.index()];
      for (std::uint32_t i = 0; i < flow_.local_count; ++i)
        if (!assigns(edge.local, i) && needed[edge.target.index()][i])
          now |= model::boolean::bit(i);
      const auto reads = [&](const Formula& formula) {
        for_each_atom(formula, [&](const model::boolean::Atom& a) {
          if (a.kind == AtomKind::Local || a.kind == AtomKind::NextLocal)
            now |= model::boolean::bit(a.index);
        });
      };
      reads(edge.guard);
      reads(edge.constraint);
      for (const auto* list : {&edge.shared, &edge.local})
        for (const Assignment& a : *list) reads(a.value);
    }
    if (now == needed[node.index()]) continue;
    needed[node.index()] = now;
    open.insert(before[node.index()].begin(), before[node.index()].end());
  }
}

Bdd HelperRuns::forget(std::uint32_t thread, NodeId node, const Bdd& states) const {
  std::vector<std::uint32_t> variables;
  for (std::uint32_t i = 0; thread != 0 && i < flow_.local_count; ++i)
    if (!needed_[thread][node.index()][i]) variables.push_back(layout_.local(thread, i));
  return variables.empty() ? states : space_.exists(states, space_.all_of(variables));
}

Bdd HelperRuns::at(std::uint32_t thread, std::uint32_t node_plus_one) const {
  RunValues values;
  for (std::uint32_t bit = 0; bit < layout_.bits; ++bit)
    values.emplace_back(layout_.node(thread, bit), (node_plus_one >> bit & 1U) != 0);
  return space_.cube(values);
}

Bdd HelperRuns::starting(std::uint32_t thread) const {
  RunValues values;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i)
    if (flow_.initial_local[i])
      values.emplace_back(layout_.local(thread, i), *flow_.initial_local[i]);
  return space_.cube(values);
}

bool HelperRuns::run(const std::vector<model::ThreadsInMain>& initial) {
  RunValues values;
  for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
    if (flow_.initial_shared[i]) values.emplace_back(layout_.shared(i), *flow_.initial_shared[i]);
  const Bdd shared = space_.cube(values);
  for (std::uint32_t others = 0; others < threads_; ++others) {
    Bdd states = shared;
    for (std::uint32_t thread = 1; thread < threads_; ++thread) {
      states &= at(thread, thread <= others ? flow_.start.value + 1 : 0);
      if (thread <= others) states &= forget(thread, flow_.start, starting(thread));
    }
    const auto allowed = [&](std::uint32_t count) {
      return std::ranges::any_of(initial, [&](const auto& region) { return region.allows(count); });
    };
    if (allowed(others + 1)) reach(flow_.start.value, states & starting(0));
    if (others > 0 && allowed(others)) reach(kAbsent, states);
  }
  Where last = kAbsent;
  while (!open_.empty()) {
    if (context_.step()) return false;
    const std::uint64_t before = space_.nodes_made();
    auto next = open_.upper_bound(last);  // mostly, edges lead to later nodes
    if (next == open_.end()) next = open_.begin();
    const auto [where, states] = *next;
    open_.erase(next);
    last = where;
    const Bdd all = with_helpers(where, states);
    if (where != kAbsent)
      for (const EdgeId edge : out_of_[where])
        for (const Branch& branch : take(flow_.edges[edge.index()], 0, where, all))
          reach(branch.where, branch.states);
    context_.add_steps((space_.nodes_made() - before) / 100);  // diagrams may be large
  }
  return true;
}

/// These states, and those that the helpers lead to while thread 0 stays where it is.
Bdd HelperRuns::with_helpers(Where where, const Bdd& states) {
  Bdd all = states;
  for (Bdd open = states; !open.is_false();) {
    Bdd again;
    for (std::uint32_t thread = 1; thread < threads_; ++thread)
      for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node) {
        if (taken_[thread][node].empty()) continue;
        const Bdd there = space_.restrict_to(open, at(thread, node + 1));
        for (const EdgeId which : taken_[thread][node]) {
          const FlowEdge& edge = flow_.edges[which.index()];
          for (const Branch& branch : take(edge, thread, where, there)) {
            if (branch.where != where) {
              reach(branch.where, branch.states);
              continue;
            }
            const Bdd fresh = branch.states - reached_[where];
            reached_[where] |= fresh;
            all |= fresh;
            open |= fresh;  // later nodes of the first helper see it in this round
            if (thread > 1 || edge.target.value <= node) again |= fresh;
          }
        }
      }
    open = again;
  }
  return all;
}

void HelperRuns::reach(Where where, const Bdd& states) {
  const Bdd fresh = states - reached_[where];
  if (fresh.is_false()) return;
  reached_[where] |= fresh;
  open_[where] |= fresh;
}

std::vector<HelperRuns::Branch> HelperRuns::take(const FlowEdge& edge, std::uint32_t thread,
                                                 Where where, const Bdd& states) {
  if (states.is_false()) return {};
  auto [relation, is_new] = known_.try_emplace({&edge, thread});
  if (is_new) relation->second = relations_.of(edge, thread);
  std::vector<std::uint32_t> before;
  RunCopies copies;
  for (const Assignment& a : edge.shared) {
    before.push_back(layout_.shared(a.index));
    copies.emplace_back(layout_.shared_after(a.index), before.back());
  }
  for (const Assignment& a : edge.local) {
    before.push_back(layout_.local(thread, a.index));
    copies.emplace_back(layout_.local_after(a.index), before.back());
  }
  Branch branch{thread == 0 ? edge.target.value : where,
                copied(copies, space_.exists_and(states, relation->second, space_.all_of(before)))};
  if (branch.states.is_false()) return {};
  if (thread != 0)
    branch.states = forget(thread, edge.target, branch.states) & at(thread, edge.target.value + 1);
  if (!edge.passive.empty()) branch.states = inform(edge, thread, branch);
  std::vector<Branch> branches{branch};
  if (edge.kind == EdgeKind::Broadcast) branches = wake_all(edge, thread, branch);
  if (edge.kind == EdgeKind::Signal) branches = wake_one(edge, thread, branch);
  if (edge.kind == EdgeKind::Spawn) branches = start(edge, thread, branch);
  return branches;
}

bool HelperRuns::waits(Where where, std::uint32_t condition) const {
  return where != kAbsent && flow_.nodes[where].waits && flow_.nodes[where].condition == condition;
}

/// The states in which the thread waits, with it behind its wait.
Bdd HelperRuns::moved_on(std::uint32_t thread, std::uint32_t condition, const Bdd& states) const {
  Bdd out;
  for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
    if (waits(node, condition))
      out |= space_.restrict_to(states, at(thread, node + 1)) &
             at(thread, flow_.nodes[node].woken.value + 1);
  return out;
}

std::vector<HelperRuns::Branch> HelperRuns::wake_all(const FlowEdge& edge, std::uint32_t thread,
                                                     Branch branch) const {
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == thread) continue;
    const Bdd moved = moved_on(other, edge.condition, branch.states);
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      if (waits(node, edge.condition)) branch.states = branch.states - at(other, node + 1);
    branch.states |= moved;
  }
  if (thread != 0 && waits(branch.where, edge.condition))
    branch.where = flow_.nodes[branch.where].woken.value;
  return {branch};
}

std::vector<HelperRuns::Branch> HelperRuns::wake_one(const FlowEdge& edge, std::uint32_t thread,
                                                     const Branch& branch) const {
  std::vector<Branch> out;
  Branch nobody = branch;
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == thread) continue;
    out.push_back({branch.where, moved_on(other, edge.condition, branch.states)});
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      if (waits(node, edge.condition)) nobody.states = nobody.states - at(other, node + 1);
  }
  if (thread != 0 && waits(branch.where, edge.condition))
    out.push_back({flow_.nodes[branch.where].woken.value, branch.states});
  else
    out.push_back(nobody);
  return out;
}

Bdd HelperRuns::inform(const FlowEdge& edge, std::uint32_t thread, const Branch& branch) const {
  Bdd states = branch.states;
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == thread) continue;
    Bdd concerned;
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      if (flow_.root_of(NodeId(node)) == flow_.root_of(edge.source))
        concerned |= at(other, node + 1);
    states = (states - concerned) | relations_.deliver(edge, other, states & concerned);
  }
  if (thread != 0 && branch.where != kAbsent &&
      flow_.root_of(NodeId(branch.where)) == flow_.root_of(edge.source))
    states = relations_.deliver(edge, 0, states);
  return relations_.drop(edge, states);
}

std::vector<HelperRuns::Branch> HelperRuns::start(const FlowEdge& edge, std::uint32_t thread,
                                                  const Branch& branch) const {
  std::vector<Branch> out;
  for (std::uint32_t other = 0; other < threads_; ++other) {
    if (other == thread || (other == 0 && branch.where != kAbsent)) continue;
    Bdd states = other == 0 ? branch.states : space_.restrict_to(branch.states, at(other, 0));
    RunCopies copies;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      states = space_.exists(states, space_.variable(layout_.local(other, i)));
      copies.emplace_back(layout_.child(i), layout_.local(other, i));
    }
    states = copied(copies, states);
    if (other != 0) states &= at(other, edge.child.value + 1);
    out.push_back({other == 0 ? edge.child.value : branch.where, states});
  }
  return out;
}

Bdd HelperRuns::met_at(NodeId node) const {
  const auto found = reached_.find(node.value);
  if (found == reached_.end()) return {};
  std::vector<std::uint32_t> theirs;
  for (std::uint32_t thread = 1; thread < threads_; ++thread) {
    for (std::uint32_t bit = 0; bit < layout_.bits; ++bit)
      theirs.push_back(layout_.node(thread, bit));
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      theirs.push_back(layout_.local(thread, i));
  }
  return space_.exists(found->second, space_.all_of(theirs));
}

}  // namespace heddle::check
