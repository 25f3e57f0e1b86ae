#pragma once

#include <cstdint>
#include <optional>

#include "answer/pushdown_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Re-proves that a union of products of regular stack languages holds the initial configurations,
/// has no target in it and is closed under steps (pushdown_invariant.cpp): under all steps, or,
/// with a bound, turn by turn for so many rounds. Linear in products times rules but for
/// inclusions of languages, which are remembered.
answer::CheckResult check_pushdown_invariant(const model::Task& task,
                                             const answer::PushdownInvariant& invariant,
                                             const std::optional<base::Integer>& rounds,
                                             base::RunContext& context);

}  // namespace heddle::check
