#pragma once

#include <string>

#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// An interleaving step by step: who moves from where to where, the line of the input file, the
/// comment that stood above it. Long traces show their two ends only, unless verbose. A trace that
/// does not replay is shown up to the step that is impossible.
std::string trace_text(const model::Task& task, const answer::Trace& trace,
                       const TextOptions& options);

}  // namespace heddle::output
