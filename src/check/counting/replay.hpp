#pragma once

/// Replays a trace on the model with the model's own step function and exact integers.
///
/// Confirmed means: the first configuration is one of the question's initial ones, every step was
/// possible where it was taken, and the last configuration lies in a target. That is the
/// definition of UNSAFE, so nothing else needs proof; a step that names a transition or a thread
/// that does not exist is not possible. Upper bounds in guards are honoured, since
/// `model::step` honours them.
///
/// Cost: linear in the number of steps that are written down; a repetition block costs twice its
/// body, however often it is run. Blocks that hold transfers, resets or passive moves are run step
/// by step and refuted if that would take more than kMostUnrolledSteps. One step of the context
/// for each step that is replayed.

#include <cstdint>

#include "answer/report.hpp"
#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "model/counting.hpp"

namespace heddle::check {

constexpr std::uint64_t kMostUnrolledSteps = 100000;

answer::CheckResult replay(const model::CountingTask& task, const answer::Trace& trace,
                           base::RunContext& context);

}  // namespace heddle::check
