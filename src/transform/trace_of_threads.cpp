#include "transform/trace_of_threads.hpp"

#include <algorithm>

#include "base/invariant.hpp"

/// The net's run is replayed step by step on the thread system, which may have more threads than
/// the net has tokens: those that did not choose in time are lost in the net, not here. They take
/// the first choice, and whatever they do later the thread system's own step function works out.
///
/// A block that is repeated consists of whole steps or of choices only: Begin has no constant
/// effect, and End without Begin cannot be repeated.

namespace heddle::transform {

namespace {

using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;
using model::LocalState;
using model::PassiveFlow;
using model::ThreadTransition;
using Part = NetStepOrigin::Part;

class Replay {
 public:
  Replay(const model::ThreadSystem& system, const ThreadsAsNet& translation,
         const Configuration& initial)
      : system_(system), translation_(translation) {
    now_.shared = shared_state_of(initial);
    for (const auto& [place, count] : initial.counts.entries())
      if (place.value < translation.local_count) now_.counts.set(place, count);
    trace_.initial = now_;
  }

  void run(const TraceBlock& block) {
    TraceBlock whole{block.repetitions, {}};
    for (const TraceStep& step : block.body) {
      const NetStepOrigin& origin = translation_.origins.at(step.transition.index());
      switch (origin.part) {
        case Part::Whole: whole.body.push_back({origin.of, {}, std::nullopt, {}}); break;
        case Part::Begin: chosen_.clear(); break;
        case Part::Choose: choose(origin.choice, block.repetitions); break;
        case Part::End: whole.body.push_back({origin.of, flows(origin.of), std::nullopt, {}});
      }
      if (!whole.body.empty() && block.repetitions == 1) {
        run_whole(whole);
        whole.body.clear();
      }
    }
    if (!whole.body.empty()) run_whole(whole);
  }

  answer::Trace finish() { return std::move(trace_); }

 private:
  model::SharedState shared_state_of(const Configuration& marking) const {
    for (model::SharedState s(0u); s.value < translation_.shared_count; ++s.value)
      if (marking.counts[translation_.place_of(s)] > 0) return s;
    HEDDLE_INVARIANT(false, "a shared state should be marked initially");
    return {};
  }

  void choose(const model::PassiveMove& choice, const Integer& times) {
    const auto same = [&](const PassiveFlow& flow) {
      return flow.from == choice.from && flow.to == choice.to;
    };
    const auto it = std::ranges::find_if(chosen_, same);
    if (it != chosen_.end())
      it->count += times;
    else
      chosen_.push_back({choice.from, choice.to, times});
  }

  /// The recorded choices, completed by first choices for everybody else.
  std::vector<PassiveFlow> flows(model::TransitionId id) {
    const ThreadTransition& t = system_.transitions[id.index()];
    for (auto it = t.passive.begin(); it != t.passive.end();) {
      const LocalState source = it->from;
      const LocalState first = it->to;
      const auto next =
          std::find_if(it, t.passive.end(), [&](const auto& move) { return move.from != source; });
      if (next - it > 1) choose({source, first}, undecided(t, source));
      it = next;
    }
    return std::move(chosen_);
  }

  Integer undecided(const ThreadTransition& t, LocalState source) const {
    Integer left = now_.counts[source];
    if (t.source.local == source) --left;
    for (const PassiveFlow& flow : chosen_)
      if (flow.from == source) left -= flow.count;
    HEDDLE_INVARIANT(left >= 0, "no more threads should choose than there are");
    return left;
  }

  Configuration after_round(const TraceBlock& block) const {
    Configuration at = now_;
    for (const TraceStep& step : block.body) {
      auto after = model::step(system_, at, step.transition, step.flows);
      HEDDLE_INVARIANT(after.has_value(), "a step of the net should be one of the thread system");
      at = std::move(*after);
    }
    return at;
  }

  void run_whole(const TraceBlock& block) {
    Configuration after = after_round(block);
    if (block.repetitions > 1) {
      const Integer more = block.repetitions - 1;
      Configuration last = after;
      for (LocalState l(0u); l.value < translation_.local_count; ++l.value)
        last.counts.add(l, more * (after.counts[l] - now_.counts[l]));
      after = std::move(last);
    }
    now_ = std::move(after);
    trace_.blocks.push_back(block);
  }

  const model::ThreadSystem& system_;
  const ThreadsAsNet& translation_;
  Configuration now_;
  std::vector<PassiveFlow> chosen_;  ///< since the last Begin
  answer::Trace trace_;
};

}  // namespace

answer::Trace trace_of_threads(const model::ThreadSystem& system, const ThreadsAsNet& translation,
                               const answer::Trace& trace) {
  Replay replay(system, translation, trace.initial);
  for (const TraceBlock& block : trace.blocks) replay.run(block);
  return replay.finish();
}

}  // namespace heddle::transform
