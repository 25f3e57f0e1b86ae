#pragma once

/// The constellations of known thread states that could lead to a new one (papers/cutoff.txt,
/// section 5.2).
///
/// Let K be a set of reachable thread states that contains the initial ones. If K is not all of
/// them, take a shortest run to a thread state t outside K. All thread states before its last step
/// are in K. That step is a transition whose takers stand in K; t is where it puts them, or where
/// it moves (or leaves) a passive thread that stands in K, too. So: for every transition from
/// shared state r to s all of whose takers are in K, and
///   * for every (s, g) outside K that it gives, the takers,
///   * for every passive (r, h) in K and every (s, h') outside K to which h may be moved (h itself
///     if it is not moved), the takers and one more thread in h
/// are a *candidate*, and if no candidate can be covered then K is all that is reachable
/// (Theorem 8). Conversely a candidate that can be covered shows that t is reachable.
///
/// A candidate that asks for a single thread is covered, since that thread state is reachable. So
/// in thread systems only pairs are left, the paper's triples (r, hi), (r, hj), (s, li); spawns,
/// transfers and broadcasts need no other treatment. In a net the takers are the tokens of a rule.

#include <cstdint>
#include <optional>
#include <vector>

#include "coverability/thread_family.hpp"
#include "engine/cutoff/known_states.hpp"

namespace heddle::engine::cutoff {

struct Candidate {
  std::uint32_t transition;              ///< index into ThreadFamily::transitions
  std::optional<std::uint32_t> passive;  ///< the passive thread that would reach the new state
  Control control;                       ///< the new thread state
  std::uint32_t counter;
  coverability::Demand demand;  ///< what would have to be covered
};

/// Adds to `known` what follows at once (candidates of a single thread) until nothing does, and
/// gives the candidates that are left. Linear in transitions times local states in each round.
std::vector<Candidate> candidates(const coverability::ThreadFamily& family, KnownStates& known);

/// Where a passive thread in `counter` may be after the step.
std::vector<std::uint32_t> passive_targets(const coverability::FamilyTransition& transition,
                                           std::uint32_t counter);

/// The takers without the pool, and with one more thread in `passive` if there is one.
coverability::Demand demand_of(const coverability::ThreadFamily& family,
                               const coverability::FamilyTransition& transition,
                               std::optional<std::uint32_t> passive);

}  // namespace heddle::engine::cutoff
