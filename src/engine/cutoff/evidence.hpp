#pragma once

#include <variant>

#include "answer/cutoff.hpp"
#include "engine/cutoff/detection.hpp"

namespace heddle::engine::cutoff {

/// The answer with all its evidence, after a detection that ended with AllReached. What remains to
/// be found is a proof that fewer threads are not enough.
std::variant<answer::Cutoff, coverability::Stopped, coverability::Overflowed> cutoff_evidence(
    const model::CountingTask& task, const coverability::ThreadFamily& family, Detection& detection,
    const CutoffOptions& options, base::RunContext& context);

}  // namespace heddle::engine::cutoff
