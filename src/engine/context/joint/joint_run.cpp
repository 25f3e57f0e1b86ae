/// From a failure to a run, backwards along the rings: each fact follows by an edge from one of an
/// earlier ring, or its turn began with it. Facts are joined with the configurations with which the
/// turn could begin, so that the other threads are known, too. The configuration at the begin is
/// initial, or the last of the earlier turns that could not yet begin with it led to it. Values of
/// variables that are not live are left open on the way and found when the edges are taken
/// forwards.

#include <algorithm>
#include <limits>
#include <set>

#include "base/invariant.hpp"
#include "engine/context/joint/joint_run.hpp"
#include "engine/context/joint/joint_search.hpp"

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

/// A configuration in a turn, and what the thread that has it began with. The thread's own place is
/// no part of `values`.
struct Moment {
  std::size_t turn = 0;
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
    do {
      while (back_over_step(now)) continue;
    } while (back_over_turn(now));
    std::ranges::reverse(moves_);
    return replay(system_, now.picked, moves_);
  }

 private:
  const ThreadPlaces& places(std::size_t thread) const { return system_.threads()[thread]; }

  std::size_t thread_of(const Moment& now) const { return search_.turns()[now.turn].thread; }

  /// Configurations with which the turn could begin, in the terms of its thread's facts.
  Bdd begins(std::size_t turn) const {
    const Turn& played = search_.turns()[turn];
    return system_.view(played.thread).to_begin(played.begins);
  }

  Moment failure() const {
    const std::size_t turn = search_.turns().size() - 1;
    const std::size_t thread = search_.turns()[turn].thread;
    for (PlaceNumber place = 1; place <= places(thread).count(); ++place)
      if (places(thread)[place].failed && !search_.rings(thread, place).empty())
        return pick(turn, place, search_.rings(thread, place).back().facts & begins(turn));
    base::fail_invariant("failure", "the last turn should have failed", __FILE__, __LINE__);
  }

  Moment pick(std::size_t turn, PlaceNumber place, const Bdd& set) const {
    Moment out{turn, place, {}, space_.pick(set)};
    const std::size_t thread = thread_of(out);
    const JointVariables& v = system_.variables();
    std::vector<std::pair<BddVariable, bool>> values;
    const auto fix = [&](BddVariable variable) {
      values.emplace_back(variable, out.picked[variable]);
    };
    const auto fix_live = [&](std::size_t j, PlaceNumber at,
                              const std::vector<BddVariable>& slots) {
      for (std::size_t i = 0; at != kStopped && i < slots.size(); ++i)
        if (places(j).live(at)[i]) fix(slots[i]);
    };
    for (const BddVariable variable : v.shared) fix(variable);
    for (const std::uint32_t i : system_.view(thread).written) fix(v.begin_shared[i]);
    for (const BddVariable variable : v.begin_place[thread]) fix(variable);
    fix_live(thread, number_in(out.picked, v.begin_place[thread]), v.begin_local[thread]);
    fix_live(thread, place, v.local[thread]);
    for (std::size_t j = 0; j < system_.threads().size(); ++j) {
      if (j == thread) continue;
      for (const BddVariable variable : v.place[j]) fix(variable);
      fix_live(j, number_in(out.picked, v.place[j]), v.local[j]);
    }
    out.values = space_.cube(values);
    return out;
  }

  std::uint64_t time_of(const Moment& now) const {
    for (const TurnRing& ring : search_.rings(thread_of(now), now.place))
      if (!(ring.facts & now.values).is_false()) return ring.time;
    base::fail_invariant("rings", "a fact should lie in a ring", __FILE__, __LINE__);
  }

  Bdd facts_before(std::size_t thread, PlaceNumber place, std::uint64_t time) const {
    Bdd out;
    for (const TurnRing& ring : search_.rings(thread, place))
      if (ring.time < time) out |= ring.facts;
    return out;
  }

  bool back_over_step(Moment& now) {
    const std::size_t thread = thread_of(now);
    const std::uint64_t time = time_of(now);
    for (const std::size_t edge : places(thread).edges_into(now.place)) {
      const PlaceNumber source = places(thread).edges()[edge].source;
      const Bdd candidates =
          facts_before(thread, source, time) & system_.edge(thread, edge).before(now.values);
      if (candidates.is_false()) continue;
      moves_.push_back({thread, edge, now.picked});
      now = pick(now.turn, source, candidates);
      return true;
    }
    return false;
  }

  /// From the begin of a turn to the end of the turn that led to it; false if it is initial.
  bool back_over_turn(Moment& now) const {
    const std::size_t thread = thread_of(now);
    const Bdd begun = space_.exists(now.values, system_.view(thread).begin_variables) &
                      system_.at(thread, now.place);
    HEDDLE_INVARIANT(number_in(now.picked, system_.variables().begin_place[thread]) == now.place,
                     "a turn should begin where its facts say");
    std::size_t turn = 0;
    while ((search_.turns()[turn].begins & begun).is_false()) ++turn;
    if (turn == 0) return false;
    const std::size_t ended = search_.turns()[turn - 1].thread;
    const PlaceNumber at =
        ended == thread ? now.place : number_in(now.picked, system_.variables().place[ended]);
    now = end_of(turn - 1, at, begun);
    return true;
  }

  Moment end_of(std::size_t turn, PlaceNumber at, const Bdd& configuration) const {
    const std::size_t thread = search_.turns()[turn].thread;
    const Bdd wanted = space_.exists(configuration, system_.place_variables(thread)) & begins(turn);
    for (PlaceNumber place = 1; place <= places(thread).count(); ++place) {
      if (at == kStopped ? !system_.may_stop(thread, place) : at != place) continue;
      const Bdd facts =
          facts_before(thread, place, std::numeric_limits<std::uint64_t>::max()) & wanted;
      if (!facts.is_false()) return pick(turn, place, facts);
    }
    base::fail_invariant("turns", "a turn should lead to what is new", __FILE__, __LINE__);
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
      run.initial.threads.push_back({entry(thread), 0});
    State state = run.initial;
    if (const auto thread = failed_at_start()) {
      begin(*thread, first, run, state);
      return run;
    }
    std::set<std::size_t> started;
    for (const JointMove& move : moves) {
      if (started.insert(move.thread).second) begin(move.thread, first, run, state);
      step(move, Cube::only(shared_in(move.after)), run, state);
    }
    return run;
  }

 private:
  static model::boolean::NodeId entry(const ThreadPlaces& thread) {
    const PlaceNumber place =
        thread.prelude().empty() ? thread.start() : thread.edges()[thread.prelude()[0]].source;
    return thread[place].stack.node;
  }

  /// A thread that has failed before its first turn. Whatever else may have been found first, its
  /// prelude alone is a run.
  std::optional<std::size_t> failed_at_start() const {
    for (std::size_t j = 0; j < system_.threads().size(); ++j)
      if (places(j)[places(j).start()].failed) return j;
    return std::nullopt;
  }

  /// The steps before the thread's first turn.
  void begin(std::size_t thread, const std::vector<bool>& first, answer::ProgramRun& run,
             State& state) const {
    for (const std::size_t edge : places(thread).prelude())
      step({thread, edge, first}, Cube::only(state.shared), run, state);
  }

  void step(const JointMove& move, const Cube& shared, answer::ProgramRun& run,
            State& state) const {
    const EdgeId id = places(move.thread).edges()[move.edge].edge;
    const auto outcome = find_outcome(system_.flow().edges[id.index()], state.shared,
                                      state.threads[move.thread].values, wanted(move, shared));
    HEDDLE_INVARIANT(outcome, "an edge should lead where the search says");
    run.steps.push_back({static_cast<std::uint32_t>(move.thread), id, *outcome, std::nullopt, {}});
    auto after = take(system_.flow(), state, run.steps.back());
    HEDDLE_INVARIANT(after, "a step of the run should be possible");
    state = std::move(*after);
  }

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

  Wanted wanted(const JointMove& move, const Cube& shared) const {
    const PlaceEdge& step = places(move.thread).edges()[move.edge];
    const FlowEdge& edge = system_.flow().edges[step.edge.index()];
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

PlaceNumber number_in(const std::vector<bool>& picked, std::span<const BddVariable> digits) {
  PlaceNumber out = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) out |= PlaceNumber{picked[digits[i]]} << i;
  return out;
}

answer::ProgramRun replay(const JointSystem& system, const std::vector<bool>& first,
                          const std::vector<JointMove>& moves) {
  return JointReplay(system).run(first, moves);
}

answer::ProgramRun run_of(const JointSearch& search) { return JointRunBuilder(search).build(); }

}  // namespace heddle::engine::context
