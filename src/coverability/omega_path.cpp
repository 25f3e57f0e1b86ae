/// From a path of ω-configurations v0 → v1 → … → vn to a run.
///
/// Pumping. Let a segment σ of the path consist of ordinary steps, lead from va to w ≥ va in the
/// same control state, and let v be w with the counters set to ω in which w exceeds va. Within σ an
/// ω stays ω. So in every counter that is finite in w, σ adds w − va ≥ 0, and σ can be taken from
/// whatever has at least what va has there; in the counters that are ω in w, σ may well take more
/// than it gives, but there may be as much as one likes of them. Hence, if all that is below w can
/// be reached (or covered), so can all that is below v: σ once more, and again. If steps of σ were
/// followed by pumping, that need not be repeated with it: it can make up in advance, the first
/// time, for all that the repetitions take. So no repetition is nested in another.
///
/// Unfolding. Go backward with the numbers of tokens that are needed, starting with the target;
/// they never exceed the vector of the path at that place. Before σ has been taken K times, each
/// counter c needs max(d − K·δ, n, n − (K−1)·δ), where d is what is needed afterwards, δ what σ
/// adds, and n what σ needs when it is taken once (its need is an affine function of the
/// repetition, greatest at the first or at the last). K is the least number that brings d − K·δ
/// down to w in each counter that pumping has set to ω. Before an ordinary step, max(d − give, 0) +
/// take is needed. A step that redistributes asks its sources for what is needed, each for no more
/// than it gives in the path.

#include "coverability/omega_path.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/invariant.hpp"
#include "coverability/omega_steps.hpp"

namespace heddle::coverability {

namespace {

using base::Integer;

/// What a segment of ordinary steps adds to a counter, and what must be there to take it once.
struct SegmentEffect {
  Integer sum = 0;
  Integer need = 0;
};
using SegmentEffects = std::map<std::uint32_t, SegmentEffect>;

Count count_in(const OmegaVector& vector, std::uint32_t counter) {
  const auto it = std::ranges::lower_bound(vector, omega_word(counter, 0));
  return it != vector.end() && counter_of(*it) == counter ? count_of(*it) : 0;
}

Integer ceiling_quotient(const Integer& a, const Integer& b) { return (a + b - 1) / b; }

class Unfolding {
 public:
  Unfolding(const model::CountingTask& task, const CounterSystem& system, const OmegaPath& path)
      : task_(task), system_(system), path_(path), needed_(system.counters) {}

  answer::Trace run() {
    collect_vectors();
    for (const auto& [counter, count] : system_.targets[path_.target].counts)
      needed_[counter] = count;
    for (std::size_t i = path_.steps.size(); i-- > 0;) {
      for (std::size_t k = path_.steps[i].pumped_from.size(); k-- > 0;) undo_pumping(i, k);
      undo_step(i);
    }
    std::ranges::reverse(blocks_);
    std::ranges::reverse(step_of_block_);
    answer::Trace trace{initial_configuration(), std::move(blocks_)};
    if (has_flows_) add_flows(trace);
    return trace;
  }

 private:
  /// Vectors of the path that are looked at when it is undone.
  struct Kept {
    OmegaVector before;                 ///< the step, if it redistributes
    std::vector<OmegaFlow> flows;       ///< of the step
    std::vector<OmegaVector> unpumped;  ///< before each of the pumpings
  };
  /// How many of the passive threads in `from` have to choose `to`.
  struct Draw {
    std::uint32_t from;
    std::uint32_t to;
    Integer count;
  };

  const Transition& transition(std::size_t step) const {
    return system_.transitions[path_.steps[step].transition];
  }

  void collect_vectors() {
    OmegaSteps steps(system_);
    std::vector<OmegaVector> vectors;  // all of the path, if any of it is pumped
    const bool has_pumping = std::ranges::any_of(
        path_.steps, [](const OmegaPathStep& step) { return !step.pumped_from.empty(); });
    OmegaVector now = initial_vector(task_.question.initial[path_.initial]);
    if (!has_pumping && std::ranges::all_of(path_.steps, [&](const OmegaPathStep& step) {
          return system_.transitions[step.transition].ordinary();
        }))
      return;
    for (std::size_t i = 0; i < path_.steps.size(); ++i) {
      const OmegaPathStep& step = path_.steps[i];
      Kept kept;
      if (has_pumping) vectors.push_back(now);
      if (!transition(i).ordinary()) kept.before = now;
      now = steps.after(now, step.transition, step.choice, &kept.flows);
      for (const std::uint32_t from : step.pumped_from) {
        kept.unpumped.push_back(now);
        pump(vectors[from], now);
      }
      if (!transition(i).ordinary() || !step.pumped_from.empty()) kept_.emplace(i, std::move(kept));
    }
  }

