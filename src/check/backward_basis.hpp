#pragma once

/// Proves that a backward basis U shows that no target can be reached.
///
/// With Inv the configurations that satisfy all of the basis's invariants, it shows:
///
///   0. elements and invariants name counters and shared states that exist;
///   1. every invariant holds initially and every step keeps it: all that is reachable is in Inv;
///   2. the least element of each target region lies in ↑U, or ↑ of it misses Inv;
///   3. no initial configuration lies in ↑U;
///   4. for every u in U such that ↑u does not miss Inv, and every transition, each minimal
///      predecessor p of ↑u lies in ↑U, or ↑p misses Inv.
///
/// That suffices. Suppose c0 → c1 → … → cn leads from an initial configuration into a target. All
/// ci are in Inv. cn is above the least element of the target's region, which does not miss Inv, so
/// cn is in ↑U. If c(i+1) is in ↑u for some u ∈ U, then ↑u does not miss Inv, ci is above a minimal
/// predecessor of ↑u, and what is above that does not miss Inv either: ci is in ↑U. Hence c0 is in
/// ↑U, against 3. (Upper bounds of targets only make the region smaller; those of guards only
/// remove steps.)
///
/// Cost: for n elements of k entries and t transitions that may serve the demand of an element, n·t
/// predecessors (more where passive threads choose or sums are demanded: then one per split), each
/// looked up in a trie; memory about 40·n·k bytes. One step of the context per element and such
/// transition, and one more for each further predecessor.

#include "answer/certificate.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

answer::CheckResult check_backward_basis(const model::Task& task,
                                         const answer::BackwardBasis& basis,
                                         base::RunContext& context);

}  // namespace heddle::check
