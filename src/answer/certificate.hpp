#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "answer/context_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "answer/pushdown_evidence.hpp"
#include "answer/stack_evidence.hpp"
#include "base/integer.hpp"
#include "model/configuration.hpp"
#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::answer {

/// Σ weight·count (= or ≤) bound, in every reachable configuration, whatever the shared state.
/// Weights are non-zero and sorted by counter; they may be negative.
struct LinearInvariant {
  enum class Relation { Equal, AtMost };
  std::vector<model::WeightedPlace> weights;
  Relation relation = Relation::AtMost;
  base::Integer bound;
  friend bool operator==(const LinearInvariant&, const LinearInvariant&) = default;
};

/// Thread states that are closed under steps (an over-approximation of the reachable ones): in
/// every reachable configuration each thread is in one of them. For thread systems.
/// Sorted, no duplicates. A shared state s is reachable only if `shared` lists it.
struct ClosedThreadStates {
  std::vector<model::SharedState> shared;
  std::vector<model::ThreadState> states;
  friend bool operator==(const ClosedThreadStates&, const ClosedThreadStates&) = default;
};

/// Which places may be marked, and which of them together, in every reachable marking. A pair of a
/// place with itself means that it may hold two or more tokens. For Petri nets.
/// Sorted, no duplicates, first ≤ second in each pair.
struct ConcurrentPlaces {
  std::vector<model::PlaceId> markable;
  std::vector<std::pair<model::PlaceId, model::PlaceId>> together;
  friend bool operator==(const ConcurrentPlaces&, const ConcurrentPlaces&) = default;
};

using Invariant = std::variant<LinearInvariant, ClosedThreadStates, ConcurrentPlaces>;

/// The minimal elements of an upward-closed set that contains every target and no initial
/// configuration and that is closed under predecessors, up to configurations that violate one of
/// the invariants; the invariants hold initially and every step keeps them.
struct BackwardBasis {
  std::vector<model::Configuration> minimal;
  std::vector<Invariant> relative_to;
  friend bool operator==(const BackwardBasis&, const BackwardBasis&) = default;
};

/// For thread systems. Whatever leads to a target is a path through the quotient of the expanded
/// diagram (docs/evidence.md). That no path around the spaghetti components does is left for the
/// checker to find out by a formula of its own. `spaghetti` accounts for the others: its `minimal`
/// is the basis of an upward-closed set that contains every target at the end of such a path,
/// spares the initial configurations and is closed under predecessors along the transitions on
/// such paths, up to configurations that violate one of its invariants. Empty if there is no path
/// through a spaghetti component.
struct PathwiseProof {
  BackwardBasis spaghetti;
  friend bool operator==(const PathwiseProof&, const PathwiseProof&) = default;
};

/// A set of closed thread states is a proof of its own if no target fits into it.
using Certificate =
    std::variant<BackwardBasis, ClosedThreadStates, PathwiseProof, ProgramBasis, PushdownInvariant,
                 ContextRelations, ConfigurationSets, TurnFacts, ProgramStacks>;

}  // namespace heddle::answer
