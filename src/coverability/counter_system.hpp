#pragma once

/// Thread systems and Petri nets in the one form in which the backward algorithms see them: a
/// control state (the shared state), a vector of counters, and transitions described by what they
/// do to *demands*. A demand m at the target asks for configurations that cover m; the transition
/// turns it into the minimal demands p at the source, all minimal p with post(p) ≥ m.
///
/// Ordinary part. For each touched counter the transition takes `take` and gives `give`:
///     p = max(0, m − give) + take,
/// and an untouched counter is carried over, p = m. This is exact for thread moves, spawns (take 1
/// and give 1 of the spawner, give 1 of the child), weighted arcs and guards (take = give = guard).
///
/// Redistributing part. Passive moves, transfers, resets and sums: after the step, counter k holds
/// a constant plus tokens drawn from its sources. What is demanded of k beyond the constant is
/// split over the sources in every possible way. Two readings of a source that feeds two targets:
///   * Divide: each token goes to one of them (threads that choose); the splits are added.
///   * Copy: each token counts in both (x' = y, z' = y in a net); the splits are joined by max.
/// A counter whose new value is such a sum ("redistributed") keeps nothing of its own unless it is
/// one of its own sources. Guards on redistributed counters are a lower bound on p (`floor`); an
/// active thread that leaves a redistributed counter comes on top of the passive ones (`take`).
///
/// All numbers are machine words. `compile` fails with the offending part if one does not fit.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/counting.hpp"

namespace heddle::coverability {

using Control = std::uint32_t;
using Count = std::uint32_t;
constexpr Count kUnbounded = UINT32_MAX;

struct Touched {
  std::uint32_t counter;
  Count take;
  Count give;
};

struct Source {
  std::uint32_t counter;
  Count weight;
};

/// After the step, `counter` holds constant + Σ weight·source. The constant of a transfer may be
/// negative in a net (x' = y − 1).
struct Redistribution {
  std::uint32_t counter;
  std::int64_t constant;
  std::vector<Source> sources;
};

enum class Sharing { Divide, Copy };

struct Transition {
  std::uint32_t id;  ///< position in the model's list
  Control from;
  Control to;
  std::vector<Touched> touched;               ///< sorted by counter; give 0 if redistributed
  std::vector<Redistribution> redistributed;  ///< sorted by counter; empty for ordinary transitions
  Sharing sharing = Sharing::Divide;
  std::vector<std::pair<std::uint32_t, Count>> floor;  ///< sorted; on redistributed counters

  bool ordinary() const { return redistributed.empty(); }
};

/// For each counter the most that an initial configuration may hold; sorted, absent means 0.
struct InitialBox {
  Control control;
  std::vector<std::pair<std::uint32_t, Count>> upper;
};

struct Demand {
  Control control;
  std::vector<std::pair<std::uint32_t, Count>> counts;  ///< sorted, none 0
};

struct CounterSystem {
  std::uint32_t controls = 1;
  std::uint32_t counters = 0;
  std::vector<Transition> transitions;
  std::vector<InitialBox> initial;
  std::vector<Demand> targets;
};

/// Precondition: the task is monotone (no upper bounds in guards and targets).
/// The error names the first number that does not fit a machine counter.
std::expected<CounterSystem, std::string> compile(const model::CountingTask& task);

}  // namespace heddle::coverability
