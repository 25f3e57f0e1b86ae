#include "engine/onthefly/thread_sets.hpp"

#include <algorithm>
#include <bit>

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
using model::boolean::NodeId;
using model::boolean::Valuation;
using solver::Bdd;

namespace {

/// What receivers need to know of the active thread: values that are the same for all of them, and
/// what other values are computed from.
std::vector<Formula> sent_by(const FlowEdge& edge) {
  std::vector<Formula> out;
  const auto send = [&](const Formula& f) {
    if (std::ranges::find(out, f) == out.end()) out.push_back(f);
  };
  for (const Assignment& passive : edge.passive) {
    if (is_same_for_all(passive)) {
      send(passive.value);
      continue;
    }
    for_each_atom(passive.value, [&](const Atom& a) {
      if (a.kind == AtomKind::Shared || a.kind == AtomKind::Local) send(atom(a.kind, a.index));
    });
  }
  return out;
}

/// As many variables as any statement has atoms, for the search and for choices.
std::uint32_t scratch_of(const Flow& flow) {
  std::size_t most = flow.shared_names.size() + flow.local_count + 64;
  for (const FlowEdge& edge : flow.edges)
    most = std::max({most, flow.shared_names.size() + flow.local_count + edge.choices + 64,
                     edge.passive_choices + sent_by(edge).size()});
  return static_cast<std::uint32_t>(most);
}

/// Diagrams may be large: a limit on steps is one on the nodes that are made.
constexpr std::uint64_t kNodesPerStep = 100;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Bdd renamed(const Bdd& set, const Pairs& pairs) {
  return pairs.empty() ? set : solver::BddRenaming(pairs)(set);
}

const Assignment* find(const std::vector<Assignment>& list, std::uint32_t index) {
  const auto it = std::ranges::find(list, index, &Assignment::index);
  return it == list.end() ? nullptr : &*it;
}

}  // namespace

ThreadVariables::ThreadVariables(const Flow& flow, std::uint32_t helpers)
    : scratch_(scratch_of(flow)),
      node_bits_(static_cast<std::uint32_t>(std::bit_width(flow.nodes.size()))),
      shared_(scratch_ + helpers * node_bits_),
      local_(shared_ + 2 * static_cast<std::uint32_t>(flow.shared_names.size())),
      helpers_(helpers),
      local_count_(flow.local_count) {}

std::uint32_t ThreadVariables::count() const { return local_ + (3 + helpers_) * local_count_; }

ThreadSets::ThreadSets(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                       std::uint32_t threads, base::RunContext& context)
    : flow_(flow),
      initial_(initial),
      threads_(threads),
      context_(context),
      variables_(flow, threads - 1),
      space_(variables_.count(), context.limits().memory_mb),
      unborn_(flow.nodes.size()),
      out_of_(flow.edges_by_source()),
      helper_edges_(threads, std::vector<std::set<EdgeId>>(flow.nodes.size())),
      live_(threads, std::vector<Valuation>(flow.nodes.size())),
      relations_(threads, std::vector<std::optional<EdgeRelation>>(flow.edges.size())),
      reached_(flow.nodes.size() + 1),
      fresh_(flow.nodes.size() + 1),
      seen_(flow.nodes.size()) {
  std::vector<std::uint32_t> theirs;
  for (std::uint32_t slot = 1; slot < threads; ++slot) {
    for (std::uint32_t bit = 0; bit < variables_.node_bits(); ++bit)
      theirs.push_back(variables_.node_bit(slot, bit));
    for (std::uint32_t i = 0; i < flow.local_count; ++i)
      theirs.push_back(variables_.local(slot, i));
  }
  helpers_only_ = space_.all_of(theirs);
  has_passive_ =
      std::ranges::any_of(flow.edges, [](const FlowEdge& edge) { return !edge.passive.empty(); });
  for (std::uint32_t slot = 1; slot < threads; ++slot) find_live(slot);
  start();
}

// ---- encoding ----

