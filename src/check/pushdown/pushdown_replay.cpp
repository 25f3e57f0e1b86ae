#include "check/pushdown/pushdown_replay.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::PushdownStep;
using model::PushdownConfiguration;
using model::PushdownSystem;

class StackReplay {
 public:
  StackReplay(const model::PushdownTask& task, base::RunContext& context)
      : task_(task), system_(task.model), context_(context) {}

  CheckResult run(const answer::PushdownRun& run) {
    if (auto problem = start(run.initial)) return *problem;
    for (const PushdownStep& step : run.steps)
      if (auto problem = take(step)) return *problem;
    return end();
  }

 private:
  using Problem = std::optional<CheckResult>;

  static CheckResult refuted(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

  Problem start(const model::VisibleState& first) {
    if (auto why = mismatch(system_, first)) return refuted("the trace starts in " + *why);
    const bool initial = std::ranges::any_of(
        task_.question.initial,
        [&](const model::VisibleState& state) { return model::same_initial_state(state, first); });
    const auto stacks = model::initial_configuration(system_, first);
    if (!initial || !stacks)
      return refuted("the trace starts in " + model::initial_to_string(system_, first) +
                     ", which is not an initial configuration");
    current_ = *stacks;
    return std::nullopt;
  }

  Problem take(const PushdownStep& step) {
    if (const auto stop = context_.step())
      return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
    auto next = model::step(system_, current_, step.rule);
    const auto complain = [&](const std::string& why) {
      return refuted("step " + std::to_string(threads_.size() + 1) + " of the replay, rule " +
                     std::to_string(step.rule.value) + ": " + why);
    };
    if (!next) return complain(next.error());
    const std::uint32_t thread = system_.transitions[step.rule.index()].thread;
    if (step.thread && step.thread->value != thread)
      return complain("it is a rule of another thread");
    threads_.push_back(thread);
    current_ = std::move(*next);
    return std::nullopt;
  }

  CheckResult end() const {
    const bool reached = std::ranges::any_of(
        task_.question.targets,
        [&](const model::VisibleState& target) { return model::meets(target, current_); });
    if (!reached)
      return refuted("the trace ends in " + model::to_string(current_) + ", which is not a target");
    const std::uint64_t rounds = rounds_of(threads_);
    if (task_.question.contexts && rounds > *task_.question.contexts)
      return refuted("the trace needs " + base::counted(rounds, "context") + " per thread");
    return {EvidenceStatus::Confirmed, "replayed " + base::counted(threads_.size(), "step") +
                                           " with stacks, in " + base::counted(rounds, "round")};
  }

  const model::PushdownTask& task_;
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

CheckResult replay_pushdown(const model::PushdownTask& task, const answer::PushdownRun& run,
                            base::RunContext& context) {
  return StackReplay(task, context).run(run);
}

}  // namespace heddle::check
