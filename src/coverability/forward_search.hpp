#pragma once

/// The configurations of M_1, M_2, … by explicit search, one entry for each multiset of threads
/// (papers/cutoff.txt: thread B of Algorithm 1). What was found for n is the base of n + 1 and is
/// never looked at twice with the same number of births. The source file has the argument.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "coverability/state_set.hpp"
#include "coverability/thread_family.hpp"

namespace heddle::coverability {

/// A configuration that the search has found: of which group of starts, and which.
struct StateRef {
  std::uint32_t group = 0;
  StateId state = 0;
  friend auto operator<=>(const StateRef&, const StateRef&) = default;
};

/// A thread state with the least number of threads that reach it and a configuration that has it,
/// after giving birth to `births`.
struct FoundThreadState {
  Control control;
  std::uint32_t counter;
  std::uint32_t threads;
  StateRef where;
  bool is_birth;  ///< the thread itself is still to be born in `counter`
};

/// A target that is covered with this many threads, none with fewer among those found so far.
struct FoundTarget {
  std::uint32_t threads;
  StateRef where;
  std::vector<CounterCount> births;
};

/// How a configuration was reached: from `parent` by births and then the transition; or it is an
/// initial one.
struct ForwardStep {
  StateId parent;
  std::uint32_t transition;  ///< index into ThreadFamily::transitions
  std::vector<CounterCount> births;
};

struct ForwardState {
  Control control;
  std::vector<CounterCount> counts;  ///< sorted; the pool included
};

class ForwardSearch {
 public:
  /// `family` must outlive the search. Targets may be empty.
  ForwardSearch(const ThreadFamily& family, std::vector<Demand> targets);
  ~ForwardSearch();
  ForwardSearch(const ForwardSearch&) = delete;
  ForwardSearch& operator=(const ForwardSearch&) = delete;

  /// Hears of every new thread state as soon as it is found.
  using OnFound = std::function<void(const FoundThreadState&)>;

  /// Finds what one thread more can do. If stopped, the next call goes on where this one ended:
  /// nothing is lost. One step of the context is one successor. MemoryLimit: the states would need
  /// more than `byte_limit`, or a code would not fit; what is found stays.
  std::optional<base::StopReason> next_level(base::RunContext& context, const OnFound& on_found);

  void limit_bytes(std::size_t byte_limit);
  std::uint32_t level() const;   ///< all of M_level is explored
  std::uint64_t states() const;  ///< configurations found
  std::size_t bytes() const;     ///< for their storage
  bool is_exhausted() const;     ///< no number of threads will find more
  const std::vector<FoundThreadState>& found() const;
  const std::optional<FoundTarget>& target() const;

  ForwardState state(const StateRef& ref) const;
  /// Costs time in the number of transitions.
  std::optional<ForwardStep> step_to(const StateRef& ref) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace heddle::coverability
