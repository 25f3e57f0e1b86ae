#include "engine/onthefly/lift.hpp"

/// A step of the coarse run is a step of the program after some silent ones of the same thread
/// inside of its class. There are many ways through a class, and some are closed by variables that
/// the abstraction hides. They are tried depth first, the shortest first, with the SAT solver asked
/// at each condition (no values are guessed); after a contradiction, the search goes back to the
/// last step that takes part in it (conflict-directed backjumping). Silent steps of threads that do
/// nothing else before are left for later, which may miss a run, and the search gives up after a
/// number of contradictions, which may miss one, too: then variables are shown that the run could
/// have done without. A run is never missed for good, because when nothing is hidden every coarse
/// run has one of the program.
///
/// Of all contradictions, those with the fewest variables are handed back.

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "engine/onthefly/bisimilar_nodes.hpp"

namespace heddle::engine::onthefly {

namespace {

using base::StopReason;
using model::boolean::Abstraction;
using model::boolean::CoarseFlow;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Formula;
using model::boolean::NodeId;
using solver::SatAnswer;

constexpr std::size_t kMostConflicts = 20;
constexpr std::size_t kMostReduced = 8;
constexpr std::uint32_t kWakeCost = 1000;
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// The same run, with steps that only move made as early as possible: right behind the last step of
/// the same thread, when nobody else is inside of an atomic section.
answer::ProgramRun moved_early(const Flow& coarse, answer::ProgramRun run) {
  auto& steps = run.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_silent(coarse.edges[steps[i].edge.index()])) continue;
    const auto concerns = [&](const model::boolean::Step& before) {
      const EdgeKind kind = coarse.edges[before.edge.index()].kind;
      return before.thread == steps[i].thread || kind == EdgeKind::Broadcast ||
             kind == EdgeKind::Signal || kind == EdgeKind::Spawn;
    };
    std::size_t first = i;
    while (first > 0 && !concerns(steps[first - 1])) --first;
    if (first > 0 && steps[first - 1].thread != steps[i].thread) continue;
    std::rotate(steps.begin() + static_cast<std::ptrdiff_t>(first),
                steps.begin() + static_cast<std::ptrdiff_t>(i),
                steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return run;
}

class Lift {
 public:
  Lift(const Flow& flow, const Abstraction& abstraction, const CoarseFlow& coarse,
       const answer::ProgramRun& run, base::RunContext& context)
      : flow_(flow),
        abstraction_(abstraction),
        coarse_(coarse),
        wanted_(moved_early(coarse.flow, run)),
        context_(context),
        out_of_(flow.edges_by_source()),
        run_(flow, abstraction, run.initial.threads.size(), context),
        inner_into_(flow.nodes.size()) {
    for (const FlowEdge& edge : flow.edges)
      is_inner_.push_back(class_of(edge.source) == class_of(edge.target) &&
                          is_silent(hide(edge, abstraction)));
    for (std::size_t i = 0; i < flow.edges.size(); ++i)
      if (is_inner_[i])
        inner_into_[flow.edges[i].target.index()].emplace_back(flow.edges[i].source.value, 1);
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const NodeId woken = flow.nodes[i].woken;
      if (is_hidden_wait(NodeId(i)) && class_of(woken) == class_of(NodeId(i)))
        inner_into_[woken.index()].emplace_back(static_cast<std::uint32_t>(i), kWakeCost);
    }
  }

  Lifted run() {
    const bool found = !search();
    if (stop_) return *stop_;
    if (found && wakes_ == 0) return *result_;
    return unhide();
  }

 private:
  using Depths = std::set<std::size_t>;
  /// Nothing: the run is complete. Otherwise the steps because of which it cannot be.
  using Failure = std::optional<Depths>;

  NodeId class_of(NodeId node) const { return NodeId(abstraction_.classes[node.index()]); }

  bool is_hidden_wait(NodeId node) const {
    const FlowNode& which = flow_.nodes[node.index()];
    return which.waits && !abstraction_.shows_condition(which.condition);
  }

  bool is_over() const { return stop_ || conflicts_.size() >= kMostConflicts; }

  using Way = std::tuple<std::uint32_t, bool, std::optional<EdgeId>>;

  /// Somewhere in the run, on the way to take a step of the coarse one.
  struct SearchPoint {
    std::size_t position;  ///< of the coarse step
    NodeId node;           ///< where its thread is
    std::size_t depth;     ///< how many steps led here
    Depths why;            ///< why the ways that were tried lead nowhere
    std::vector<Way> ways;
    std::size_t next = 0;    ///< of the ways
    bool is_last = false;    ///< is the way that is tried the coarse step itself?
    bool is_inside = false;  ///< has the search gone on behind it?
  };
  /// What has become of a way.
  struct Tried {
    Failure failure;
  };

