#include "transform/program_to_threads.hpp"

/// Every edge of the flow graph, from every shared and local valuation that may occur together, is
/// a transition of the thread system:
///
///  * a step is a Move; a broadcast moves waiting threads passively; passive assignments do so with
///    all threads they reach, with a target for each outcome;
///  * a Spawn of a thread system leaves the spawner where it is, one of a program moves it on. So
///    it takes two transitions, (s, l) → (s*, l') and (s*, l') +> (s', c), with a shared state s*
///    of its own in which nothing else is enabled. Any thread in l' may take the second one:
///    threads in the same local state are the same to the counters;
///  * a signal that wakes a thread takes three, (s, l) → (s*, l), then (s*, w) → (s**, w') for each
///    w that waits, then (s**, l) → (s', l'). The thread that signals comes last, so that it is not
///    woken itself if it waits next. A signal that wakes nobody is a Move.
///
/// A program's signal wakes nobody only if nobody waits. A thread system cannot ask for that: more
/// threads never disable a transition. So its signals can be lost. That changes no verdict. Call a
/// thread ahead of another one if it has the same values and is where the other one gets by being
/// woken once or more often. A state with threads ahead can do all that the one with the others
/// can: while one of those waits, its counterpart stays where it is, or is woken from a further
/// wait and then more ahead; when it waits no more, both are at the same node, because threads go
/// from each wait to one node only and are not woken from other nodes. (From waits that lead to
/// each other in a circle nobody ever returns.) So a run with a lost signal becomes one of the
/// program, in which the signal wakes any thread that waits: that one is ahead from then on.
///
/// Which valuations may occur together? The closure of the initial thread states (s, l) under the
/// thread's own steps and under what steps of others do to s and to l, where two threads are never
/// inside atomic sections together. It contains every thread state of every reachable state, so
/// that leaving out all others changes nothing.

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

#include "base/invariant.hpp"

namespace heddle::transform {

namespace {

using base::Integer;
using model::Counter;
using model::CounterBound;
using model::PassiveMove;
using model::Region;
using model::SharedState;
using model::StepKind;
using model::ThreadState;
using model::ThreadSystem;
using model::ThreadTransition;
using model::values_text;
using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Knowledge;
using model::boolean::NextValues;
using model::boolean::NodeId;
using model::boolean::ThreadConfiguration;
using model::boolean::Valuation;

/// What a step does to the threads that do not take it.
struct Effect {
  std::uint32_t to = 0;  ///< a shared state
  bool by_insider = false;
  EdgeKind wakes = EdgeKind::Step;  ///< or Broadcast, or Signal
  std::uint32_t condition = 0;
  std::optional<EdgeId> sender;  ///< the edge, if it has passive assignments
  Cube shared;                   ///< what their values are computed from
  Cube local;                    ///< likewise, of the active thread
  auto operator<=>(const Effect&) const = default;
};

class Builder {
 public:
  Builder(Flow flow, const std::function<bool()>& stopped) : stopped_(stopped) {
    out_.flow = std::move(flow);
  }

  std::expected<ProgramAsThreads, std::string> run(const model::ProgramQuestion& question) {
    edges_ = out_.flow.edges_by_source();
    for (std::size_t i = 0; i < out_.flow.nodes.size(); ++i)
      roots_.push_back(out_.flow.root_of(NodeId(i)));
    if (has_too_many_initial_states(question)) return too_large();
    for (const auto& state : initial_states(out_.flow, 1))
      reach(shared_id(state.shared), local_id(state.threads[0]));
    for (std::size_t i = 0; i < pairs_.size() && !is_full(); ++i) {
      if (i % kPairsPerLook == 0 && stopped_ && stopped_())
        return std::unexpected("there was no time left for all of its thread states");
      step_from(pairs_[i]);
    }
    if (is_full()) return too_large();
    finish(question);
    return std::move(out_);
  }

 private:
  struct Found {
    ThreadState from;
    EdgeId edge;
    NextValues outcome;
    Effect effect;
  };

  bool is_full() const {
    return pairs_.size() > kMostThreadStates || steps_.size() > 2 * kMostThreadStates;
  }

