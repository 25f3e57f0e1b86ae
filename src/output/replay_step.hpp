#pragma once

#include <expected>
#include <string>

#include "answer/trace.hpp"
#include "model/counting.hpp"

namespace heddle::output {

/// Bodies whose effect is not constant are run step by step, up to so many steps.
constexpr std::size_t kMostRunSteps = 100000;

using Reached = std::expected<model::Configuration, std::string>;

/// One step of a trace by the model's step function; the error says why it is impossible.
Reached fire(const model::CountingModel& model, const model::Configuration& from,
             const answer::TraceStep& step);

/// The block's body, `repetitions` times. Where every step adds a constant to the counters the
/// body is run once from each end and the rest is a multiplication; such a run is possible if its
/// first and last repetitions are (src/check/counting/replay.cpp has the proof).
Reached repeat(const model::CountingModel& model, const model::Configuration& from,
               const answer::TraceBlock& block, const base::Integer& repetitions);

}  // namespace heddle::output
