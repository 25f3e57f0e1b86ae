#pragma once

#include <variant>
#include <vector>

#include "answer/cutoff.hpp"
#include "coverability/pruner.hpp"
#include "engine/cutoff/detection.hpp"

namespace heddle::engine::cutoff {

/// Proofs that fewer threads do not reach what some number of threads reaches, after a detection
/// that ended with AllReached: one for the cutoff, unless no initial configuration has fewer
/// threads, and for the other numbers as far as they are cheap. They are relative to
/// `Detection::uncoverable` and to the invariants that `pruner` was used for.
std::variant<std::vector<answer::TooFewThreads>, coverability::Stopped, coverability::Overflowed>
too_few_threads(const model::CountingTask& task, const coverability::ThreadFamily& family,
                Detection& detection, coverability::Pruner& pruner, base::RunContext& context);

}  // namespace heddle::engine::cutoff
