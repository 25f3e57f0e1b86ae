#pragma once

/// A task as the family (M_n) of its systems with n threads (papers/cutoff.txt, section 2).
///
/// What counts as a thread. In a thread system, the threads. In a net, the tokens, and beside them
/// the *pool*: threads that are no tokens now. A rule that takes more tokens than it gives sends
/// the difference to the pool, one that gives more draws from it (this is the translation of
/// papers/cutoff.txt, section 6.1, seen at its base shared states). A spawn draws its child from a
/// pool, too. So every step of every model keeps the number of threads, pool included, and "with n
/// threads" has one meaning: n in all, from the first configuration on.
///
/// Births. A local state u that an initial region fills with any number of threads is *open* if no
/// transition moves passive threads out of it. The threads that stand in u and never act change
/// nothing, so a search may leave them out and put one there when one is needed: this gives birth
/// to it. The pool is open, always. A configuration without unborn threads then stands for itself
/// and for all configurations with more threads in open states, and its size is the number of
/// threads that it needs.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coverability/counter_system.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

using CounterCount = std::pair<std::uint32_t, Count>;

/// Passive threads in `from`: each goes to one of `to`.
struct PassiveStep {
  std::uint32_t from;
  std::vector<std::uint32_t> to;
};

/// Takes, lets the others move along, gives. Takes as many as it gives.
struct FamilyTransition {
  std::uint32_t id;  ///< position in the model's list
  Control from;
  Control to;
  std::vector<CounterCount> take;  ///< sorted by counter
  std::vector<CounterCount> give;  ///< sorted by counter
  std::vector<PassiveStep> passive;
};

/// One counter of an initial region. No upper bound: any number, but births are not for it.
struct StartRange {
  std::uint32_t counter;
  Count lower;
  Count upper;  ///< kUnbounded: none
};

struct FamilyStart {
  Control control;
  std::vector<StartRange> ranges;   ///< sorted by counter; the open counters with their lower bound
  std::vector<std::uint32_t> open;  ///< sorted; the pool is one of them
};

struct ThreadFamily {
  std::uint32_t controls = 1;
  std::uint32_t counters = 0;         ///< the pool included
  std::optional<std::uint32_t> pool;  ///< the last counter, if there is a pool
  std::vector<FamilyTransition> transitions;
  std::vector<FamilyStart> starts;
  std::vector<Demand> targets;

  bool is_pool(std::uint32_t counter) const { return pool && *pool == counter; }
};

/// Why the number of threads is no measure for this model: a net that copies, multiplies, moves or
/// drops all tokens of a place; a number that does not fit. Otherwise nothing. Linear.
std::optional<std::string> why_no_family(const model::CountingModel& model);

/// Precondition: the task is monotone and nothing speaks against a family.
/// The error names the first number that does not fit a machine counter.
std::expected<ThreadFamily, std::string> thread_family(const model::CountingTask& task);

/// The same for backward searches: `system` with the pool as one more counter, if one is needed.
/// Precondition: as above, and `system` is the compiled task.
CounterSystem with_pool(CounterSystem system);

}  // namespace heddle::coverability
