#include "model/pushdown_oracle.hpp"

#include <algorithm>
#include <set>

#include "base/invariant.hpp"

namespace heddle::model {

namespace {

using Configurations = std::set<PushdownConfiguration>;

/// Sets of configurations that grow context by context.
class StackExplorer {
 public:
  StackExplorer(const Task<PushdownSystem>& task, const PushdownOracleLimits& limits)
      : task_(task), system_(task.model), limits_(limits) {}

  Configurations initial() const {
    Configurations out;
    for (const VisibleState& state : task_.question.initial) {
      const auto configuration = initial_configuration(system_, state);
      HEDDLE_INVARIANT(configuration, "an initial state should be one of the system");
      out.insert(*configuration);
    }
    return out;
  }

  /// All that `thread` alone reaches from these, these included.
  Configurations context(Configurations from, std::uint32_t thread) {
    std::vector<PushdownConfiguration> work(from.begin(), from.end());
    while (!work.empty()) {
      const PushdownConfiguration at = std::move(work.back());
      work.pop_back();
      if (at.stacks[thread].size() > limits_.max_height ||
          from.size() > limits_.max_configurations) {
        left_out_ = true;
        continue;
      }
      for (std::size_t i = 0; i < system_.transitions.size(); ++i) {
        if (system_.transitions[i].thread != thread) continue;
        const auto next = step(system_, at, TransitionId(i));
        if (next && from.insert(*next).second) work.push_back(*next);
      }
    }
    return from;
  }

  bool meets_target(const Configurations& configurations) const {
    return std::ranges::any_of(configurations, [&](const PushdownConfiguration& configuration) {
      return std::ranges::any_of(task_.question.targets, [&](const VisibleState& target) {
        return meets(target, configuration);
      });
    });
  }

  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(system_.threads.size()); }
  bool left_out() const { return left_out_; }

 private:
  const Task<PushdownSystem>& task_;
  const PushdownSystem& system_;
  const PushdownOracleLimits& limits_;
  bool left_out_ = false;
};

void explore_rounds(StackExplorer& explorer, std::uint32_t most, PushdownOracleAnswer& answer) {
  Configurations now = explorer.initial();
  if (explorer.meets_target(now)) answer.rounds = 0;
  for (std::uint32_t round = 1; round <= most; ++round) {
    const std::size_t before = now.size();
    for (std::uint32_t thread = 0; thread < explorer.thread_count(); ++thread)
      now = explorer.context(std::move(now), thread);
    if (!answer.rounds && explorer.meets_target(now)) answer.rounds = round;
    if (explorer.left_out()) return;
    answer.exact_rounds = round;
    if (now.size() > before) continue;
    answer.exact = true;
    answer.exact_rounds = UINT32_MAX;
    return;
  }
}

void explore_contexts(StackExplorer& explorer, std::uint32_t most, PushdownOracleAnswer& answer) {
  Configurations now = explorer.initial();
  for (std::uint32_t contexts = 0; contexts <= most; ++contexts) {
    if (explorer.meets_target(now)) {
      answer.contexts = contexts;
      return;
    }
    Configurations next = now;
    for (std::uint32_t thread = 0; thread < explorer.thread_count(); ++thread)
      next.merge(explorer.context(now, thread));
    if (next.size() == now.size() || explorer.left_out()) return;
    now = std::move(next);
  }
}

}  // namespace

PushdownOracleAnswer ask_pushdown_oracle(const Task<PushdownSystem>& task,
                                         const PushdownOracleLimits& limits) {
  PushdownOracleAnswer answer;
  StackExplorer by_rounds(task, limits);
  explore_rounds(by_rounds, limits.max_rounds, answer);
  StackExplorer by_contexts(task, limits);
  explore_contexts(by_contexts, limits.max_rounds * by_contexts.thread_count(), answer);
  return answer;
}

}  // namespace heddle::model
