/// Reachability of all threads together, under a bound on rounds or without one.
///
/// Let X be the set of configurations with which a turn can begin. A turn of thread j adds what its
/// steps lead to: X grows to post_j*(X), since the thread may as well do nothing. Whatever was in X
/// when j's last turn had ended is closed under j's steps, so a turn begins with the others alone.
/// If that is all of X for each of the threads, X is closed under steps of all of them: every
/// reachable configuration is in it, whatever the number of contexts.
///
/// Turns need not end everywhere. Until the next step that touches shared variables nobody can tell
/// whether a turn has ended, and inside an atomic section nobody else can step: if the thread gets
/// to such a step later, its steps up to there can be moved to the end of this turn, for they
/// neither see nor change what others do. If it never does, the others see a thread that stops
/// where it changed the shared variables for the last time. So turns end in front of steps that
/// touch shared variables (Place::may_switch), or the thread stops for good right behind a step
/// that changes them (Place::may_stop). A failure stays one: the steps before it are at worst moved
/// into an earlier turn.
///
/// The bit that keeps others out of atomic sections does not count as a shared variable here: at
/// the end of a turn outside of them it is 0, for the thread itself could not have stepped
/// otherwise.
///
/// Local variables that are not live are left open in all sets. That changes no step that leads to
/// a failure, and it makes sets small.

#include "engine/context/joint_search.hpp"

#include <algorithm>
#include <utility>

#include "base/invariant.hpp"

namespace heddle::engine::context {

using base::StopReason;

JointSearch::JointSearch(const JointSystem& system)
    : system_(system), all_(system.initial()), worked_off_(system.threads().size()) {
  for (const ThreadPlaces& places : system.threads()) spots_.emplace_back(places.count() + 1);
}

std::optional<StopReason> JointSearch::play(base::RunContext& context) {
  HEDDLE_INVARIANT(end_ == End::None && !closed_, "there should be something left to play");
  rounds_.emplace_back();
  for (thread_ = 0; thread_ < spots_.size(); ++thread_) {
    rounds_.back().begins.push_back(all_);
    if (const auto stop = play_turn(context)) return stop;
    if (end_ != End::None) return std::nullopt;
    worked_off_[thread_] = all_;
  }
  keep_round();
  closed_ = std::ranges::all_of(worked_off_, [&](const Bdd& set) { return set == all_; });
  return std::nullopt;
}

std::optional<StopReason> JointSearch::play_turn(base::RunContext& context) {
  begin();
  while (!waiting_.empty() && end_ == End::None) {
    if (const auto stop = context.step()) return stop;
    if (const auto stop = context.stopped()) return stop;
    const PlaceNumber place = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    work_off(place);
  }
  all_ |= std::exchange(ended_, Bdd());
  return std::nullopt;
}

void JointSearch::begin() {
  const Bdd fresh = all_ - worked_off_[thread_];
  if (fresh.is_false()) return;
  split(fresh, 0, 0);
}

/// Parts a set by the thread's place, one binary digit after the other.
void JointSearch::split(const Bdd& set, std::size_t digit, PlaceNumber place) {
  if (set.is_false()) return;
  const auto& digits = system_.variables().place[thread_];
  if (digit == digits.size()) {
    if (place != kStopped) add(place, set);
    return;
  }
  const Bdd one = system_.space().variable(digits[digit]);
  split(system_.space().exists(set - one, one), digit + 1, place);
  split(system_.space().exists_and(set, one, one), digit + 1, place | (1U << digit));
}

void JointSearch::add(PlaceNumber place, const Bdd& configurations) {
  if (configurations.is_false()) return;
  Spot& spot = spots_[thread_][place];
  const Bdd fresh = configurations - spot.reached;
  if (fresh.is_false()) return;
  spot.pending |= fresh;
  waiting_.emplace(system_.threads()[thread_][place].rank, place);
}

void JointSearch::work_off(PlaceNumber place) {
  Spot& spot = spots_[thread_][place];
  const Bdd fresh = std::exchange(spot.pending, Bdd());
  spot.reached |= fresh;
  spot.rings.push_back({++time_, fresh});
  const ThreadPlaces& places = system_.threads()[thread_];
  if (places[place].failed || places[place].cut_off) {
    end_ = places[place].failed ? End::Failed : End::CutOff;
    return;
  }
  note_end(place, fresh);
  for (const std::size_t edge : places.edges_from(place))
    add(places.edges()[edge].target, system_.edge(thread_, edge).after(fresh));
}

void JointSearch::note_end(PlaceNumber place, const Bdd& configurations) {
  const ThreadPlaces& places = system_.threads()[thread_];
  if (places[place].may_switch) {
    ended_ |= configurations & system_.at(thread_, place);
  } else if (places[place].may_stop) {
    const Bdd locals = system_.space().all_of(system_.variables().local[thread_]);
    ended_ |= system_.space().exists(configurations, locals) & system_.at(thread_, kStopped);
  }
}

void JointSearch::keep_round() {
  for (const auto& spots : spots_) {
    auto& kept = rounds_.back().reached.emplace_back();
    for (const Spot& spot : spots) kept.push_back(spot.reached);
  }
}

}  // namespace heddle::engine::context
