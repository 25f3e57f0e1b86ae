#include "engine/context/joint/places.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "engine/context/touching.hpp"

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;
using model::boolean::Formula;

namespace {

constexpr std::size_t kMostPlaces = 20'000;

}  // namespace

/// Finds places depth first, then what is live in them.
class PlaceFinder {
 public:
  PlaceFinder(const Flow& flow, std::uint32_t deepest)
      : flow_(flow), deepest_(deepest), by_source_(flow.edges_by_source()) {}

  std::optional<ThreadPlaces> find(NodeId start) {
    number({{}, start});
    while (!path_.empty()) {
      if (out_.places_.size() > kMostPlaces) return std::nullopt;
      advance();
    }
    const auto count = static_cast<std::uint32_t>(out_.count());
    for (StackPlace& place : out_.places_) place.rank = count - place.rank;
    find_start();
    mark();
    renumber();
    link();
    find_live();
    return std::move(out_);
  }

 private:
  struct Visit {
    PlaceNumber place;
    std::size_t next = 0;  ///< of the node's edges
  };

  std::uint32_t locals_of(NodeId node) const {
    const std::uint32_t frame = flow_.nodes[node.index()].frame;
    return static_cast<std::uint32_t>(flow_.local_names[flow_.frames[frame].procedure].size());
  }

  bool is_cut_off(const CallStack& stack) const {
    const auto calls_it = [&](EdgeId call) {
      return flow_.edges[call.index()].child == flow_.edges[stack.calls.back().index()].child;
    };
    return !stack.calls.empty() && std::ranges::count_if(stack.calls, calls_it) > deepest_;
  }

  PlaceNumber number(const CallStack& stack) {
    const auto [known, fresh] =
        numbers_.try_emplace(stack, static_cast<PlaceNumber>(out_.places_.size() + 1));
    if (!fresh) return known->second;
    StackPlace place{stack};
    for (const EdgeId call : stack.calls)
      place.first_local += locals_of(flow_.edges[call.index()].source);
    place.failed = flow_.nodes[stack.node.index()].failed;
    place.cut_off = is_cut_off(stack);
    place.last_local = place.first_local + locals_of(stack.node);
    if (!place.cut_off) out_.slots_ = std::max(out_.slots_, place.last_local);
    out_.places_.push_back(std::move(place));
    path_.push_back({known->second});
    return known->second;
  }

  CallStack behind(const CallStack& stack, EdgeId id) const {
    const FlowEdge& edge = flow_.edges[id.index()];
    CallStack out = stack;
    if (edge.kind == EdgeKind::Call) {
      out.calls.push_back(id);
      out.node = edge.child;
    } else if (edge.kind == EdgeKind::Return) {
      out.node = flow_.edges[stack.calls.back().index()].target;
      out.calls.pop_back();
    } else {
      out.node = edge.target;
    }
    return out;
  }

  void advance() {
    Visit& top = path_.back();
    const StackPlace& place = out_[top.place];
    const auto& edges = by_source_[place.stack.node.index()];
    if (place.failed || place.cut_off || top.next == edges.size()) {
      out_.places_[top.place - 1].rank = ++finished_;
      path_.pop_back();
      return;
    }
    const EdgeId edge = edges[top.next++];
    const PlaceNumber source = top.place;
    const PlaceNumber target = number(behind(CallStack(place.stack), edge));
    out_.edges_.push_back({edge, source, target});
  }

  bool does_nothing(const FlowEdge& edge) const {
    const auto is_free = [](const Assignment& a) {
      return a.value.kind == Formula::Kind::Atom && a.value.atom.kind == AtomKind::Choice;
    };
    const Formula outside = flow_.atomic_bit ? negation(atom(AtomKind::Shared, *flow_.atomic_bit))
                                             : model::boolean::constant(true);
    return (edge.kind == EdgeKind::Step || edge.kind == EdgeKind::Call) && edge.shared.empty() &&
           edge.local.empty() && std::ranges::all_of(edge.child_values, is_free) &&
           (edge.guard == outside || edge.guard.kind == Formula::Kind::True) &&
           edge.constraint.kind == Formula::Kind::True;
  }

  /// Steps that do nothing and have no alternative are taken before the first turn: otherwise every
  /// set between turns would tell a thread that has taken them from one that has not.
  void find_start() {
    const std::vector<std::vector<std::size_t>> from = edges_by_source();
    std::set<PlaceNumber> met;
    while (from[out_.start_].size() == 1 && met.insert(out_.start_).second) {
      const PlaceEdge& step = out_.edges_[from[out_.start_].front()];
      if (out_[step.target].cut_off || !does_nothing(flow_.edges[step.edge.index()])) return;
      out_.prelude_.push_back(from[out_.start_].front());
      out_.start_ = step.target;
    }
  }

  std::vector<std::vector<std::size_t>> edges_by_source() const {
    std::vector<std::vector<std::size_t>> out(out_.count() + 1);
    for (std::size_t i = 0; i < out_.edges_.size(); ++i) out[out_.edges_[i].source].push_back(i);
    return out;
  }

