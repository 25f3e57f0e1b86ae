/// From the start to a failure, forwards along the rings: each configuration leads by an edge to
/// one of an earlier ring of the same thread, or its turn ends with it, and it lies in an earlier
/// ring of another thread. Times fall on the way, so it ends, and turns follow one another as they
/// were played backwards.

#include <limits>

#include "base/invariant.hpp"
#include "engine/context/joint/joint_backward.hpp"
#include "engine/context/joint/joint_run.hpp"

namespace heddle::engine::context {

namespace {

/// A configuration in a thread's turn. The thread's own place is no part of `values`.
struct BackwardMoment {
  std::size_t thread = 0;
  PlaceNumber place = 0;
  std::uint64_t time = 0;
  Bdd values;                ///< one valuation, but for variables that are not live
  std::vector<bool> picked;  ///< that valuation
};

class BackwardRunBuilder {
 public:
  explicit BackwardRunBuilder(const BackwardSearch& search)
      : search_(search), system_(search.system()), space_(system_.space()) {}

  answer::ProgramRun build() {
    BackwardMoment now;
    const bool begun =
        begin_turn(now, system_.initial(), std::numeric_limits<std::uint64_t>::max());
    HEDDLE_INVARIANT(begun, "the start should lie in a ring");
    const std::vector<bool> first = now.picked;
    while (!places(now.thread)[now.place].failed) {
      const bool continues = step(now) || end_turn(now);
      HEDDLE_INVARIANT(continues, "a configuration should lead to an earlier ring");
    }
    return replay(system_, first, moves_);
  }

 private:
  const ThreadPlaces& places(std::size_t thread) const { return system_.threads()[thread]; }

  /// One configuration of a set within the ring.
  BackwardMoment pick(std::size_t thread, PlaceNumber place, const BackwardRing& ring,
                      const Bdd& set) const {
    BackwardMoment out{thread, place, ring.time, {}, space_.pick(set & ring.configurations)};
    std::vector<std::pair<BddVariable, bool>> values;
    const auto fix = [&](BddVariable v) { values.emplace_back(v, out.picked[v]); };
    for (const BddVariable v : system_.variables().shared) fix(v);
    for (std::size_t j = 0; j < system_.threads().size(); ++j) {
      if (j != thread)
        for (const BddVariable v : system_.variables().place[j]) fix(v);
      const PlaceNumber at = j == thread ? place : place_of(out.picked, j);
      for (std::size_t i = 0; at != kStopped && i < places(j).slot_count(); ++i)
        if (places(j).live(at)[i]) fix(system_.variables().local[j][i]);
    }
    out.values = space_.cube(values);
    return out;
  }

  PlaceNumber place_of(const std::vector<bool>& picked, std::size_t thread) const {
    return number_in(picked, system_.variables().place[thread]);
  }

  /// The first ring, before the time, that has one of the configurations.
  const BackwardRing* ring_with(std::size_t thread, PlaceNumber place, const Bdd& set,
                                std::uint64_t time) const {
    for (const BackwardRing& ring : search_.rings(thread, place))
      if (ring.time < time && !(ring.configurations & set).is_false()) return &ring;
    return nullptr;
  }

  bool step(BackwardMoment& now) {
    for (const std::size_t edge : places(now.thread).edges_from(now.place)) {
      const Bdd after = system_.edge(now.thread, edge).after(now.values);
      const PlaceNumber target = places(now.thread).edges()[edge].target;
      const BackwardRing* ring = ring_with(now.thread, target, after, now.time);
      if (!ring) continue;
      now = pick(now.thread, target, *ring, after);
      moves_.push_back({now.thread, edge, now.picked});
      return true;
    }
    return false;
  }

  bool end_turn(BackwardMoment& now) const {
    const StackPlace& place = places(now.thread)[now.place];
    if (!place.may_switch && !system_.may_stop(now.thread, now.place)) return false;
    const Bdd ended = now.values & system_.at(now.thread, place.may_switch ? now.place : kStopped);
    return begin_turn(now, ended, now.time);
  }

  /// Goes on with the turn of a thread to which one of the configurations is known before the time.
  bool begin_turn(BackwardMoment& now, const Bdd& configurations, std::uint64_t time) const {
    const std::vector<bool> picked = space_.pick(configurations);
    for (std::size_t j = 0; j < system_.threads().size(); ++j) {
      const PlaceNumber at = place_of(picked, j);
      if (at == kStopped) continue;
      const Bdd wanted = space_.exists(configurations, system_.place_variables(j));
      const BackwardRing* ring = ring_with(j, at, wanted, time);
      if (!ring) continue;
      now = pick(j, at, *ring, wanted);
      return true;
    }
    return false;
  }

  const BackwardSearch& search_;
  const JointSystem& system_;
  const BddSpace& space_;
  std::vector<JointMove> moves_;
};

}  // namespace

answer::ProgramRun run_of(const BackwardSearch& search) {
  return BackwardRunBuilder(search).build();
}

}  // namespace heddle::engine::context