  /// Depth first. Runs have many thousands of steps, so the places are on a stack of their own.
  Failure search() {
    passed_.emplace_back();
    std::optional<Tried> tried = arrive(0);
    while (!places_.empty()) {
      SearchPoint& place = places_.back();
      if (tried) {
        leave(place, tried->failure);
        const Failure& failure = tried->failure;
        if (!failure || is_over() || !failure->contains(place.depth)) {
          places_.pop_back();
          continue;
        }
        place.why.insert(failure->begin(), failure->end());
      }
      tried = try_next(place);
    }
    return tried->failure;
  }

  /// Nothing: there is a new place.
  std::optional<Tried> arrive(std::size_t position) {
    if (position == wanted_.steps.size()) return Tried{complete()};
    const model::boolean::Step& step = wanted_.steps[position];
    const NodeId node = run_.node(step.thread);
    const auto& costs = costs_to(step.edge);
    const std::size_t depth = run_.size();
    Depths why;  // a failure may have to do with the nodes passed before
    if (depth > 0) why.insert(depth - 1);
    // A thread may have been woken for which that is no silent step.
    if (costs[node.index()] == kNever) return Tried{std::move(why)};
    places_.push_back({position, node, depth, std::move(why), ways(node, step.edge, costs)});
    return std::nullopt;
  }

  /// If no way is left, the place is gone, and this is what has become of the way to it.
  std::optional<Tried> try_next(SearchPoint& place) {
    while (place.next < place.ways.size()) {
      const auto& [cost, is_last, edge] = place.ways[place.next++];
      if (is_last || !passed_.back().contains(target_of(place.node, edge)))
        return try_way(place, edge, is_last);
    }
    place.why.erase(place.depth);
    Tried tried{std::move(place.why)};
    places_.pop_back();
    return tried;
  }

  /// Edges out of the node, the most promising first: whether it is the coarse edge's; nothing for
  /// the end of a hidden `wait`.
  std::vector<Way> ways(NodeId node, EdgeId coarse, const std::vector<std::uint32_t>& costs) const {
    std::vector<Way> out;
    for (const EdgeId edge : out_of_[node.index()]) {
      if (coarse_.edge_of[edge.index()] == coarse) out.emplace_back(0, true, edge);
      if (!is_inner_[edge.index()]) continue;
      const std::uint32_t cost = costs[flow_.edges[edge.index()].target.index()];
      if (cost != kNever) out.emplace_back(cost + 1, false, edge);
    }
    if (is_hidden_wait(node)) {
      const NodeId woken = flow_.nodes[node.index()].woken;
      if (coarse_.wake_of[node.index()] == coarse) out.emplace_back(kWakeCost, true, std::nullopt);
      if (class_of(woken) == class_of(node) && costs[woken.index()] != kNever)
        out.emplace_back(costs[woken.index()] + kWakeCost, false, std::nullopt);
    }
    std::ranges::sort(out);
    return out;
  }

  NodeId target_of(NodeId node, const std::optional<EdgeId>& edge) const {
    return edge ? flow_.edges[edge->index()].target : flow_.nodes[node.index()].woken;
  }

  /// Precondition: the place is the last one. It may be elsewhere in memory afterwards.
  std::optional<Tried> try_way(SearchPoint& place, const std::optional<EdgeId>& edge,
                               bool is_last) {
    const model::boolean::Step& step = wanted_.steps[place.position];
    Failure failure;
    if (edge) {
      run_.push(step.thread, *edge,
                is_last && step.woken ? step.woken : woken_by(step.thread, *edge));
      failure = contradiction(*edge);
    } else {
      run_.push_wake(step.thread);
    }
    place.is_last = is_last;
    place.is_inside = !failure && !stop_;
    if (!place.is_inside) return Tried{std::move(failure)};
    if (is_last) {
      passed_.emplace_back();
    } else {
      passed_.back().insert(place.node);
    }
    return arrive(is_last ? place.position + 1 : place.position);
  }

  void leave(const SearchPoint& place, const Failure& failure) {
    if (place.is_inside && place.is_last) passed_.pop_back();
    if (place.is_inside && !place.is_last) passed_.back().erase(place.node);
    if (failure || stop_) run_.pop();
  }

  /// Of a signal of a hidden condition: somebody, if somebody waits.
  std::optional<std::uint32_t> woken_by(std::uint32_t thread, EdgeId which) const {
    const FlowEdge& edge = flow_.edges[which.index()];
    if (edge.kind != EdgeKind::Signal || abstraction_.shows_condition(edge.condition))
      return std::nullopt;
    for (std::uint32_t i = 0; i < run_.threads(); ++i) {
      const FlowNode& node = flow_.nodes[run_.node(i).index()];
      if (i != thread && node.waits && node.condition == edge.condition) return i;
    }
    return std::nullopt;
  }