  /// Edges that can be taken from the start on.
  void link() {
    const std::vector<std::vector<std::size_t>> from = edges_by_source();
    out_.from_.resize(out_.count() + 1);
    out_.into_.resize(out_.count() + 1);
    std::set<PlaceNumber> met{out_.start_};
    for (std::vector<PlaceNumber> open{out_.start_}; !open.empty();) {
      const PlaceNumber place = open.back();
      open.pop_back();
      out_.from_[place] = from[place];
      for (const std::size_t edge : from[place]) {
        const PlaceNumber target = out_.edges_[edge].target;
        out_.into_[target].push_back(edge);
        if (met.insert(target).second) open.push_back(target);
      }
    }
  }

  const FlowEdge* call_of(const PlaceEdge& edge) const {
    const auto& calls = out_[edge.source].stack.calls;
    const bool returns = flow_.edges[edge.edge.index()].kind == EdgeKind::Return;
    return returns ? &flow_.edges[calls.back().index()] : nullptr;
  }

  bool is_outside(const StackPlace& place) const {
    return flow_.nodes[place.stack.node.index()].atomic_depth == 0;
  }

  /// What follows on stacks that are cut off is known as far as that.
  bool touches_next(const StackPlace& place) const {
    return std::ranges::any_of(by_source_[place.stack.node.index()], [&](EdgeId id) {
      const FlowEdge& edge = flow_.edges[id.index()];
      const bool returns = edge.kind == EdgeKind::Return && !place.stack.calls.empty();
      return touches_shared(flow_, edge,
                            returns ? &flow_.edges[place.stack.calls.back().index()] : nullptr);
    });
  }

  void mark() {
    for (StackPlace& place : out_.places_)
      place.may_switch = is_outside(place) && touches_next(place);
    out_.places_[out_.start_ - 1].may_switch = true;
    std::vector<bool> changed(flow_.nodes.size());
    for (const FlowEdge& edge : flow_.edges)
      if (edge.kind != EdgeKind::Return && (!edge.shared.empty() || receives_shared(edge)))
        changed[edge.target.index()] = true;
    for (StackPlace& place : out_.places_)
      place.follows_change = is_outside(place) && changed[place.stack.node.index()];
  }

  /// Places where turns end come first: only they occur in sets between turns, whose diagrams then
  /// need few digits for a number.
  void renumber() {
    std::vector<PlaceNumber> order(out_.count());
    std::iota(order.begin(), order.end(), 1U);
    const auto rest =
        std::ranges::stable_partition(order, [&](PlaceNumber old) { return out_[old].may_switch; });
    out_.last_between_turns_ = static_cast<PlaceNumber>(out_.count() - rest.size());
    std::vector<PlaceNumber> now(out_.count() + 1);
    std::vector<StackPlace> places;
    for (const PlaceNumber old : order) {
      places.push_back(out_[old]);
      now[old] = static_cast<PlaceNumber>(places.size());
    }
    out_.places_ = std::move(places);
    out_.start_ = now[out_.start_];
    for (PlaceEdge& edge : out_.edges_) edge = {edge.edge, now[edge.source], now[edge.target]};
  }

  // ---- liveness ----

  void use(const Formula& formula, const FlowEdge& edge, std::uint32_t first,
           std::vector<bool>& live) const {
    for_each_atom(formula, [&](const Atom& atom) {
      const bool kept =
          atom.kind == AtomKind::NextLocal &&
          std::ranges::find(edge.local, atom.index, &Assignment::index) == edge.local.end();
      if (atom.kind == AtomKind::Local || kept) live[first + atom.index] = true;
    });
  }

  /// What is live in front of an edge, if `live` is behind it.
  void pull_back(const PlaceEdge& step, std::vector<bool>& live) const {
    const FlowEdge& edge = flow_.edges[step.edge.index()];
    const std::uint32_t first = out_[step.source].first_local;
    if (edge.kind == EdgeKind::Call)
      std::fill(live.begin() + out_[step.target].first_local, live.end(), false);
    if (const FlowEdge* call = call_of(step))
      for (const std::optional<Atom>& variable : call->received)
        if (variable && variable->kind == AtomKind::Local)
          live[out_[step.target].first_local + variable->index] = false;
    for (const Assignment& a : edge.local) live[first + a.index] = false;
    use(edge.guard, edge, first, live);
    use(edge.constraint, edge, first, live);
    for (const auto* list : {&edge.shared, &edge.local, &edge.child_values})
      for (const Assignment& a : *list) use(a.value, edge, first, live);
  }

  void find_live() {
    out_.live_.assign(out_.count() + 1, std::vector<bool>(out_.slots_));
    for (bool changed = true; std::exchange(changed, false);)
      for (std::size_t i = out_.edges_.size(); i-- > 0;) {
        std::vector<bool> before = out_.live_[out_.edges_[i].target];
        pull_back(out_.edges_[i], before);
        std::vector<bool>& known = out_.live_[out_.edges_[i].source];
        for (std::size_t slot = 0; slot < before.size(); ++slot) {
          changed |= before[slot] && !known[slot];
          known[slot] = known[slot] || before[slot];
        }
      }
  }

  const Flow& flow_;
  std::uint32_t deepest_;
  std::vector<std::vector<EdgeId>> by_source_;
  std::map<CallStack, PlaceNumber> numbers_;
  std::vector<Visit> path_;
  std::uint32_t finished_ = 0;
  ThreadPlaces out_;
};

std::optional<ThreadPlaces> ThreadPlaces::from(const Flow& flow, NodeId start,
                                               std::uint32_t deepest) {
  return PlaceFinder(flow, deepest).find(start);
}

}  // namespace heddle::engine::context
