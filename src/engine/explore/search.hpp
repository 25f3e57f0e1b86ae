#pragma once

/// One exploration with fixed bounds, words and order; explore.cpp says why it is right.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "engine/explore/state_table.hpp"
#include "engine/explore/stepper.hpp"

namespace heddle::engine::explore {

/// Which states are expanded first: those with few preemptions, where so many steps count as much
/// as a preemption; or those with many threads that may get stuck.
struct SearchOrder {
  std::uint32_t steps_per_preemption = 48;
  bool seeks_deadlocks = false;
};

/// Where a search ends although there are more states; others may be tried instead.
struct SearchLimits {
  std::uint64_t states = 0;
  std::optional<std::chrono::steady_clock::time_point> until;
};

/// A decision that some run comes to, and the outcomes of which are not all seen.
struct OpenDecision {
  model::c::Run run;  ///< up to the decision
  model::c::ThreadId thread;
  std::vector<std::uint64_t> addresses;  ///< at which the object that it accesses is accessed, too
};

class Search {
 public:
  Search(const model::c::Interpreter& interpreter, const Analyses& analyses, const Values& values,
         const StepperOptions& options, const SearchOrder& order, Locksets& locksets,
         base::RunContext& context)
      : interpreter_(interpreter),
        options_(options),
        order_(order),
        stepper_(interpreter, analyses, values, options, locksets),
        context_(context) {}

  /// Until all states are expanded, a violation is found, the context says stop, or a limit is
  /// reached. `on_final` is told every state in which no thread can go on.
  void run(const SearchLimits& limits, const std::function<void(const model::c::State&)>& on_final);

  bool is_exhausted() const { return is_exhausted_; }
  /// There is a cycle of states, but executing it leads to another state than the one it began in.
  bool has_inexact_cycle() const { return has_inexact_cycle_; }
  const Gaps& gaps() const { return stepper_.gaps(); }
  std::optional<base::StopReason> stop() const { return stop_; }
  std::optional<model::c::Run>& found() { return found_; }
  std::optional<model::c::Run>& warning() { return warning_; }
  /// Branches and assumptions first, then accesses to objects that are accessed elsewhere, too.
  std::vector<OpenDecision> decisions() const;
  std::uint64_t states() const { return table_.size(); }
  std::uint64_t instructions() const { return stepper_.instructions(); }

 private:
  static constexpr std::uint32_t kNoParent = ~std::uint32_t{0};
  struct Node {
    std::uint32_t parent = kNoParent;
    std::uint32_t thread = 0;
    std::uint32_t instructions = 0;
    std::uint32_t preemptions = 0;
    std::uint32_t depth = 0;
    std::uint32_t first_choice = 0;
    std::uint32_t choices = 0;
    std::uint32_t choices_before = 0;  ///< on the way to it, with its own
    std::uint32_t threads = 0;         ///< that there are in the state
  };
  /// A step between stored states. Kept if termination is asked about.
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t thread = 0;
    std::uint32_t instructions = 0;
    std::uint32_t first_choice = 0;
    std::uint32_t choices = 0;
    std::uint64_t served = 0;  ///< see Successor
  };
  struct NotedDecision {
    std::uint32_t parent;
    model::c::ThreadId thread;
    Decision decision;
  };

  bool is_done() const { return found_ || stop_ || gaps().surprise || gaps().lessons; }
  void expand(std::uint32_t number, const std::function<void(const model::c::State&)>& on_final);
  /// Whether a new state was found, so that the thread may go first; of fair runs, whether all are
  /// new.
  bool expand(std::uint32_t number, const model::c::State& state, model::c::ThreadId thread,
              bool preempts);
  bool take(Steps steps, std::uint32_t parent, model::c::ThreadId thread, bool preempts);
  void look_for_deadlock(std::uint32_t number, const model::c::State& state);
  /// A cycle in the graph of the states seen so far, as a run.
  void look_for_lasso();
  void look_for_recurrence();
  std::vector<std::uint32_t> find_cycle_of_steps() const;
  bool store(Successor& successor, std::uint32_t parent, model::c::ThreadId thread, bool preempts);
  void judge(const Finding& finding, std::uint32_t parent, model::c::ThreadId thread);
  void explore(const SearchLimits& limits,
               const std::function<void(const model::c::State&)>& on_final);
  template <class Part>
  model::c::RunStep step_of(const Part& part) const;
  model::c::Run run_to(std::uint32_t number) const;
  std::size_t priority_of(const Node& node, const model::c::State& state) const;
  void enqueue(std::uint32_t number, const model::c::State& state);
  std::optional<std::uint32_t> dequeue();

  const model::c::Interpreter& interpreter_;
  StepperOptions options_;
  SearchOrder order_;
  Stepper stepper_;
  base::RunContext& context_;
  StateTable table_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> choices_;
  std::vector<Edge> edges_;
  std::vector<NotedDecision> decisions_;
  std::vector<std::vector<std::uint32_t>> queues_;
  std::size_t first_queue_ = 0;
  bool is_exhausted_ = false;
  bool has_inexact_cycle_ = false;
  std::optional<base::StopReason> stop_;
  std::optional<model::c::Run> found_;
  std::optional<model::c::Run> warning_;
};

}  // namespace heddle::engine::explore