  /// Is the run impossible with the step that has just been added?
  Failure contradiction(EdgeId which) {
    const FlowEdge& edge = flow_.edges[which.index()];
    if (edge.guard.kind == Formula::Kind::True && edge.constraint.kind == Formula::Kind::True)
      return std::nullopt;
    if (const auto stop = context_.step()) stop_ = stop;
    if (stop_) return std::nullopt;
    switch (run_.solve()) {
      case SatAnswer::Satisfiable: return std::nullopt;
      case SatAnswer::Unsatisfiable: break;
      case SatAnswer::Unknown:
        stop_ = context_.stopped().value_or(StopReason::Cancelled);
        return std::nullopt;
    }
    conflicts_.push_back(run_.conflict());
    const auto& steps = conflicts_.back().steps;
    return Depths(steps.begin(), steps.end());
  }

  Failure complete() {
    if (stop_) return std::nullopt;
    const SatAnswer answer = run_.solve();
    if (answer == SatAnswer::Unknown) stop_ = context_.stopped().value_or(StopReason::Cancelled);
    if (answer != SatAnswer::Satisfiable) return Depths{};
    wakes_ = run_.wakes();
    if (wakes_ == 0)
      result_ = run_.values();
    else
      conditions_ = run_.woken_conditions();
    return std::nullopt;
  }

  /// By node: how far it is, inside of the coarse edge's class, to an edge that looks like it.
  const std::vector<std::uint32_t>& costs_to(EdgeId coarse) {
    auto [it, is_new] = costs_.try_emplace(coarse);
    if (is_new) it->second = find_costs(coarse);
    return it->second;
  }

  std::vector<std::uint32_t> find_costs(EdgeId coarse) {
    std::vector<std::uint32_t> costs(flow_.nodes.size(), kNever);
    using Entry = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto reach = [&](std::size_t node, std::uint32_t cost) {
      if (cost >= costs[node]) return;
      costs[node] = cost;
      queue.emplace(cost, static_cast<std::uint32_t>(node));
    };
    for (std::size_t i = 0; i < flow_.edges.size(); ++i)
      if (coarse_.edge_of[i] == coarse) reach(flow_.edges[i].source.index(), 0);
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (coarse_.wake_of[i] == coarse) reach(i, kWakeCost);
    while (!queue.empty()) {
      const auto [cost, node] = queue.top();
      queue.pop();
      if (cost > costs[node]) continue;
      for (const auto& [before, weight] : inner_into_[node]) reach(before, cost + weight);
    }
    return costs;
  }

  /// Few variables that contradict a way, of the ways that were tried.
  std::vector<Unhide> unhide() {
    if (wakes_ > 0) return {Unhide{{}, conditions_}};
    if (conflicts_.empty()) return {Unhide{{}, ~abstraction_.conditions}};
    const auto count = [](const auto& of) { return of.variables.count(); };
    std::ranges::stable_sort(conflicts_, {}, count);
    std::vector<Unhide> out;
    for (std::size_t i = 0; i < std::min(conflicts_.size(), kMostReduced); ++i) {
      const Unhide reduced{run_.reduce(conflicts_[i]).variables, {}};
      if (std::ranges::find(out, reduced) == out.end()) out.push_back(reduced);
    }
    std::ranges::stable_sort(out, {}, count);
    return out;
  }

  const Flow& flow_;
  const Abstraction& abstraction_;
  const CoarseFlow& coarse_;
  answer::ProgramRun wanted_;
  base::RunContext& context_;
  std::vector<std::vector<EdgeId>> out_of_;
  SymbolicRun run_;
  std::map<EdgeId, std::vector<std::uint32_t>> costs_;
  std::vector<bool> is_inner_;  ///< by edge: a silent step inside of a class
  /// Silent steps inside of classes, by target: where from, and what they cost.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> inner_into_;
  std::vector<SearchPoint> places_;
  /// For each coarse step on the way here: nodes that its thread has been at.
  std::vector<std::set<NodeId>> passed_;
  std::vector<Conflict> conflicts_;
  std::optional<answer::ProgramRun> result_;
  std::size_t wakes_ = 0;
  model::boolean::Valuation conditions_;
  std::optional<StopReason> stop_;
};

}  // namespace

Lifted lift(const Flow& flow, const Abstraction& abstraction, const CoarseFlow& coarse,
            const answer::ProgramRun& run, base::RunContext& context) {
  return Lift(flow, abstraction, coarse, run, context).run();
}

}  // namespace heddle::engine::onthefly
