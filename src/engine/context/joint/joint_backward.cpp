/// What leads to a failure, of all threads together, turn by turn from the last one to the first.
///
/// Let B be the set of configurations from which, when a turn begins with them, a failure can be
/// reached in this turn or those that follow. Behind the last turn it is empty. In a turn of thread
/// j, let E(p) be those with which the thread, at its place p, can still get to a failure: all if p
/// has failed; those from which a step leads into E(p') for the place p' behind it; and those with
/// which the turn can end and that are then in B. E is the least solution, found by steps
/// backwards. The turn can begin with what is in E, or leave things as they are, so B grows by E
/// with the places put in, and it only grows from turn to turn. A program can fail within K rounds
/// if and only if its start is in B when K rounds have been gone through.
///
/// When thread j has its next turn, one round earlier, E contains all that follows from what was in
/// B behind its last one, so only the others are worked off. If that is all of B for each of the
/// threads, further rounds add nothing: what is not in B never fails.
///
/// Ends of turns are those of the forward search (joint_search.cpp has the argument why these are
/// enough: it is about runs, and holds whichever way one looks for them). So a turn ends in place
/// if a step follows that touches shared variables (StackPlace::may_switch), and B needs to know
/// such places alone; elsewhere, right behind a step that changes shared variables, the thread may
/// stop for good (JointSystem::may_stop), which is the end of a turn in kStopped.
///
/// E depends on those local variables of a thread alone that are live where it is: what a step
/// reads is live in front of it. For the callee's variables, which the relation of a call binds,
/// any values will do in front of the call. Stacks that are too deep are no failures as long as a
/// run is looked for. For a proof they count as such: if the start leads to none of either, nothing
/// has been cut off.
///
/// The complements of these sets contain the start, are closed under steps and turns, and contain
/// no failure. That is evidence of the same form as that of the forward search.

#include "engine/context/joint/joint_backward.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::engine::context {

using base::StopReason;

BackwardSearch::BackwardSearch(const JointSystem& system, Wrong wrong)
    : system_(system), wrong_(wrong), worked_off_(system.threads().size()), work_(system.space()) {
  for (const ThreadPlaces& places : system.threads()) spots_.emplace_back(places.count() + 1);
}

std::optional<StopReason> BackwardSearch::play(base::RunContext& context) {
  HEDDLE_INVARIANT(!hits_start_ && !closed_, "there should be something left to play");
  rounds_.emplace_back(spots_.size());
  for (thread_ = spots_.size(); thread_-- > 0;) {
    if (const auto stop = play_turn(context)) return stop;
    worked_off_[thread_] = bad_;
    keep_turn();
    hits_start_ = !(bad_ & system_.initial()).is_false();
    if (hits_start_) return std::nullopt;
  }
  closed_ = std::ranges::all_of(worked_off_, [&](const Bdd& set) { return set == bad_; });
  return std::nullopt;
}

std::optional<StopReason> BackwardSearch::play_turn(base::RunContext& context) {
  if (round() == 1) add_failures();
  add_ends(bad_ - worked_off_[thread_], 0, 0);
  while (!waiting_.empty()) {
    if (const auto stop = work_.step(context)) return stop;
    const PlaceNumber place = waiting_.rbegin()->second;
    waiting_.erase(std::prev(waiting_.end()));
    process_queue(place);
  }
  bad_ |= std::exchange(found_, Bdd());
  return std::nullopt;
}

void BackwardSearch::add_failures() {
  for (PlaceNumber place = 1; place <= places().count(); ++place)
    if (places()[place].failed || (places()[place].cut_off && wrong_ == Wrong::FailuresAndCutOffs))
      add(place, system_.space().constant(true));
}

/// Parts what the next turn can begin with by the thread's place, one binary digit after the other.
void BackwardSearch::add_ends(const Bdd& begins, std::size_t digit, PlaceNumber place) {
  if (begins.is_false()) return;
  const auto& digits = system_.variables().place[thread_];
  if (digit == digits.size()) return add_end(place, begins);
  const Bdd one = system_.space().variable(digits[digit]);
  add_ends(system_.space().exists(begins - one, one), digit + 1, place);
  add_ends(system_.space().exists_and(begins, one, one), digit + 1, place | (1U << digit));
}