  static std::unexpected<std::string> too_large() {
    return std::unexpected("it has more than " + std::to_string(kMostThreadStates) +
                           " thread states");
  }

  /// Counts first values that are open, for each thread that starts with an exact number of others.
  bool has_too_many_initial_states(const model::ProgramQuestion& question) const {
    constexpr unsigned kMostOpen = 16;
    const Flow& flow = out_.flow;
    const auto open = [](const Cube& cube, std::size_t variables) {
      return (Valuation::first(variables) & ~cube.mask).count();
    };
    const unsigned local = open(flow.initial_local, flow.local_count);
    unsigned most = local;
    for (const model::ThreadsInMain& threads : question.initial) {
      if (!threads.most || local == 0) continue;
      if (*threads.most > kMostOpen) return true;
      most = std::max(most, local * static_cast<unsigned>(threads.most->get_ui()));
    }
    return open(flow.initial_shared, flow.shared_names.size()) + most > kMostOpen;
  }

  std::uint32_t shared_id(Valuation values) {
    const auto [it, is_new] = shared_ids_.try_emplace(values, out_.shared.size());
    if (is_new) {
      out_.shared.push_back(values);
      locals_of_.emplace_back();
      effects_.emplace_back();
    }
    return static_cast<std::uint32_t>(it->second);
  }

  std::uint32_t local_id(const ThreadConfiguration& state) {
    const auto [it, is_new] = local_ids_.try_emplace(state, out_.locals.size());
    if (is_new) out_.locals.push_back(state);
    return static_cast<std::uint32_t>(it->second);
  }

  void reach(std::uint32_t shared, std::uint32_t local) {
    const ThreadState state{SharedState(shared), model::LocalState(local)};
    if (!seen_.insert(state).second) return;
    pairs_.push_back(state);
    locals_of_[shared].push_back(local);
    const std::set<Effect> effects = effects_[shared];
    for (const Effect& effect : effects) disturb(effect, local);
  }

  bool is_inside(NodeId node) const { return out_.flow.nodes[node.index()].atomic_depth > 0; }

  /// The thread behind its wait, if it waits for what wakes.
  ThreadConfiguration woken(const Effect& effect, ThreadConfiguration thread) const {
    const FlowNode& node = out_.flow.nodes[thread.node.index()];
    if (effect.wakes != EdgeKind::Step && node.waits && node.condition == effect.condition)
      thread.node = node.woken;
    return thread;
  }

  /// Where another thread may be after the step.
  std::vector<ThreadConfiguration> moved(const Effect& effect,
                                         const ThreadConfiguration& thread) const {
    if (effect.by_insider && is_inside(thread.node)) return {};
    const ThreadConfiguration next = woken(effect, thread);
    if (effect.wakes == EdgeKind::Signal && next != thread) return {thread, next};
    if (!effect.sender) return {next};
    const FlowEdge& sender = out_.flow.edges[effect.sender->index()];
    if (roots_[thread.node.index()] != roots_[sender.source.index()]) return {next};
    Knowledge known;
    known.shared = effect.shared;
    known.local = effect.local;
    std::vector<ThreadConfiguration> all;
    for (const Valuation& values : received_values(sender, known, thread.values))
      all.push_back({next.node, values});
    return all;
  }

  void disturb(const Effect& effect, std::uint32_t local) {
    for (const ThreadConfiguration& after : moved(effect, out_.locals[local]))
      reach(effect.to, local_id(after));
  }

  Effect effect_of(EdgeId id, Valuation shared, Valuation local, std::uint32_t to) const {
    const FlowEdge& edge = out_.flow.edges[id.index()];
    Effect effect;
    effect.to = to;
    effect.by_insider = is_inside(edge.source);
    if (edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal) {
      effect.wakes = edge.kind;
      effect.condition = edge.condition;
    }
    if (!edge.passive.empty()) effect.sender = id;
    for (const Assignment& passive : edge.passive)
      for_each_atom(passive.value, [&](const Atom& a) {
        if (a.kind == AtomKind::Shared)
          effect.shared = effect.shared.with(a.index, shared[a.index]);
        if (a.kind == AtomKind::Local) effect.local = effect.local.with(a.index, local[a.index]);
      });
    return effect;
  }

