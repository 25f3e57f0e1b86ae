#pragma once

#include <string>

#include "answer/trace.hpp"
#include "model/counting.hpp"

namespace heddle::output::picture {

/// Longer traces are cut in the middle, wider ones at the right; the picture says so.
constexpr std::size_t kMostTraceRows = 160;
constexpr std::size_t kMostTraceLanes = 40;

/// A trace as SVG, time running downwards. Thread systems: the shared state at the left, one lane
/// per thread that does anything, a mark where it moves. Nets: one column per place that changes,
/// with its tokens. A repetition block is one box. `warning` is written into the picture if it is
/// not empty: what the checker holds against the trace.
std::string trace_svg(const model::CountingTask& task, const answer::Trace& trace,
                      const std::string& name, const std::string& warning);

}  // namespace heddle::output::picture
