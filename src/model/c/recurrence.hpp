#pragma once

/// Loops that can be executed for ever although they never lead back to the same state.

#include <optional>
#include <span>
#include <string>

#include "model/c/interpreter.hpp"
#include "model/c/run.hpp"

namespace heddle::model::c {

/// Whether steps that can be executed from a state can be executed again and again; the reason if
/// that is not shown. Nothing is shown of fairness. Precondition: no thread is in an atomic
/// section. Costs an execution of the steps for every bit that is found to matter, at most some
/// hundreds.
std::optional<std::string> refute_recurrence(const Interpreter& interpreter, const State& begin,
                                             std::span<const RunStep> loop);

}  // namespace heddle::model::c
