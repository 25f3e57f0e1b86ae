/// From a failure to a run, backwards along the rings: each configuration follows by an edge from
/// one of an earlier ring of the same thread, or its turn began with it; then it is initial, or
/// another thread's turn ended with it earlier. Values of variables that are not live are left
/// open on the way and found when the edges are taken forwards.

#include <algorithm>

#include "base/invariant.hpp"
#include "engine/context/joint_run.hpp"
#include "engine/context/joint_search.hpp"

namespace heddle::engine::context {

using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::Wanted;

namespace {

/// A configuration in a thread's turn. The thread's own place is no part of `values`.
struct Moment {
  std::size_t thread = 0;
  PlaceNumber place = 0;
  Bdd values;                ///< one valuation, but for variables that are not live
  std::vector<bool> picked;  ///< that valuation
};

class JointRunBuilder {
 public:
  explicit JointRunBuilder(const JointSearch& search)
      : search_(search), system_(search.system()), space_(system_.space()) {}

  answer::ProgramRun build() {
    Moment now = failure();
    std::uint64_t time = time_of(now);
    while (back_over_step(now, time) || back_over_turn(now, time)) time = time_of(now);
    std::ranges::reverse(moves_);
    return replay(system_, now.picked, moves_);
  }

 private:
  const ThreadPlaces& places(std::size_t thread) const { return system_.threads()[thread]; }

  Moment failure() const {
    const std::size_t thread = search_.last_thread();
    for (PlaceNumber place = 1; place <= places(thread).count(); ++place)
      if (places(thread)[place].failed && !search_.rings(thread, place).empty())
        return pick(thread, place, search_.rings(thread, place).back().configurations);
    base::fail_invariant("failure", "the last turn should have failed", __FILE__, __LINE__);
  }

  Moment pick(std::size_t thread, PlaceNumber place, const Bdd& set) const {
    Moment out{thread, place, {}, space_.pick(set)};
    std::vector<std::pair<BddVariable, bool>> values;
    const auto fix = [&](BddVariable v) { values.emplace_back(v, out.picked[v]); };
    for (const BddVariable v : system_.variables().shared) fix(v);
    for (std::size_t j = 0; j < system_.threads().size(); ++j) {
      if (j != thread)
        for (const BddVariable v : system_.variables().place[j]) fix(v);
      const PlaceNumber at = j == thread ? place : place_in(out.picked, j);
      for (std::size_t i = 0; at != kStopped && i < places(j).slot_count(); ++i)
        if (places(j).live(at)[i]) fix(system_.variables().local[j][i]);
    }
    out.values = space_.cube(values);
    return out;
  }

  PlaceNumber place_in(const std::vector<bool>& picked, std::size_t thread) const {
    PlaceNumber out = 0;
    const auto& digits = system_.variables().place[thread];
    for (std::size_t i = 0; i < digits.size(); ++i) out |= PlaceNumber{picked[digits[i]]} << i;
    return out;
  }

  std::uint64_t time_of(const Moment& now) const {
    for (const JointRing& ring : search_.rings(now.thread, now.place))
      if (!(ring.configurations & now.values).is_false()) return ring.time;
    base::fail_invariant("rings", "a configuration should lie in a ring", __FILE__, __LINE__);
  }

  Bdd before(std::size_t thread, PlaceNumber place, std::uint64_t time) const {
    Bdd out;
    for (const JointRing& ring : search_.rings(thread, place))
      if (ring.time < time) out |= ring.configurations;
    return out;
  }

  bool back_over_step(Moment& now, std::uint64_t time) {
    for (const std::size_t edge : places(now.thread).edges_into(now.place)) {
      const PlaceNumber source = places(now.thread).edges()[edge].source;
      const Bdd candidates =
          before(now.thread, source, time) & system_.edge(now.thread, edge).before(now.values);
      if (candidates.is_false()) continue;
      moves_.push_back({now.thread, edge, now.picked});
      now = pick(now.thread, source, candidates);
      return true;
    }
    return false;
  }

