#include "check/counting/replay.hpp"

/// How a block with k > 1 repetitions is replayed in two passes over its body.
///
/// Let every step of the body add a constant vector to the counters (a plain move, a spawn, or net
/// updates of the form p' = p + c), and let e(j) be the sum of the first j of these vectors and E
/// the sum of all. If repetition r = 0 … k−1 starts in x + r·E, then the step j+1 of it is taken
/// in x + r·E + e(j). Whether that step is enabled is a conjunction of conditions on single
/// counters, each of the form a ≤ counter or counter ≤ b (a thread must be present, a guard must
/// hold, no place may become negative). The counter's value is an affine function of r, so on the
/// interval [0, k−1] it takes its least and its greatest value at an end: if the conditions hold
/// for r = 0 and for r = k−1 they hold for all r between. The shared state is the same at the
/// beginning of each repetition if it is the same after the first one.
///
/// So: run the body from x with the model's step function and read off E; jump to x + (k−1)·E; run
/// the body once more.

#include <algorithm>
#include <expected>
#include <optional>
#include <string>

#include "check/counting/thread_identities.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::Trace;
using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;

bool is_named(const TraceStep& step) { return step.thread || !step.chosen.empty(); }

bool has_names(const Trace& trace) {
  return std::ranges::any_of(trace.blocks, [](const TraceBlock& block) {
    return std::ranges::any_of(block.body, is_named);
  });
}

/// A transition that does not exist counts as constant: the first pass refutes it.
bool adds_a_constant(const model::CountingModel& model, model::TransitionId id) {
  return std::visit(
      [&](const auto& m) {
        return id.index() >= m.transitions.size() ||
               model::has_constant_effect(m.transitions[id.index()]);
      },
      model);
}

/// start + factor·(end − start), or nothing if a counter would be negative.
std::optional<Configuration> extrapolated(const Configuration& start, const Configuration& end,
                                          const Integer& factor) {
  Configuration result{start.shared, {}};
  const auto put = [&](model::Counter counter) {
    const Integer from = start.counts[counter];
    const Integer value = from + factor * (end.counts[counter] - from);
    if (value < 0) return false;
    result.counts.set(counter, value);
    return true;
  };
  for (const auto& entry : start.counts.entries())
    if (!put(entry.first)) return std::nullopt;
  for (const auto& entry : end.counts.entries())
    if (!put(entry.first)) return std::nullopt;
  return result;
}

std::expected<ThreadIdentities, std::string> identities_in(const model::ThreadSystem& system,
                                                           const Configuration& start) {
  return ThreadIdentities::start(system, start);
}

std::expected<ThreadIdentities, std::string> identities_in(const model::PetriNet&,
                                                           const Configuration&) {
  return std::unexpected("the trace names threads, but a Petri net has none");
}

/// One replay. Members that return a result return nothing if all is well so far.
class Replay {
 public:
  Replay(const model::CountingTask& task, const Trace& trace, base::RunContext& context)
      : task_(task), trace_(trace), context_(context), current_(trace.initial) {}

  CheckResult run() {
    if (auto problem = check_start()) return *problem;
    for (const TraceBlock& block : trace_.blocks)
      if (auto problem = run_block(block)) return *problem;
    return check_end();
  }

 private:
  using Problem = std::optional<CheckResult>;

  Problem refuted(std::string why) const {
    return CheckResult{EvidenceStatus::Refuted, std::move(why)};
  }

  Problem check_start() {
    if (auto why = mismatch(task_.model, current_)) return refuted("the trace starts in " + *why);
    const auto contains = [&](const model::Region& region) {
      return model::initial_region_contains(region, current_);
    };
    if (std::ranges::none_of(task_.question.initial, contains))
      return refuted("the trace starts in " + model::to_string(task_.model, current_) +
                     ", which is not an initial configuration");
    if (!has_names(trace_)) return std::nullopt;
    auto identities =
        std::visit([&](const auto& model) { return identities_in(model, current_); }, task_.model);
    if (!identities) return refuted(identities.error());
    identities_ = std::move(*identities);
    return std::nullopt;
  }

  CheckResult check_end() const {
    const auto contains = [&](const model::Region& region) {
      return model::target_region_contains(region, current_);
    };
    if (std::ranges::none_of(task_.question.targets, contains))
      return *refuted("the trace ends in " + model::to_string(task_.model, current_) +
                      ", which is not a target");
    return {EvidenceStatus::Confirmed, "replayed " + base::counted(steps_, "step")};
  }

  Problem run_block(const TraceBlock& block) {
    if (block.repetitions < 1)
      return refuted("a block is run " + base::to_string(block.repetitions) + " times");
    if (block.repetitions == 1) return run_body(block);
    if (std::ranges::any_of(block.body, is_named))
      return refuted("a block that is repeated names threads");
    if (identities_) identities_->forget();
    const bool constant = std::ranges::all_of(block.body, [&](const TraceStep& step) {
      return adds_a_constant(task_.model, step.transition);
    });
    return constant ? accelerate(block) : unroll(block);
  }

  Problem accelerate(const TraceBlock& block) {
    const Configuration start = current_;
    if (auto problem = run_body(block)) return problem;
    if (current_.shared != start.shared)
      return refuted("a repeated block does not return to the shared state it starts in");
    auto last = extrapolated(start, current_, block.repetitions - 1);
    if (!last)
      return refuted("a block cannot be repeated " + base::to_string(block.repetitions) +
                     " times from " + model::to_string(task_.model, start));
    current_ = std::move(*last);
    return run_body(block);
  }

  Problem unroll(const TraceBlock& block) {
    if (block.repetitions * Integer(block.body.size()) > Integer(kMostUnrolledSteps))
      return refuted("a block with a transfer, a reset or passive moves is repeated " +
                     base::to_string(block.repetitions) + " times, which is too long to replay");
    for (Integer i = 0; i < block.repetitions; ++i)
      if (auto problem = run_body(block)) return problem;
    return std::nullopt;
  }

  Problem run_body(const TraceBlock& block) {
    for (const TraceStep& step : block.body) {
      if (const auto stop = context_.step())
        return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
      ++steps_;
      auto next = fire(step);
      if (!next)
        return refuted("step " + std::to_string(steps_) + " of the replay, transition " +
                       std::to_string(step.transition.value) + ": " + next.error());
      current_ = std::move(*next);
    }
    return std::nullopt;
  }

  std::expected<Configuration, std::string> fire(const TraceStep& step) {
    auto next = model::step(task_.model, current_, step.transition, step.flows);
    if (next && identities_)
      if (auto why = identities_->follow(step)) return std::unexpected(std::move(*why));
    return next;
  }

  const model::CountingTask& task_;
  const Trace& trace_;
  base::RunContext& context_;
  Configuration current_;
  std::optional<ThreadIdentities> identities_;  ///< only if the trace has names
  std::uint64_t steps_ = 0;
};

}  // namespace

CheckResult replay(const model::CountingTask& task, const Trace& trace, base::RunContext& context) {
  return Replay(task, trace, context).run();
}

}  // namespace heddle::check