  /// Of the steps from number `from` to number `last`.
  SegmentEffects effects(std::size_t from, std::size_t last) const {
    SegmentEffects result;
    for (std::size_t i = from; i <= last; ++i) {
      HEDDLE_INVARIANT(transition(i).ordinary(), "a segment that is pumped should be ordinary");
      for (const Touched& x : transition(i).touched) {
        SegmentEffect& effect = result[x.counter];
        effect.need = std::max<Integer>(effect.need, Integer(x.take) - effect.sum);
        effect.sum += Integer(x.give) - Integer(x.take);
      }
    }
    return result;
  }

  void undo_pumping(std::size_t step, std::size_t which) {
    const std::uint32_t from = path_.steps[step].pumped_from[which];
    const SegmentEffects segment = effects(from, step);
    const OmegaVector& unpumped = kept_.at(step).unpumped[which];
    Integer times = 0;
    for (const auto& [counter, effect] : segment) {
      const Count present = count_in(unpumped, counter);
      if (present == kOmega || effect.sum <= 0 || needed_[counter] <= present) continue;
      times = std::max<Integer>(times,
                                ceiling_quotient(Integer(needed_[counter] - present), effect.sum));
    }
    if (times == 0) return;
    for (const auto& [counter, effect] : segment) {
      Integer& needed = needed_[counter];
      needed = std::max<Integer>(needed - times * effect.sum, effect.need);
      needed = std::max<Integer>(needed, effect.need - (times - 1) * effect.sum);
    }
    answer::TraceBlock block{times, {}};
    for (std::size_t i = from; i <= step; ++i) block.body.push_back(trace_step(i));
    step_of_block_.push_back(std::nullopt);
    blocks_.push_back(std::move(block));
  }

  answer::TraceStep trace_step(std::size_t step) const {
    return {model::TransitionId(transition(step).id), {}, std::nullopt, {}};
  }

  void undo_step(std::size_t step) {
    const Transition& t = transition(step);
    step_of_block_.push_back(step);
    blocks_.push_back({1, {trace_step(step)}});
    // A passive thread moves after the active one is gone; a copy reads the marking before the
    // step.
    if (t.sharing == Sharing::Divide) undo_redistribution(t, step);
    for (const Touched& x : t.touched)
      needed_[x.counter] =
          std::max<Integer>(needed_[x.counter] - Integer(x.give), Integer(0)) + Integer(x.take);
    if (t.sharing == Sharing::Copy) undo_redistribution(t, step);
    for (const auto& [counter, count] : t.floor)
      needed_[counter] = std::max<Integer>(needed_[counter], Integer(count));
  }

  /// What the sources must hold; what is taken from them besides comes on top.
  void undo_redistribution(const Transition& t, std::size_t step) {
    if (t.ordinary()) return;
    const Kept& kept = kept_.at(step);
    std::vector<Integer> wanted;
    for (const Redistribution& r : t.redistributed) {
      wanted.push_back(needed_[r.counter] - Integer(static_cast<long>(r.constant)));
      needed_[r.counter] = 0;
    }
    for (std::size_t i = 0; i < t.redistributed.size(); ++i)
      t.sharing == Sharing::Divide ? ask_movers(t.redistributed[i].counter, wanted[i], kept, step)
                                   : ask_copied(t.redistributed[i], wanted[i], kept);
  }

  void ask_movers(std::uint32_t to, Integer wanted, const Kept& kept, std::size_t step) {
    for (const OmegaFlow& flow : kept.flows) {
      if (flow.to != to || wanted <= 0) continue;
      const Integer here =
          flow.count == kOmega ? wanted : std::min<Integer>(wanted, Integer(flow.count));
      needed_[flow.from] += here;
      wanted -= here;
      draws_[step].push_back({flow.from, flow.to, here});
    }
    HEDDLE_INVARIANT(wanted <= 0, "passive threads should meet what the path promises");
    has_flows_ = true;
  }

