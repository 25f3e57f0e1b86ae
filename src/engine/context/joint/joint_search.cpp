/// Reachability of all threads together, under a bound on rounds or without one.
///
/// Let X be the set of configurations with which a turn can begin. A turn of thread j adds what its
/// steps lead to: X grows to post_j*(X), since the thread may as well do nothing. Whatever was in X
/// when j's last turn had ended is closed under j's steps, so a turn begins with the others alone.
/// If that is all of X for each of the threads, X is closed under steps of all of them: every
/// reachable configuration is in it, whatever the number of contexts.
///
/// A turn depends on the thread's view of a configuration alone, and leaves the rest of it as it
/// is. So steps are not taken with sets of configurations, which speak of all threads, but with
/// *facts*: the view with which the turn began, and the thread's place, its local variables and the
/// shared ones now. Views are taken from X, so every fact belongs to a run. The facts with which a
/// turn can end are its *effect*, and the product of X and the effect over the views is what the
/// turn leads to: one operation on large sets for each turn. Facts are kept for later turns; only
/// views that are new have to be worked off. The product may be that of all of X as well as of what
/// is new in it, for it adds nothing to what earlier turns of j have dealt with: the one with the
/// smaller diagram is taken.
///
/// Turns need not end everywhere. Until the next step that touches shared variables nobody can tell
/// whether a turn has ended, and inside an atomic section nobody else can step: if the thread gets
/// to such a step later, its steps up to there can be moved to the end of this turn, for they
/// neither see nor change what others do. If it never does, the others see a thread that stops
/// where it changed the shared variables for the last time; and if steps that touch nothing shared
/// can always take it on from there to a place in front of one that does, it may as well stop at
/// that place. So turns end in front of steps that touch shared variables (StackPlace::may_switch),
/// or the thread stops for good right behind a step that changes them, if it may be unable to go on
/// (JointSystem::may_stop). A failure stays one: the steps before it are at worst moved into an
/// earlier turn. Steps at the start of a thread that do nothing are taken before the first turn.
///
/// The bit that keeps others out of atomic sections does not count as a shared variable here: at
/// the end of a turn outside of them it is 0, for the thread itself could not have stepped
/// otherwise.
///
/// Local variables that are not live are left open in all sets. That changes no step that leads to
/// a failure, and it makes sets small.

#include "engine/context/joint/joint_search.hpp"

#include <algorithm>
#include <utility>

#include "base/invariant.hpp"