void BackwardSearch::add_end(PlaceNumber place, const Bdd& configurations) {
  if (place > places().count()) return;
  if (place != kStopped) {
    if (places()[place].may_switch) add(place, configurations);
    return;
  }
  for (PlaceNumber last = 1; last <= places().count(); ++last)
    if (system_.may_stop(thread_, last)) add(last, configurations);
}

void BackwardSearch::add(PlaceNumber place, const Bdd& configurations) {
  if (configurations.is_false()) return;
  Spot& spot = spots_[thread_][place];
  const Bdd fresh = configurations - spot.bad;
  if (fresh.is_false()) return;
  spot.pending |= fresh;
  waiting_.emplace(places()[place].rank, place);
}

void BackwardSearch::process_queue(PlaceNumber place) {
  Spot& spot = spots_[thread_][place];
  const Bdd fresh = std::exchange(spot.pending, Bdd());
  spot.bad |= fresh;
  spot.rings.push_back({++time_, fresh});
  if (places()[place].may_switch) found_ |= fresh & system_.at(thread_, place);
  for (const std::size_t edge : places().edges_into(place))
    add(places().edges()[edge].source, system_.before(thread_, edge, fresh));
}

void BackwardSearch::keep_turn() {
  BackwardTurn& turn = rounds_.back()[thread_];
  turn.begin = bad_;
  for (const Spot& spot : spots_[thread_]) turn.inside.push_back(spot.bad);
}

/// Where the thread can be while others have their turns.
Bdd BackwardSearch::switch_places(std::size_t thread) const {
  Bdd out = system_.at(thread, kStopped);
  const ThreadPlaces& all = system_.threads()[thread];
  for (PlaceNumber place = 1; place <= all.count(); ++place)
    if (all[place].may_switch) out |= system_.at(thread, place);
  return out;
}

answer::ConfigurationSets BackwardSearch::certificate() const {
  answer::ConfigurationSets out;
  out.rounds = closed_ ? 0 : round();
  out.variables = system_.variables().order();
  std::vector<Bdd> elsewhere(spots_.size(), system_.space().constant(true));
  for (std::size_t j = 0; j < spots_.size(); ++j) {
    auto& stacks = out.places.emplace_back();
    for (PlaceNumber place = 1; place < spots_[j].size(); ++place)
      stacks.push_back(system_.threads()[j][place].stack);
    for (std::size_t i = 0; i < spots_.size(); ++i)
      if (i != j) elsewhere[i] &= switch_places(j);
  }
  std::vector<Bdd> kept;  // the writer wants them alive
  solver::BddWriter writer;
  const auto add_set = [&](std::size_t round, std::size_t thread, std::size_t place, Bdd set) {
    if (set.is_false()) return;
    kept.push_back(std::move(set));
    out.sets.push_back({static_cast<std::uint32_t>(round), static_cast<std::uint32_t>(thread),
                        static_cast<std::uint32_t>(place), writer.add(kept.back())});
  };
  // If no further round adds anything, the one that was put in front last has everything.
  const std::size_t rounds = closed_ ? 1 : rounds_.size();
  for (std::size_t k = 1; k <= rounds; ++k)
    for (std::size_t j = 0; j < spots_.size(); ++j) {
      const BackwardTurn& turn = rounds_[rounds_.size() - k][j];
      add_set(k, j, 0, (elsewhere[j] & switch_places(j)) - (closed_ ? bad_ : turn.begin));
      for (PlaceNumber place = 1; place < spots_[j].size(); ++place)
        if (system_.threads()[j].is_reachable(place))
          add_set(k, j, place, elsewhere[j] - turn.inside[place]);
    }
  for (const solver::BddNode& node : writer.nodes())
    out.nodes.push_back({node.variable, node.low, node.high});
  return out;
}

}  // namespace heddle::engine::context
