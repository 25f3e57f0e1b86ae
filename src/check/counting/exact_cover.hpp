#pragma once

#include "answer/forward_cover.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// The elements of a cover without ω as configurations that stand for themselves alone
/// (exact_cover.cpp). A step of the model and a look-up per element and transition.
answer::CheckResult check_exactly(const model::CountingTask& task,
                                  const answer::ForwardCover& cover, base::RunContext& context);

}  // namespace heddle::check
