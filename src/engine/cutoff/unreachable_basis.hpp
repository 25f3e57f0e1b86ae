#pragma once

#include <vector>

#include "answer/certificate.hpp"
#include "coverability/thread_family.hpp"
#include "engine/cutoff/known_states.hpp"

namespace heddle::engine::cutoff {

/// A basis that shows that targets are unreachable, each of which has a thread state outside
/// `reachable` or is above `uncoverable`. Precondition: `reachable` is exactly that, and all its
/// candidates are above `uncoverable` or excluded by its invariants. The source file has the proof.
answer::BackwardBasis unreachable_basis(const coverability::ThreadFamily& family,
                                        const KnownStates& reachable,
                                        const answer::BackwardBasis& uncoverable,
                                        const std::vector<coverability::Demand>& targets);

}  // namespace heddle::engine::cutoff
