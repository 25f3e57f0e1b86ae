#pragma once

/// The answer to "how many threads are enough, and what do they reach?" with its evidence
/// (docs/evidence.md). In a net, thread states are (0, place) and threads are tokens together with
/// the pool (docs/engines/cutoff.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "answer/certificate.hpp"
#include "answer/context_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "answer/trace.hpp"
#include "model/boolean_program/thread_states.hpp"
#include "model/configuration.hpp"
#include "model/thread_system.hpp"

namespace heddle::answer {

/// A configuration of a witness: an initial one, or the one of an earlier node after births and a
/// step. Births put threads into counters that an initial region fills with any number of threads
/// and that no passive move leaves: they might as well have been there from the start.
struct WitnessNode {
  std::optional<std::uint32_t> parent;  ///< nothing: an initial configuration
  model::Configuration initial;         ///< if there is no parent
  model::Counts births;
  std::optional<TraceStep> step;  ///< without names; nothing: births only
  friend bool operator==(const WitnessNode&, const WitnessNode&) = default;
};

/// A thread state, the least number of threads that reach it, and the node that contains it.
struct ReachedState {
  model::ThreadState state;
  std::uint32_t threads;
  std::uint32_t witness;
  friend bool operator==(const ReachedState&, const ReachedState&) = default;
};

/// A transition, and a passive thread beside its takers, that would lead to a thread state which is
/// not reachable; and the element of the basis that shows why they never come together.
struct UnrealizableCandidate {
  model::TransitionId transition;
  std::optional<model::Counter> passive;
  model::ThreadState missing;
  std::optional<std::uint32_t> excluded_by;  ///< nothing: an invariant of the basis excludes it
  friend bool operator==(const UnrealizableCandidate&, const UnrealizableCandidate&) = default;
};

/// At least these threads, and at least `pool` threads that are no tokens, or not yet spawned.
struct PooledDemand {
  model::Configuration demand;
  std::uint32_t pool = 0;
  friend bool operator==(const PooledDemand&, const PooledDemand&) = default;
};

/// Weights of shared states, of threads in local states (tokens in places) and in the pool. No step
/// increases the sum over a configuration.
struct ThreadWeighting {
  std::vector<std::pair<model::SharedState, base::Integer>> shared;  ///< sorted; others have none
  model::Counts counters;
  base::Integer pool = 0;
  friend bool operator==(const ThreadWeighting&, const ThreadWeighting&) = default;
};

/// Why fewer than `threads` threads reach none of `states`. The minimal demands of an upward-closed
/// set that contains them, that no initial configuration with fewer threads meets, and that
/// contains with a demand all its predecessors, but those of so many threads, those that weigh more
/// than any initial configuration with fewer, and those that no number of threads covers.
struct TooFewThreads {
  std::uint32_t threads;
  std::vector<model::ThreadState> states;  ///< sorted
  std::vector<PooledDemand> minimal;
  std::vector<ThreadWeighting> weightings;
  friend bool operator==(const TooFewThreads&, const TooFewThreads&) = default;
};

/// Why a thread state of a Boolean program is not reached with `in_main` threads in main that start
/// at most `started` others: a basis of the graph that `model::boolean::bounded_target` defines. If
/// it has neither elements nor an invariant, so many threads are to be explored on its coarse
/// graph.
struct ProgramTooFew {
  std::uint32_t in_main = 0;
  std::uint32_t started = 0;
  ProgramBasis basis;
  friend bool operator==(const ProgramTooFew&, const ProgramTooFew&) = default;
};

/// The thread states of a Boolean program: a set of values for each node of the graph with calls
/// unfolded. They are exactly what `Cutoff::threads` threads reach of which one takes any edge and
/// the others those of `helpers` (model/boolean_program/thread_states.hpp), so all are reachable.
struct ProgramThreadStates {
  std::vector<DiagramNode> nodes;        ///< over the shared variables, then the local ones
  std::vector<std::uint32_t> reachable;  ///< by node of the graph
  /// The edges of each helper, sorted.
  std::vector<std::vector<model::boolean::EdgeId>> helpers;
  /// Sets of states that are unreachable, with any number of threads: nothing leads out of the
  /// thread states but steps of two threads that these sets exclude.
  std::vector<ProgramBasis> unreachable;
  /// Some thread states that fewer threads do not reach, unless no initial state has fewer.
  std::optional<model::boolean::ThreadStateTarget> last;
  std::vector<ProgramTooFew> too_few;  ///< for each way to have one thread less
  friend bool operator==(const ProgramThreadStates&, const ProgramThreadStates&) = default;
};

struct Cutoff {
  std::uint32_t threads = 0;
  std::vector<ReachedState> reachable;            ///< sorted by state
  std::vector<WitnessNode> witnesses;             ///< parents first
  std::vector<UnrealizableCandidate> candidates;  ///< sorted by transition, passive, missing
  BackwardBasis uncoverable;
  /// Ascending by threads. The last one is about the cutoff, unless no initial configuration has
  /// fewer threads. For other numbers of threads there may be none.
  std::vector<TooFewThreads> too_few;
  /// Of a Boolean program: all the rest, and the lists above are empty.
  std::optional<ProgramThreadStates> program = std::nullopt;
  friend bool operator==(const Cutoff&, const Cutoff&) = default;
};

}  // namespace heddle::answer
