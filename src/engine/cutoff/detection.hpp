#pragma once

/// Algorithm 1 of papers/cutoff.txt: forward search for 1, 2, … threads (B) and backward
/// coverability of candidates (A), each ending the other's work when it has become pointless. The
/// source file tells how this differs from the paper's listing and why it is right.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "coverability/fewest_threads.hpp"
#include "coverability/forward_search.hpp"
#include "engine/cutoff/candidates.hpp"
#include "engine/cutoff/known_states.hpp"
#include "engine/cutoff/realizability.hpp"

namespace heddle::engine::cutoff {

/// Either the least number of threads for every reachable thread state, or whether a target can be
/// covered.
enum class Goal { Cutoff, Target };

/// How a thread state is reached by the fewest threads: a trace, or nothing if the forward search
/// has found it.
struct FirstReached {
  std::uint32_t threads;
  std::optional<answer::Trace> trace;
};

/// `Goal::Cutoff`: `known()` is all that is reachable, `first()` has an entry for each of them.
struct AllReached {};
struct TargetReached {
  std::optional<answer::Trace> trace;  ///< nothing: as ForwardSearch::target says
};
/// Every target has a thread state that is not in `known()`, or is in `uncoverable()`.
struct TargetUnreachable {};

using DetectionResult = std::variant<AllReached, TargetReached, TargetUnreachable,
                                     coverability::Stopped, coverability::Overflowed>;

class Detection {
 public:
  using StateMap = std::map<std::pair<Control, std::uint32_t>, FirstReached>;

  /// `task` and `family` must outlive this.
  Detection(const model::CountingTask& task, const coverability::ThreadFamily& family,
            std::vector<coverability::Demand> targets, const CutoffOptions& options, Goal goal);

  /// With a step limit in two alternating turns, so that runs can be repeated; else in two threads.
  DetectionResult run(base::RunContext& context);

  /// After `run`.
  const KnownStates& known() const { return known_; }
  const StateMap& first() const { return first_; }
  const coverability::ForwardSearch& forward() const { return forward_; }
  const answer::BackwardBasis& uncoverable() const { return realizability_.uncoverable(); }
  coverability::FewestThreads& fewest_threads() { return fewest_threads_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Stop = std::optional<base::StopReason>;

  void know_initial_states(const model::CountingQuestion& question);

  // What A and B do, one piece of work at a time. They give the reason if it could not be finished.
  Stop explore_one_level(base::RunContext& context);
  Stop argue_once(base::RunContext& context);
  Stop close(base::RunContext& context);
  static base::RunContext part_of(const base::RunContext& context, std::uint64_t steps);
  Stop ask_for_candidates(base::RunContext& context);
  Stop ask_for_one_candidate(base::RunContext& context);
  Stop count_threads(base::RunContext& context);
  Stop decide_target(base::RunContext& context);
  Stop shorten_target(base::RunContext& context);

  void publish(const coverability::FoundThreadState& state);
  void learn_from(const answer::Trace& trace, const std::vector<Candidate>& open);
  bool lacks_a_state(const coverability::Demand& target) const;
  void conclude(DetectionResult outcome);
  void conclude_if_all_counted();

  DetectionResult run_in_turns(base::RunContext& context);
  DetectionResult run_in_parallel(base::RunContext& context);
  void work_forward(base::RunContext& context);
  void work_backward(const base::RunContext& context);
  void watch(base::RunContext& context);
  void leave_statistics(base::RunContext& context) const;

  const model::CountingTask& task_;
  const coverability::ThreadFamily& family_;
  Goal goal_;
  std::vector<coverability::Demand> targets_;
  coverability::ForwardSearch forward_;
  coverability::FewestThreads fewest_threads_;
  coverability::Pruner pruner_;  ///< of A's counting
  Realizability realizability_;
  std::uint64_t questions_ = 0;  ///< that A has asked
  std::uint64_t backward_steps_ = 0;
  std::uint64_t argument_steps_;  ///< for one question about candidates
  unsigned singles_left_ = 0;     ///< candidates to ask about one by one; 0: all at once
  std::size_t next_candidate_ = 0;

  // Shared by A and B.
  std::mutex mutex_;
  std::condition_variable changed_;
  KnownStates known_;
  StateMap first_;
  std::uint32_t rounds_ = 0;    ///< complete ones
  std::uint64_t states_ = 0;    ///< found by B in complete rounds
  bool forward_ended_ = false;  ///< B has no memory left, or nothing left to do
  bool closed_ = false;         ///< known_ is all that is reachable
  bool target_is_coverable_ = false;
  std::stop_source argument_;                                  ///< stops what A is doing now
  std::optional<std::pair<Control, std::uint32_t>> counting_;  ///< A counts threads for this
  std::stop_source everything_;
  std::optional<DetectionResult> outcome_;
  std::exception_ptr failure_;
};

}  // namespace heddle::engine::cutoff
