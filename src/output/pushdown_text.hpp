#pragma once

#include <string>

#include "answer/pushdown_evidence.hpp"
#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// An interleaving of a pushdown system, context by context, with the stack that each step leaves.
std::string pushdown_trace_text(const model::PushdownTask& task, const answer::PushdownRun& trace,
                                const TextOptions& options);

/// How many sets there are over how many shared states, and what is seen of each.
std::string pushdown_invariant_text(const model::PushdownTask& task,
                                    const answer::PushdownInvariant& invariant,
                                    const TextOptions& options);

}  // namespace heddle::output