Bdd ThreadSets::formula(const Formula& formula, std::uint32_t slot, const FlowEdge& edge) const {
  const auto part = [&](std::size_t i) { return this->formula(formula.operands[i], slot, edge); };
  switch (formula.kind) {
    case Formula::Kind::False: return space_.constant(false);
    case Formula::Kind::True: return space_.constant(true);
    case Formula::Kind::Not: return !part(0);
    case Formula::Kind::And: return part(0) & part(1);
    case Formula::Kind::Or: return part(0) | part(1);
    case Formula::Kind::Equal: return part(0).iff(part(1));
    case Formula::Kind::Conditional: return part(0).ite(part(1), part(2));
    case Formula::Kind::Atom: break;
  }
  const std::uint32_t i = formula.atom.index;
  switch (formula.atom.kind) {
    case AtomKind::Shared: return space_.variable(variables_.shared(i));
    case AtomKind::Local: return space_.variable(variables_.local(slot, i));
    case AtomKind::NextShared:
      return space_.variable(find(edge.shared, i) ? variables_.next_shared(i)
                                                  : variables_.shared(i));
    case AtomKind::NextLocal:
      return space_.variable(find(edge.local, i) ? variables_.next_local(i)
                                                 : variables_.local(slot, i));
    case AtomKind::Receiver: return space_.variable(variables_.local(slot, i));
    case AtomKind::Choice: break;
  }
  return space_.variable(variables_.scratch(i));
}

EdgeRelation ThreadSets::encode(const FlowEdge& edge) const {
  EdgeRelation out{formula(edge.guard, 0, edge) & formula(edge.constraint, 0, edge), {}, {}};
  const auto equals = [&](std::uint32_t variable, const Formula& value) {
    out.relation &= space_.variable(variable).iff(formula(value, 0, edge));
  };
  for (const Assignment& a : edge.shared) {
    equals(variables_.next_shared(a.index), a.value);
    out.shared |= model::boolean::bit(a.index);
  }
  for (const Assignment& a : edge.local) {
    equals(variables_.next_local(a.index), a.value);
    out.local |= model::boolean::bit(a.index);
  }
  if (edge.kind == EdgeKind::Spawn)
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      const Assignment* a = find(edge.child_values, i);
      equals(variables_.other_local(i), a ? a->value : model::boolean::atom(AtomKind::Local, i));
    }
  std::vector<std::uint32_t> choices;
  for (std::uint32_t i = 0; i < edge.choices; ++i) choices.push_back(variables_.scratch(i));
  out.relation = space_.exists(out.relation, space_.all_of(choices));
  return out;
}

const EdgeRelation& ThreadSets::relation_of(EdgeId edge, std::uint32_t slot) {
  auto& known = relations_[slot][edge.index()];
  if (known) return *known;
  if (slot == 0) return known.emplace(encode(flow_.edges[edge.index()]));
  EdgeRelation out = relation_of(edge, 0);
  Pairs pairs;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i)
    pairs.emplace_back(variables_.local(0, i), variables_.local(slot, i));
  out.relation = renamed(out.relation, pairs);
  return known.emplace(std::move(out));
}

Bdd ThreadSets::messages(const FlowEdge& edge, std::uint32_t slot) const {
  Bdd out = space_.constant(true);
  const auto sent = sent_by(edge);
  for (std::uint32_t k = 0; k < sent.size(); ++k)
    out &= space_.variable(variables_.scratch(edge.passive_choices + k))
               .iff(formula(sent[k], slot, edge));
  return out;
}

/// A message takes the place of what it stands for: one more choice, which is made already.
Bdd ThreadSets::assigned_passively(const Bdd& set, const FlowEdge& edge, std::uint32_t slot) const {
  const auto sent = sent_by(edge);
  const auto message = [&](const Formula& f) {
    const auto k = static_cast<std::uint32_t>(std::ranges::find(sent, f) - sent.begin());
    return model::boolean::atom(AtomKind::Choice, edge.passive_choices + k);
  };
  Bdd relation = space_.constant(true);
  std::vector<std::uint32_t> forgotten;
  Pairs pairs;
  for (std::uint32_t i = 0; i < edge.passive_choices; ++i)
    forgotten.push_back(variables_.scratch(i));
  for (const Assignment& a : edge.passive) {
    forgotten.push_back(variables_.local(slot, a.index));
    pairs.emplace_back(variables_.next_local(a.index), forgotten.back());
    const Formula value =
        is_same_for_all(a) ? message(a.value) : substitute(a.value, [&](const Atom& which) {
          const Formula f = model::boolean::atom(which.kind, which.index);
          const bool own = which.kind == AtomKind::Receiver || which.kind == AtomKind::Choice;
          return own ? f : message(f);
        });
    relation &= space_.variable(variables_.next_local(a.index)).iff(formula(value, slot, edge));
  }
  return renamed(space_.exists_and(set, relation, space_.all_of(forgotten)), pairs);
}

Bdd ThreadSets::forget_messages(const Bdd& set, const FlowEdge& edge) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < sent_by(edge).size(); ++k)
    all.push_back(variables_.scratch(edge.passive_choices + k));
  return space_.exists(set, space_.all_of(all));
}