  void step_from(ThreadState from) {
    const Valuation shared = out_.shared[from.shared.index()];
    const ThreadConfiguration local = out_.locals[from.local.index()];
    for (const EdgeId id : edges_[local.node.index()]) {
      const FlowEdge& edge = out_.flow.edges[id.index()];
      for_each_outcome(edge, shared, local.values, [&](const NextValues& outcome) {
        const std::uint32_t to = shared_id(outcome.shared);
        const Effect effect = effect_of(id, shared, local.values, to);
        steps_.push_back({from, id, outcome, effect});
        reach(to, local_id({edge.target, outcome.local}));
        if (edge.kind == EdgeKind::Spawn) reach(to, local_id({edge.child, outcome.child}));
        if (effects_[from.shared.index()].insert(effect).second) {
          const std::vector<std::uint32_t> others = locals_of_[from.shared.index()];
          for (const std::uint32_t other : others) disturb(effect, other);
        }
        return !is_full();
      });
    }
  }

  // ---- the thread system ----

  void finish(const model::ProgramQuestion& question) {
    ThreadSystem system;
    next_shared_ = static_cast<std::uint32_t>(out_.shared.size());
    for (const Found& found : steps_) emit(found, system);
    name(system);
    out_.reachable = pairs_;
    std::ranges::sort(out_.reachable);
    out_.translated.question = {initial(question), targets(system)};
    system.shared_count = std::max(next_shared_, 1U);
    out_.translated.model = std::move(system);
  }

  void emit(const Found& found, ThreadSystem& system) {
    const FlowEdge& edge = out_.flow.edges[found.edge.index()];
    ThreadTransition t;
    t.source = found.from;
    t.target = {SharedState(found.effect.to),
                model::LocalState(local_id({edge.target, found.outcome.local}))};
    t.line = edge.at.line;
    t.note = "line " + std::to_string(edge.at.line) + ": " + edge.text;
    if (edge.kind == EdgeKind::Spawn) return emit_spawn(found, edge, std::move(t), system);
    if (edge.kind == EdgeKind::Signal) return emit_signal(found, std::move(t), system);
    for (const std::uint32_t other : locals_of_[found.from.shared.index()]) {
      const auto after = moved(found.effect, out_.locals[other]);
      if (after.size() == 1 && after[0] == out_.locals[other]) continue;
      for (const ThreadConfiguration& state : after)
        t.passive.push_back({model::LocalState(other), model::LocalState(local_id(state))});
    }
    std::ranges::sort(t.passive);
    add(std::move(t), {found.edge, found.outcome}, system);
  }

  void emit_spawn(const Found& found, const FlowEdge& edge, ThreadTransition move,
                  ThreadSystem& system) {
    const auto child = model::LocalState(local_id({edge.child, found.outcome.child}));
    const auto key = std::tuple(move.target.shared, move.target.local, child);
    const auto [it, is_new] = between_.try_emplace(key, next_shared_);
    if (is_new) ++next_shared_;
    const SharedState between(it->second);
    ThreadTransition spawn = move;
    spawn.kind = StepKind::Spawn;
    spawn.source = {between, move.target.local};
    spawn.target = {move.target.shared, child};
    move.target.shared = between;
    add(std::move(move), {found.edge, found.outcome}, system);
    if (is_new) add(std::move(spawn), {found.edge, found.outcome, Role::Part}, system);
  }

  void emit_signal(const Found& found, ThreadTransition alone, ThreadSystem& system) {
    const SharedState called(next_shared_), heard(next_shared_ + 1);
    bool waits = false;
    for (const std::uint32_t other : locals_of_[found.from.shared.index()]) {
      const auto after = moved(found.effect, out_.locals[other]);
      if (after.size() < 2) continue;
      ThreadTransition wake = alone;
      wake.source = {called, model::LocalState(other)};
      wake.target = {heard, model::LocalState(local_id(after[1]))};
      add(std::move(wake), {found.edge, found.outcome, Role::Wake}, system);
      waits = true;
    }
    if (waits) {
      next_shared_ += 2;
      ThreadTransition call = alone, leave = alone;
      call.target = {called, alone.source.local};
      leave.source.shared = heard;
      add(std::move(call), {found.edge, found.outcome, Role::Part}, system);
      add(std::move(leave), {found.edge, found.outcome}, system);
    }
    add(std::move(alone), {found.edge, found.outcome}, system);
  }