namespace heddle::engine::context {

using base::StopReason;

JointSearch::JointSearch(const JointSystem& system)
    : system_(system), all_(system.initial()), work_(system.space()) {
  for (const ThreadPlaces& places : system.threads())
    threads_.emplace_back().spots.resize(places.count() + 1);
}

std::optional<StopReason> JointSearch::play(base::RunContext& context, Rounds rounds) {
  HEDDLE_INVARIANT(end_ == End::None && !closed_, "there should be something left to play");
  ++round_;
  for (thread_ = 0; thread_ < threads_.size(); ++thread_) {
    turns_.push_back({thread_, all_});
    const bool last = rounds == Rounds::NoMore && thread_ + 1 == threads_.size();
    if (const auto stop = play_turn(context, last)) return stop;
    if (end_ != End::None) return std::nullopt;
  }
  closed_ = std::ranges::all_of(threads_,
                                [&](const ThreadTurns& turns) { return turns.worked_off == all_; });
  return std::nullopt;
}

/// Where the last turn of all leads to matters only if nothing else keeps X from being closed.
std::optional<StopReason> JointSearch::play_turn(base::RunContext& context, bool last) {
  Bdd& worked_off = threads_[thread_].worked_off;
  const Bdd fresh = all_ - worked_off;
  if (fresh.is_false()) return std::nullopt;
  if (const auto stop = find_facts(fresh, context)) return stop;
  const auto is_done = [&](const ThreadTurns& turns) { return turns.worked_off == all_; };
  if (last && std::ranges::count_if(threads_, is_done) + 1 != std::ssize(threads_))
    return std::nullopt;
  all_ |= led_to(fresh.node_count() < all_.node_count() ? fresh : all_);
  worked_off = all_;
  return std::nullopt;
}

std::expected<Bdd, StopReason> JointSearch::turn(std::size_t thread, const Bdd& begins,
                                                 base::RunContext& context) {
  thread_ = thread;
  if (const auto stop = find_facts(begins, context)) return std::unexpected(*stop);
  return led_to(begins);
}

Bdd JointSearch::led_to(const Bdd& begins) {
  const ThreadView& view = system_.view(thread_);
  ThreadTurns& turns = threads_[thread_];
  for (const auto& [place, facts] : turns.ends) turns.effect |= end_of_turn(place, facts);
  turns.ends.clear();
  return system_.space().exists_and(view.to_begin(begins), turns.effect, view.begin_variables);
}

std::optional<StopReason> JointSearch::find_facts(const Bdd& begins, base::RunContext& context) {
  Bdd& known = threads_[thread_].views;
  const Bdd views = system_.space().exists(begins, system_.view(thread_).others) - known;
  known |= views;
  begin(views, 0, 0);
  while (!waiting_.empty() && end_ == End::None) {
    if (const auto stop = work_.step(context)) return stop;
    const PlaceNumber place = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    process_queue(place);
  }
  return std::nullopt;
}

/// Parts views by the thread's place, one binary digit after the other.
void JointSearch::begin(const Bdd& views, std::size_t digit, PlaceNumber place) {
  if (views.is_false()) return;
  const auto& digits = system_.variables().place[thread_];
  if (digit == digits.size()) {
    if (place != kStopped) add(place, system_.begun(thread_, place, views));
    return;
  }
  const Bdd one = system_.space().variable(digits[digit]);
  begin(system_.space().exists(views - one, one), digit + 1, place);
  begin(system_.space().exists_and(views, one, one), digit + 1, place | (1U << digit));
}

void JointSearch::add(PlaceNumber place, const Bdd& facts) {
  if (facts.is_false()) return;
  Spot& spot = threads_[thread_].spots[place];
  const Bdd fresh = facts - spot.reached;
  if (fresh.is_false()) return;
  spot.pending |= fresh;
  waiting_.emplace(system_.threads()[thread_][place].rank, place);
}

void JointSearch::process_queue(PlaceNumber place) {
  Spot& spot = threads_[thread_].spots[place];
  const Bdd fresh = std::exchange(spot.pending, Bdd());
  spot.reached |= fresh;
  spot.rings.push_back({++time_, fresh});
  const ThreadPlaces& places = system_.threads()[thread_];
  if (places[place].failed || places[place].cut_off) {
    end_ = places[place].failed ? End::Failed : End::CutOff;
    return;
  }
  if (places[place].may_switch || system_.may_stop(thread_, place))
    threads_[thread_].ends.emplace_back(place, fresh);
  for (const std::size_t edge : places.edges_from(place))
    add(places.edges()[edge].target, system_.edge(thread_, edge).after(fresh));
}

/// Precondition: a turn may end there.
Bdd JointSearch::end_of_turn(PlaceNumber place, const Bdd& facts) const {
  if (system_.threads()[thread_][place].may_switch) return facts & system_.at(thread_, place);
  const Bdd locals = system_.space().all_of(system_.variables().local[thread_]);
  return system_.space().exists(facts, locals) & system_.at(thread_, kStopped);
}

Bdd JointSearch::shared_states() const {
  const JointVariables& v = system_.variables();
  Bdd out;
  for (std::size_t j = 0; j < threads_.size(); ++j) {
    std::vector<BddVariable> own = v.local[j];
    if (const auto bit = system_.flow().atomic_bit) own.push_back(v.shared[*bit]);
    const Bdd hidden = system_.space().all_of(own) & system_.view(j).begin_variables;
    for (const Spot& spot : threads_[j].spots) out |= system_.space().exists(spot.reached, hidden);
  }
  return out;
}

answer::TurnFacts JointSearch::certificate() const {
  answer::TurnFacts out;
  out.rounds = closed_ ? 0 : round();
  out.variables = system_.variables().order();
  for (const ThreadPlaces& places : system_.threads()) {
    auto& stacks = out.places.emplace_back();
    for (PlaceNumber place = 1; place <= places.count(); ++place)
      stacks.push_back(places[place].stack);
  }
  solver::BddWriter writer;
  for (std::size_t j = 0; j < threads_.size(); ++j)
    for (std::size_t place = 1; place < threads_[j].spots.size(); ++place)
      if (const Bdd& facts = threads_[j].spots[place].reached; !facts.is_false())
        out.sets.push_back(
            {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(place), writer.add(facts)});
  for (const solver::BddNode& node : writer.nodes())
    out.nodes.push_back({node.variable, node.low, node.high});
  return out;
}

/// Fewest rounds need not be fewest contexts: a run that starts with the second thread and goes on
/// with the first takes two rounds and two contexts, another one may take one round and three.
///
/// Let C_k(j) be the configurations with which a run of k contexts can end whose last context is
/// thread j's. It goes on with a context of another thread, so C_{k+1}(j) are the ends of turns of
/// j that begin in some C_k(i), i ≠ j. What j has begun with before needs fewer contexts and is
/// left out. That turns end only at some places makes no difference: steps are
/// moved into earlier contexts of their thread, never into new ones.
std::optional<std::uint32_t> fewest_contexts(const JointSystem& system, std::uint32_t most,
                                             base::RunContext& context) {
  const std::size_t threads = system.threads().size();
  JointSearch search(system);
  std::vector<Bdd> begun(threads), last(threads);
  for (std::uint32_t contexts = 1; contexts < most; ++contexts) {
    std::vector<Bdd> next(threads);
    for (std::size_t j = 0; j < threads; ++j) {
      Bdd begins = contexts == 1 ? system.initial() : Bdd();
      for (std::size_t i = 0; i < threads; ++i)
        if (i != j) begins |= last[i];
      begins = begins - begun[j];
      begun[j] |= begins;
      const auto ended = search.turn(j, begins, context);
      if (!ended || search.end() == JointSearch::End::CutOff) return std::nullopt;
      if (search.end() == JointSearch::End::Failed) return contexts;
      next[j] = *ended;
    }
    last = std::move(next);
  }
  return most;
}

}  // namespace heddle::engine::context