Bdd ThreadSets::node_is(std::uint32_t slot, std::optional<NodeId> node) const {
  const std::size_t number = node ? node->index() + 1 : 0;
  std::vector<std::pair<std::uint32_t, bool>> bits;
  for (std::uint32_t bit = 0; bit < variables_.node_bits(); ++bit)
    bits.emplace_back(variables_.node_bit(slot, bit), (number >> bit & 1) != 0);
  return space_.cube(bits);
}

Bdd ThreadSets::state_cube(const model::boolean::ThreadStateTarget& state) const {
  std::vector<std::pair<std::uint32_t, bool>> bits;
  for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
    if (const auto value = state.shared[i]) bits.emplace_back(variables_.shared(i), *value);
  for (std::uint32_t i = 0; i < flow_.local_count; ++i)
    if (const auto value = state.local[i]) bits.emplace_back(variables_.local(0, i), *value);
  return space_.cube(bits);
}

Bdd ThreadSets::initial_values(std::uint32_t slot) const {
  std::vector<std::pair<std::uint32_t, bool>> bits;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i)
    if (const auto value = flow_.initial_local[i])
      bits.emplace_back(variables_.local(slot, i), *value);
  return space_.cube(bits);
}

// ---- exploration ----

/// Helpers stand in main from the first slot on. Local variables of threads that are not started
/// have any value.
void ThreadSets::start() {
  std::vector<std::pair<std::uint32_t, bool>> bits;
  for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
    if (const auto value = flow_.initial_shared[i]) bits.emplace_back(variables_.shared(i), *value);
  const Bdd shared = space_.cube(bits);
  const bool starts = model::boolean::starts_threads(flow_);
  for (std::uint32_t count = 1; count <= threads_; ++count) {
    if (std::ranges::none_of(initial_, [&](const auto& in_main) { return in_main.allows(count); }))
      continue;
    for (const bool tracked : {true, false}) {
      const std::uint32_t helpers = tracked ? count - 1 : count;
      if (!tracked && (!starts || helpers > threads_ - 1)) continue;
      Bdd set = shared;
      for (std::uint32_t slot = 1; slot < threads_; ++slot) {
        const bool alive = slot <= helpers;
        set &= node_is(slot, alive ? std::optional(flow_.start) : std::nullopt);
        if (alive) set &= without_dead(initial_values(slot), slot, flow_.start);
      }
      if (tracked) set &= initial_values(0);
      add(tracked ? flow_.start.index() : unborn_, set);
    }
  }
}

void ThreadSets::add(std::size_t where, Set set) {
  set = set - reached_[where];
  if (set.is_false()) return;
  reached_[where] |= set;
  fresh_[where] |= set;
  open_.insert(where);
  if (where < seen_.size()) seen_[where].reset();
}

/// A helper's variable is forgotten where none of its edges reads it before it is assigned. Edges
/// that are added may read more; then it all begins anew.
void ThreadSets::add_helper_edges(std::uint32_t helper, const std::set<EdgeId>& edges) {
  for (const EdgeId edge : edges)
    helper_edges_[helper][flow_.edges[edge.index()].source.index()].insert(edge);
  const auto before = live_[helper];
  find_live(helper);
  if (live_[helper] != before) {
    std::ranges::fill(reached_, Set());
    std::ranges::fill(fresh_, Set());
    std::ranges::fill(seen_, std::nullopt);
    open_.clear();
    start();
    return;
  }
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    if (reached_[i].is_false()) continue;
    fresh_[i] = reached_[i];
    open_.insert(i);
  }
}

void ThreadSets::find_live(std::uint32_t slot) {
  Valuation everything;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i) everything |= model::boolean::bit(i);
  std::vector<Valuation>& live = live_[slot];
  if (has_passive_) {
    std::ranges::fill(live, everything);
    return;
  }
  const auto before = [&](const FlowEdge& edge) {
    if (edge.kind == EdgeKind::Spawn) return everything;
    const Valuation after = live[edge.target.index()];
    Valuation out = after;
    for (const Assignment& a : edge.local) out = out & ~model::boolean::bit(a.index);
    const auto read = [&](const Formula& formula) {
      for_each_atom(formula, [&](const Atom& a) {
        const bool is_old = a.kind == AtomKind::Local ||
                            (a.kind == AtomKind::NextLocal && !find(edge.local, a.index));
        if (is_old) out |= model::boolean::bit(a.index);
      });
    };
    read(edge.guard);
    read(edge.constraint);
    for (const Assignment& a : edge.shared) read(a.value);
    for (const Assignment& a : edge.local) read(a.value);
    return out;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = flow_.nodes.size(); i-- > 0;) {
      Valuation out = live[i];
      if (flow_.nodes[i].waits) out |= live[flow_.nodes[i].woken.index()];
      for (const EdgeId edge : helper_edges_[slot][i]) out |= before(flow_.edges[edge.index()]);
      changed = changed || out != live[i];
      live[i] = out;
    }
  }
}