  using Role = ProgramAsThreads::Role;

  void add(ThreadTransition t, ProgramAsThreads::Origin origin, ThreadSystem& system) {
    system.transitions.push_back(std::move(t));
    out_.origins.push_back(origin);
  }

  void name(ThreadSystem& system) const {
    const Flow& flow = out_.flow;
    for (const Valuation values : out_.shared)
      system.shared_names.push_back(values_text(shared_values(flow, Cube::only(values))));
    for (const ThreadConfiguration& local : out_.locals) {
      const std::string values =
          values_text(local_values(flow, local.node, Cube::only(local.values)));
      system.local_names.push_back(node_text(flow, local.node) +
                                   (values.empty() ? "" : " " + values));
    }
  }

  /// One region for each choice of first values, with as many threads as the question says.
  std::vector<Region> initial(const model::ProgramQuestion& question) {
    std::vector<Region> regions;
    for (const model::ThreadsInMain& asked : question.initial) {
      const std::size_t threads = asked.most ? static_cast<std::size_t>(asked.most->get_ui()) : 1;
      std::map<Valuation, Region> any;
      for (const auto& state : initial_states(out_.flow, threads)) {
        Region region{SharedState(shared_id(state.shared)), {}};
        std::map<Counter, Integer> counts;
        for (const ThreadConfiguration& thread : state.threads)
          counts[Counter(local_id(thread))] += 1;
        if (asked.most) {
          for (const auto& [local, count] : counts) region.bounds.push_back({local, count, count});
          regions.push_back(std::move(region));
          continue;
        }
        Region& open = any.try_emplace(state.shared, region).first->second;
        for (const auto& entry : counts) open.bounds.push_back({entry.first, 0, std::nullopt});
      }
      for (auto& [shared, region] : any) {
        std::ranges::sort(region.bounds, {}, &CounterBound::counter);
        regions.push_back(std::move(region));
      }
    }
    return regions;
  }

  /// A failed thread; in a local state that nobody reaches if none can be.
  std::vector<Region> targets(ThreadSystem& system) {
    std::vector<Region> regions;
    for (const ThreadState& state : out_.reachable)
      if (out_.flow.nodes[out_.locals[state.local.index()].node.index()].failed)
        regions.push_back({state.shared, {{state.local, 1, std::nullopt}}});
    system.local_count = static_cast<std::uint32_t>(out_.locals.size());
    if (!regions.empty()) return regions;
    system.local_names.emplace_back("failed");
    return {{SharedState(0U), {{Counter(system.local_count++), 1, std::nullopt}}}};
  }

  static constexpr std::size_t kPairsPerLook = 64;  // at the clock

  const std::function<bool()>& stopped_;
  ProgramAsThreads out_;
  std::vector<std::vector<EdgeId>> edges_;
  std::vector<std::uint32_t> roots_;
  std::map<Valuation, std::size_t> shared_ids_;
  std::map<ThreadConfiguration, std::size_t> local_ids_;
  std::set<ThreadState> seen_;
  std::vector<ThreadState> pairs_;
  std::vector<std::vector<std::uint32_t>> locals_of_;  ///< by shared state
  std::vector<std::set<Effect>> effects_;              ///< by shared state
  std::vector<Found> steps_;
  std::map<std::tuple<SharedState, model::LocalState, model::LocalState>, std::uint32_t> between_;
  std::uint32_t next_shared_ = 0;
};

}  // namespace

std::expected<ProgramAsThreads, std::string> program_to_threads(
    const model::ProgramTask& task, const std::function<bool()>& stopped) {
  auto flow = model::boolean::unfold(task.model);
  if (!flow) return std::unexpected(std::move(flow.error()));
  return Builder(std::move(*flow), stopped).run(task.question);
}

}  // namespace heddle::transform
