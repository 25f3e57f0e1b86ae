#include "check/pushdown_replay.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::TraceBlock;
using answer::TraceStep;
using model::PushdownConfiguration;
using model::PushdownSystem;

class StackReplay {
 public:
  StackReplay(const model::Task& task, base::RunContext& context)
      : task_(task), system_(std::get<PushdownSystem>(task.model)), context_(context) {}

  CheckResult run(const answer::Trace& trace) {
    if (auto problem = start(trace.initial)) return *problem;
    for (const TraceBlock& block : trace.blocks) {
      if (block.repetitions != 1) return refuted("a block of steps with stacks is repeated");
      for (const TraceStep& step : block.body)
        if (auto problem = take(step)) return *problem;
    }
    return end();
  }

 private:
  using Problem = std::optional<CheckResult>;

  static CheckResult refuted(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

  Problem start(const model::Configuration& tops) {
    if (auto why = misfit(task_.model, tops)) return refuted("the trace starts in " + *why);
    const bool initial = std::ranges::any_of(
        task_.question.initial,
        [&](const model::Region& region) { return model::initial_region_contains(region, tops); });
    const auto stacks = model::with_tops(system_, tops);
    if (!initial || !stacks)
      return refuted("the trace starts in " + model::to_string(task_.model, tops) +
                     ", which is not an initial configuration");
    current_ = *stacks;
    return std::nullopt;
  }

  Problem take(const TraceStep& step) {
    if (const auto stop = context_.step())
      return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
    auto next = model::step(system_, current_, step.transition);
    const auto complain = [&](const std::string& why) {
      return refuted("step " + std::to_string(threads_.size() + 1) + " of the replay, rule " +
                     std::to_string(step.transition.value) + ": " + why);
    };
    if (!next) return complain(next.error());
    if (!step.flows.empty() || !step.chosen.empty())
      return complain("threads with stacks do not move others");
    const std::uint32_t thread = system_.transitions[step.transition.index()].thread;
    if (step.thread && step.thread->value != thread)
      return complain("it is a rule of another thread");
    threads_.push_back(thread);
    current_ = std::move(*next);
    return std::nullopt;
  }

  CheckResult end() const {
    const model::Configuration tops = model::visible(current_);
    const bool reached = std::ranges::any_of(
        task_.question.targets,
        [&](const model::Region& region) { return model::target_region_contains(region, tops); });
    if (!reached)
      return refuted("the trace ends in " + model::to_string(current_) + ", which is not a target");
    const std::uint64_t rounds = rounds_of(threads_);
    if (task_.question.contexts && rounds > *task_.question.contexts)
      return refuted("the trace needs " + std::to_string(rounds) + " contexts per thread");
    return {EvidenceStatus::Confirmed, "replayed " + std::to_string(threads_.size()) +
                                           (threads_.size() == 1 ? " step" : " steps") +
                                           " with stacks, in " + std::to_string(rounds) +
                                           (rounds == 1 ? " round" : " rounds")};
  }

  const model::Task& task_;
  const PushdownSystem& system_;
  base::RunContext& context_;
  PushdownConfiguration current_;
  std::vector<std::uint32_t> threads_;  ///< who made the steps so far
};

}  // namespace

/// A round ends where a thread with a smaller number follows; a later end would break the order.
std::uint64_t rounds_of(std::span<const std::uint32_t> threads) {
  std::uint64_t rounds = threads.empty() ? 0 : 1;
  for (std::size_t i = 1; i < threads.size(); ++i)
    if (threads[i] < threads[i - 1]) ++rounds;
  return rounds;
}

std::optional<std::string> misfit_of_tops(const model::Question& question) {
  const auto is_top = [](const model::CounterBound& bound) {
    return bound.upper == bound.lower &&
           (bound.lower == 0 || base::to_uint32(bound.lower - 1).has_value());
  };
  for (const auto* regions : {&question.initial, &question.targets})
    for (const model::Region& region : *regions)
      if (!std::ranges::all_of(region.bounds, is_top)) return "a range of stack symbols";
  return std::nullopt;
}

CheckResult replay_pushdown(const model::Task& task, const answer::Trace& trace,
                            base::RunContext& context) {
  return StackReplay(task, context).run(trace);
}

}  // namespace heddle::check
