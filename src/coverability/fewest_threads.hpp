#pragma once

/// How many threads does it take to cover a demand? A backward search over demands with the pool as
/// a counter (thread_family.hpp), the smallest first.

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "coverability/invariants.hpp"
#include "coverability/pruner.hpp"
#include "coverability/thread_family.hpp"
#include "coverability/thread_weights.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

/// So many threads do and fewer do not: an interleaving.
struct CoveredBy {
  std::uint32_t threads;
  answer::Trace trace;
};

/// More than `bound` threads, or none at all. The minimal demands, pool included, of an
/// upward-closed set that contains the target, that no initial configuration with at most `bound`
/// threads meets, and that holds, with a demand, every predecessor of at most `bound` threads but
/// those that are known to be uncoverable.
struct NotCoveredWithin {
  std::vector<Demand> minimal;
  std::vector<ThreadWeighting> weightings;  ///< by which left out predecessors need more threads
};

using FewestThreadsResult = std::variant<CoveredBy, NotCoveredWithin, Stopped, Overflowed>;

/// What is known about coverable demands.
struct KnownCoverability {
  const ThreadStateRows* rows =
      nullptr;  ///< other thread states are unreachable; null: nothing known
  std::span<const model::Configuration> uncoverable;  ///< and everything above them
  Pruner* pruner = nullptr;  ///< of the task; null: none. It remembers which invariants it used
};

class FewestThreads {
 public:
  /// `task` must be monotone, `family` its thread family; both must outlive this. Targets do not
  /// matter.
  FewestThreads(const model::CountingTask& task, const ThreadFamily& family);

  /// Of those for one of the targets.
  FewestThreadsResult ask(std::span<const Demand> targets, std::uint32_t bound,
                          const KnownCoverability& known, base::RunContext& context);

 private:
  const model::CountingTask& task_;
  std::optional<std::string> overflow_;
  CounterSystem plain_;
  CounterSystem system_;  ///< with the pool
  ThreadWeights weights_;
};

}  // namespace heddle::coverability