  /// Another thread's turn ended with the configuration.
  bool back_over_turn(Moment& now, std::uint64_t time) const {
    const Bdd begun = now.values & system_.at(now.thread, now.place);
    for (std::size_t j = 0; j < system_.threads().size(); ++j) {
      if (j == now.thread) continue;
      const Bdd wanted = space_.exists(begun, system_.place_variables(j));
      const PlaceNumber at = place_in(now.picked, j);
      for (PlaceNumber place = 1; place <= places(j).count(); ++place) {
        if (at == kStopped ? !places(j)[place].may_stop : at != place) continue;
        const Bdd ended = before(j, place, time) & wanted;
        if (ended.is_false()) continue;
        now = pick(j, place, ended);
        return true;
      }
    }
    return false;
  }

  const JointSearch& search_;
  const JointSystem& system_;
  const BddSpace& space_;
  std::vector<JointMove> moves_;  ///< the last one first, while they are found
};

class JointReplay {
 public:
  explicit JointReplay(const JointSystem& system) : system_(system) {}

  answer::ProgramRun run(const std::vector<bool>& first,
                         const std::vector<JointMove>& moves) const {
    answer::ProgramRun run;
    run.keeps_calls = true;
    run.initial.shared = shared_in(first);
    for (const ThreadPlaces& thread : system_.threads())
      run.initial.threads.push_back({thread[thread.start()].stack.node, 0});
    State state = run.initial;
    for (const JointMove& move : moves) {
      const EdgeId id = places(move.thread).edges()[move.edge].edge;
      const auto outcome = find_outcome(system_.flow().edges[id.index()], state.shared,
                                        state.threads[move.thread].values, wanted(move));
      HEDDLE_INVARIANT(outcome, "an edge should lead where the search says");
      run.steps.push_back(
          {static_cast<std::uint32_t>(move.thread), id, *outcome, std::nullopt, {}});
      auto after = take(system_.flow(), state, run.steps.back());
      HEDDLE_INVARIANT(after, "a step of the run should be possible");
      state = std::move(*after);
    }
    return run;
  }

 private:
  const ThreadPlaces& places(std::size_t thread) const { return system_.threads()[thread]; }

  model::boolean::Valuation shared_in(const std::vector<bool>& picked) const {
    model::boolean::Valuation out = 0;
    for (std::uint32_t i = 0; i < system_.variables().shared.size(); ++i)
      if (picked[system_.variables().shared[i]]) out |= bit(i);
    return out;
  }

  /// What is known of the innermost procedure's variables at the place.
  Cube local_in(const JointMove& move, PlaceNumber place) const {
    const ThreadPlaces& thread = places(move.thread);
    Cube out;
    const std::uint32_t first = thread[place].first_local;
    for (std::uint32_t i = first; i < thread.slot_count(); ++i)
      if (thread.live(place)[i])
        out = out.with(i - first, move.after[system_.variables().local[move.thread][i]]);
    return out;
  }

  Wanted wanted(const JointMove& move) const {
    const PlaceEdge& step = places(move.thread).edges()[move.edge];
    const FlowEdge& edge = system_.flow().edges[step.edge.index()];
    const Cube shared = Cube::only(shared_in(move.after));
    const Cube local = local_in(move, step.target);
    if (edge.kind == EdgeKind::Call) return {shared, {}, local};
    if (edge.kind != EdgeKind::Return) return {shared, local, {}};
    const EdgeId call = places(move.thread)[step.source].stack.calls.back();
    return wanted_results(system_.flow().edges[call.index()], shared, local);
  }

  /// Results are those that the receiving variables have; the last of equal ones counts. Shared
  /// variables that receive get their values behind the edge's own.
  Wanted wanted_results(const FlowEdge& call, const Cube& shared, const Cube& local) const {
    Wanted out{shared, {}, {}};
    for (std::uint32_t i = 0; i < call.received.size(); ++i) {
      const auto& variable = call.received[i];
      const bool counts = variable && std::find(call.received.begin() + i + 1, call.received.end(),
                                                variable) == call.received.end();
      if (!variable) continue;
      const Cube& values = variable->kind == AtomKind::Local ? local : shared;
      if (const auto value = values[variable->index]; counts && value)
        out.child = out.child.with(i, *value);
      if (variable->kind == AtomKind::Shared) out.shared = out.shared.without(bit(variable->index));
    }
    return out;
  }

  const JointSystem& system_;
};

}  // namespace

answer::ProgramRun replay(const JointSystem& system, const std::vector<bool>& first,
                          const std::vector<JointMove>& moves) {
  return JointReplay(system).run(first, moves);
}

answer::ProgramRun run_of(const JointSearch& search) { return JointRunBuilder(search).build(); }

}  // namespace heddle::engine::context