  void ask_copied(const Redistribution& r, Integer wanted, const Kept& kept) {
    for (const Source& source : r.sources) {
      if (wanted <= 0) break;
      const Count present = count_in(kept.before, source.counter);
      Integer here = ceiling_quotient(wanted, Integer(source.weight));
      if (present != kOmega) here = std::min<Integer>(here, Integer(present));
      needed_[source.counter] = std::max<Integer>(needed_[source.counter], here);
      wanted -= here * Integer(source.weight);
    }
    HEDDLE_INVARIANT(wanted <= 0, "copied tokens should meet what the path promises");
  }

  model::Configuration initial_configuration() const {
    const model::Region& region = task_.question.initial[path_.initial];
    model::Configuration demand{region.shared, {}};
    for (std::uint32_t c = 0; c < system_.counters; ++c)
      if (needed_[c] > 0) demand.counts.set(model::Counter(c), needed_[c]);
    auto found = model::least_initial_covering(region, demand);
    HEDDLE_INVARIANT(found.has_value(), "a path should start in an initial region");
    return std::move(*found);
  }

  /// Runs the trace to see how many passive threads there are that nobody has asked for: they go
  /// to the first target.
  void add_flows(answer::Trace& trace) const {
    const auto& threads = std::get<model::ThreadSystem>(task_.model);
    model::Configuration now = trace.initial;
    for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
      answer::TraceBlock& block = trace.blocks[i];
      if (step_of_block_[i]) {
        const auto& t = threads.transitions[block.body[0].transition.index()];
        const auto draws = draws_.find(*step_of_block_[i]);
        block.body[0].flows = flows_from(t, now, draws == draws_.end() ? kNoDraws : draws->second);
      }
      const model::Configuration start = now;
      for (const answer::TraceStep& s : block.body) {
        auto next = model::step(threads, now, s.transition, s.flows);
        HEDDLE_INVARIANT(next.has_value(), "a step of an unfolded path should be enabled");
        now = std::move(*next);
      }
      if (block.repetitions > 1) now = *model::extrapolate(start, now, block.repetitions);
    }
  }

  static std::vector<model::PassiveFlow> flows_from(const model::ThreadTransition& t,
                                                    const model::Configuration& now,
                                                    const std::vector<Draw>& draws) {
    std::vector<model::PassiveFlow> flows;
    for (std::size_t i = 0; i < t.passive.size(); ++i) {
      const model::LocalState source = t.passive[i].from;
      if (i > 0 && t.passive[i - 1].from == source) continue;
      const auto targets = model::passive_targets(t, source);
      if (targets.size() == 1) continue;
      Integer left = now.counts[source] - (t.source.local == source ? 1 : 0);
      const std::size_t first = flows.size();
      for (const model::LocalState target : targets) {
        Integer wanted = 0;
        for (const Draw& draw : draws)
          if (draw.from == source.value && draw.to == target.value) wanted += draw.count;
        left -= wanted;
        flows.push_back({source, target, wanted});
      }
      flows[first].count += left;
    }
    return flows;
  }

  static inline const std::vector<Draw> kNoDraws;

  const model::CountingTask& task_;
  const CounterSystem& system_;
  const OmegaPath& path_;
  std::vector<Integer> needed_;
  std::map<std::size_t, Kept> kept_;                       ///< by step
  std::map<std::size_t, std::vector<Draw>> draws_;         ///< by step
  std::vector<answer::TraceBlock> blocks_;                 ///< last first
  std::vector<std::optional<std::size_t>> step_of_block_;  ///< nothing for pumping
  bool has_flows_ = false;
};

}  // namespace

void pump(const OmegaVector& before, OmegaVector& after) {
  auto at = before.begin();
  for (OmegaWord& word : after) {
    while (at != before.end() && counter_of(*at) < counter_of(word)) ++at;
    const Count old = at != before.end() && counter_of(*at) == counter_of(word) ? count_of(*at) : 0;
    if (old < count_of(word)) word = omega_word(counter_of(word), kOmega);
  }
}

answer::Trace unfold(const model::CountingTask& task, const CounterSystem& system,
                     const OmegaPath& path) {
  return Unfolding(task, system, path).run();
}

}  // namespace heddle::coverability
