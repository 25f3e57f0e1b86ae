#pragma once

/// Thread systems: any number of copies of one finite program over shared and local states
/// (papers/cutr.txt section 2; the file format is in docs/formats/thread-system.md).
///
/// A configuration is a shared state and, for each local state, how many threads are there.
/// A transition with source (s, l) and target (s', l') is enabled in shared state s and makes it
/// s':
///
///  * Move: one thread in l, the active one, goes to l'. Then every *other* thread is passive: a
///    thread in the source of a passive move goes to one of that source's targets, each thread
///    choosing for itself where there are several; a thread elsewhere stays.
///  * Spawn: a thread must be in l and stays there; a new thread starts in l'.
///  * Transfer: there is no active thread; all threads in l go to l'. Enabled even if l is empty.
///
/// Every kind is monotone with respect to `Configuration::covers`: more threads never disable a
/// transition, and the extra threads can be carried along.

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "model/configuration.hpp"
#include "model/kind.hpp"

namespace heddle::model {

using LocalState = Counter;

struct ThreadState {
  SharedState shared;
  LocalState local;
  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

enum class StepKind { Move, Spawn, Transfer };

struct PassiveMove {
  LocalState from;
  LocalState to;
  friend auto operator<=>(const PassiveMove&, const PassiveMove&) = default;
};

struct ThreadTransition {
  StepKind kind = StepKind::Move;
  ThreadState source;
  ThreadState target;
  std::vector<PassiveMove> passive;  ///< of a Move only; sorted, no duplicates
  std::string note;                  ///< the comment lines above it in the file, without '#'
  std::uint32_t line = 0;            ///< in the input file, 0 if there is none

  /// Does it change the counters by the same amounts wherever it is taken? (No passive thread
  /// moves.)
  bool has_constant_effect() const { return kind != StepKind::Transfer && passive.empty(); }

  /// Same effect; notes and lines do not count.
  bool same_step(const ThreadTransition& other) const {
    return kind == other.kind && source == other.source && target == other.target &&
           passive == other.passive;
  }
};

struct ThreadSystem {
  std::uint32_t shared_count = 1;
  std::uint32_t local_count = 1;
  std::vector<ThreadTransition> transitions;
  /// Names from the file's comments, by state; empty vector or empty string: only the number.
  std::vector<std::string> shared_names;
  std::vector<std::string> local_names;
};

template <>
struct Kind<ThreadSystem> {
  using Question = CountingQuestion;
  using Initial = Region;
  using Target = Region;
  static constexpr std::string_view kName = "thread system";
};

/// `s|l,l/l`: the threads that are there, and those of which there may be any number.
std::string initial_to_string(const ThreadSystem& system, const Region& region);
/// `s|l,l`
std::string target_to_string(const ThreadSystem& system, const Region& region);
/// `s|l,l,l`; a count above 4 is written `l^17`.
std::string to_string(const ThreadSystem& system, const Configuration& configuration);

/// `12` or, with a name from the file, `12 (m=0 ts=1)`.
std::string shared_name(const ThreadSystem& system, SharedState shared);
std::string counter_name(const ThreadSystem& system, LocalState local);

/// How many of the passive threads in `from` choose `to`. Needed only for sources with several
/// targets; a source with a single target moves as a whole.
struct PassiveFlow {
  LocalState from;
  LocalState to;
  base::Integer count;
  friend bool operator==(const PassiveFlow&, const PassiveFlow&) = default;
};

/// The targets that a passive thread in `local` may go to: the listed ones, or `local` itself.
std::vector<LocalState> passive_targets(const ThreadTransition& transition, LocalState local);

/// Fires a transition. `flows` says how many threads of a source with several targets choose which
/// (every thread of such a source must be accounted for; flows of other sources may be left out,
/// but must be right if given). The error says why the step is impossible.
std::expected<Configuration, std::string> step(const ThreadSystem& system,
                                               const Configuration& from, TransitionId transition,
                                               const std::vector<PassiveFlow>& flows);

/// Every choice of flows for which `step` succeeds from this configuration; none if disabled.
/// Exponential in the number of threads that choose: for oracles on small configurations.
void for_each_flow(const ThreadSystem& system, const Configuration& from, TransitionId transition,
                   const std::function<void(const std::vector<PassiveFlow>&)>& visit);

}  // namespace heddle::model
