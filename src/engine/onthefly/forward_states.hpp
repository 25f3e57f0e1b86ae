#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/question.hpp"

namespace heddle::engine::onthefly {

/// The same graph, in which variables that nobody mentions start with 0. Nothing if it still has
/// very many initial states.
std::optional<model::boolean::Flow> with_few_starts(model::boolean::Flow flow, std::size_t threads);

/// A shortest run of so many threads in main in which one fails, state by state. Nothing if there
/// is none, if there are more than `most_states` states or very many initial ones, or if the
/// context says stop. Threads that do nothing are left out where `initial` allows fewer.
/// Precondition: `initial` allows so many.
std::optional<answer::ProgramRun> failing_run(const model::boolean::Flow& flow,
                                              const std::vector<model::ThreadsInMain>& initial,
                                              std::size_t threads, std::size_t most_states,
                                              base::RunContext& context);

}  // namespace heddle::engine::onthefly