Bdd ThreadSets::without_dead(const Set& set, std::uint32_t slot, NodeId node) const {
  std::vector<std::uint32_t> dead;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i)
    if (!live_[slot][node.index()][i]) dead.push_back(variables_.local(slot, i));
  return dead.empty() ? set : space_.exists(set, space_.all_of(dead));
}

/// From the first node to the last one, again and again, since most edges lead to later nodes.
Explored ThreadSets::explore(std::optional<std::uint64_t> most_steps) {
  std::size_t after = 0;
  const std::uint64_t first = context_.steps();
  while (!open_.empty()) {
    if (context_.step()) return Explored::Stopped;
    if (most_steps && context_.steps() - first > *most_steps) return Explored::Part;
    const std::uint64_t before = space_.nodes_made();
    auto next = open_.lower_bound(after);
    if (next == open_.end()) next = open_.begin();
    const std::size_t where = *next;
    after = where + 1;
    open_.erase(next);
    const Bdd fresh = std::exchange(fresh_[where], Bdd());
    expand(where, fresh);
    context_.add_steps((space_.nodes_made() - before) / kNodesPerStep);
  }
  return Explored::Everything;
}

/// First all that the helpers do while the tracked thread stays, then its own steps.
void ThreadSets::expand(std::size_t where, const Set& fresh) {
  Set all = fresh;
  for (Set now = fresh; !now.is_false();) {
    Set later;
    for (std::uint32_t slot = 1; slot < threads_; ++slot)
      for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
        if (helper_edges_[slot][i].empty()) continue;
        const Bdd from = space_.restrict_to(now, node_is(slot, NodeId(i)));
        if (from.is_false()) continue;
        for (const EdgeId edge : helper_edges_[slot][i]) {
          const bool is_ahead = slot == 1 && flow_.edges[edge.index()].target.index() > i;
          for (Moved& moved : step(edge, slot, where, from)) {
            if (moved.where != where) {
              add(moved.where, std::move(moved.set));
              continue;
            }
            const Set found = moved.set - reached_[where];
            reached_[where] |= found;
            all |= found;
            now |= found;
            if (!is_ahead) later |= found;
          }
        }
      }
    now = later;
  }
  if (all != fresh && where < seen_.size()) seen_[where].reset();
  if (where == unborn_) return;
  for (const EdgeId edge : out_of_[where])
    for (Moved& moved : step(edge, 0, where, all)) add(moved.where, std::move(moved.set));
}

std::vector<ThreadSets::Moved> ThreadSets::step(EdgeId which, std::uint32_t slot, std::size_t where,
                                                const Set& from) {
  const FlowEdge& edge = flow_.edges[which.index()];
  const EdgeRelation& relation = relation_of(which, slot);
  std::vector<std::uint32_t> old;
  Pairs pairs;
  for (const Assignment& a : edge.shared) {
    old.push_back(variables_.shared(a.index));
    pairs.emplace_back(variables_.next_shared(a.index), variables_.shared(a.index));
  }
  for (const Assignment& a : edge.local) {
    old.push_back(variables_.local(slot, a.index));
    pairs.emplace_back(variables_.next_local(a.index), variables_.local(slot, a.index));
  }
  Bdd taken = relation.relation;
  if (!edge.passive.empty()) taken &= messages(edge, slot);
  Bdd after = renamed(space_.exists_and(from, taken, space_.all_of(old)), pairs);
  if (after.is_false()) return {};
  if (slot > 0) after = without_dead(after, slot, edge.target) & node_is(slot, edge.target);
  std::vector<Moved> out;
  for (const Moved& moved :
       with_others(edge, slot, {slot == 0 ? edge.target.index() : where, after}))
    for (Moved& done : with_child(edge, slot, moved)) out.push_back(std::move(done));
  return out;
}

