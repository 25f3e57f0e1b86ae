/// The naive search under a bound on rounds, as an oracle: states with the turn in which they were
/// met, explored turn by turn. A turn is a thread's part of a round, and a state of one turn is a
/// state of the next one as well (a thread may do nothing), so the states of a turn are the closure
/// of those of the turn before under steps of its thread. Where a whole round adds nothing, further
/// ones do not either.

#include <algorithm>
#include <set>

#include "model/boolean_program/interpreter.hpp"

namespace heddle::model::boolean {

namespace {

class RoundSearch {
 public:
  RoundSearch(const Flow& flow, const RoundLimits& limits) : flow_(flow), limits_(limits) {}

  RunResult run(std::size_t threads, std::size_t rounds) {
    for (const State& state : initial_states(flow_, threads)) meet(state, found_.size(), {});
    if (found_.empty()) return std::move(result_);
    const auto count = static_cast<std::uint32_t>(found_.front().state.threads.size());
    std::size_t before = 0;
    for (std::size_t round = 0; round < rounds && !failed_ && found_.size() > before; ++round) {
      before = found_.size();
      for (std::uint32_t thread = 0; thread < count && !failed_; ++thread) close(thread);
    }
    if (failed_) tell(*failed_);
    return std::move(result_);
  }

 private:
  struct Found {
    State state;
    std::size_t parent;
    Step step;
  };

  void close(std::uint32_t thread) {
    for (std::size_t i = 0; i < found_.size() && !failed_; ++i) {
      const State state = found_[i].state;
      for_each_step(flow_, state, [&](const Step& step, const State& after) {
        if (step.thread == thread && !failed_) meet(after, i, step);
      });
    }
  }

  void meet(const State& state, std::size_t parent, const Step& step) {
    const bool deep = std::ranges::any_of(state.threads, [&](const ThreadConfiguration& thread) {
      return thread.callers.size() > limits_.max_depth;
    });
    if (deep || found_.size() >= limits_.max_states) {
      result_.exact = false;
      return;
    }
    if (!seen_.insert(state).second) return;
    found_.push_back({state, parent, step});
    if (has_failed(flow_, state)) failed_ = found_.size() - 1;
  }

  void tell(std::size_t at) {
    std::vector<Step> steps;
    for (; found_[at].parent != at; at = found_[at].parent) steps.push_back(found_[at].step);
    std::ranges::reverse(steps);
    result_.failure = std::move(steps);
    result_.initial = found_[at].state;
  }

  const Flow& flow_;
  const RoundLimits& limits_;
  std::vector<Found> found_;
  std::set<State> seen_;
  std::optional<std::size_t> failed_;
  RunResult result_;
};

}  // namespace

RunResult explore_rounds(const Flow& flow, std::size_t threads, std::size_t rounds,
                         const RoundLimits& limits) {
  return RoundSearch(flow, limits).run(threads, rounds);
}

std::size_t round_count(const std::vector<Step>& steps) {
  std::size_t rounds = steps.empty() ? 0 : 1;
  for (std::size_t i = 1; i < steps.size(); ++i) rounds += steps[i].thread < steps[i - 1].thread;
  return rounds;
}

}  // namespace heddle::model::boolean