std::vector<ThreadSets::Moved> ThreadSets::with_others(const FlowEdge& edge, std::uint32_t slot,
                                                       Moved moved) const {
  if (!edge.passive.empty()) moved.set = assign_others(moved.set, edge, slot, moved.where);
  if (edge.kind == EdgeKind::Signal) return woken_by_signal(edge, slot, moved);
  if (edge.kind == EdgeKind::Broadcast) return {woken_by_broadcast(edge, slot, std::move(moved))};
  return {std::move(moved)};
}

bool ThreadSets::tracked_waits(std::size_t where, std::uint32_t condition) const {
  return where != unborn_ && flow_.nodes[where].waits && flow_.nodes[where].condition == condition;
}

Bdd ThreadSets::waiting(std::uint32_t slot, std::uint32_t condition) const {
  Bdd out;
  for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
    if (tracked_waits(i, condition)) out |= node_is(slot, NodeId(i));
  return out;
}

/// A helper that waits is moved on.
Bdd ThreadSets::wake(const Set& set, std::uint32_t slot, std::uint32_t condition) const {
  Bdd out;
  for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
    if (tracked_waits(i, condition))
      out |=
          space_.restrict_to(set, node_is(slot, NodeId(i))) & node_is(slot, flow_.nodes[i].woken);
  return out;
}

ThreadSets::Moved ThreadSets::woken_by_broadcast(const FlowEdge& edge, std::uint32_t slot,
                                                 Moved moved) const {
  for (std::uint32_t other = 1; other < threads_; ++other)
    if (other != slot)
      moved.set =
          (moved.set - waiting(other, edge.condition)) | wake(moved.set, other, edge.condition);
  if (slot != 0 && tracked_waits(moved.where, edge.condition))
    moved.where = flow_.nodes[moved.where].woken.index();
  return moved;
}

std::vector<ThreadSets::Moved> ThreadSets::woken_by_signal(const FlowEdge& edge, std::uint32_t slot,
                                                           const Moved& moved) const {
  std::vector<Moved> out;
  Bdd nobody = moved.set;
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == slot) continue;
    out.push_back({moved.where, wake(moved.set, other, edge.condition)});
    nobody = nobody - waiting(other, edge.condition);
  }
  if (slot != 0 && tracked_waits(moved.where, edge.condition))
    out.push_back({flow_.nodes[moved.where].woken.index(), moved.set});
  else
    out.push_back({moved.where, nobody});
  return out;
}

Bdd ThreadSets::rooted_like(std::uint32_t slot, NodeId node) const {
  Bdd out;
  for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
    if (flow_.root_of(NodeId(i)) == flow_.root_of(node)) out |= node_is(slot, NodeId(i));
  return out;
}

Bdd ThreadSets::assign_others(Set set, const FlowEdge& edge, std::uint32_t slot,
                              std::size_t where) const {
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == slot) continue;
    const Bdd reached = rooted_like(other, edge.source);
    set = (set - reached) | assigned_passively(set & reached, edge, other);
  }
  const bool reaches_tracked =
      slot != 0 && where != unborn_ && flow_.root_of(NodeId(where)) == flow_.root_of(edge.source);
  if (reaches_tracked) set = assigned_passively(set, edge, 0);
  return forget_messages(set, edge);
}

/// The child becomes one of those who are not started yet.
std::vector<ThreadSets::Moved> ThreadSets::with_child(const FlowEdge& edge, std::uint32_t slot,
                                                      const Moved& moved) const {
  if (edge.kind != EdgeKind::Spawn) return {moved};
  std::vector<Moved> out;
  std::vector<std::uint32_t> child;
  for (std::uint32_t i = 0; i < flow_.local_count; ++i) child.push_back(variables_.other_local(i));
  const auto becomes = [&](const Set& set, std::uint32_t which) {
    std::vector<std::uint32_t> own;
    Pairs pairs;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      own.push_back(variables_.local(which, i));
      pairs.emplace_back(child[i], own.back());
    }
    return renamed(space_.exists(set, space_.all_of(own)), pairs);
  };
  for (std::uint32_t other = 1; other < threads_; ++other) {
    if (other == slot) continue;
    const Bdd free = space_.restrict_to(moved.set, node_is(other, std::nullopt));
    if (!free.is_false())
      out.push_back({moved.where, without_dead(becomes(free, other), other, edge.child) &
                                      node_is(other, edge.child)});
  }
  if (moved.where == unborn_) out.push_back({edge.child.index(), becomes(moved.set, 0)});
  return out;
}

const Bdd& ThreadSets::at(NodeId node) {
  auto& known = seen_[node.index()];
  if (!known) known = space_.exists(reached_[node.index()], helpers_only_);
  return *known;
}

}  // namespace heddle::engine::onthefly
