#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

/// The name of the shared variable that stands for atomic sections; no program can use it.
inline constexpr std::string_view kAtomicBit = "(atomic)";

/// The flow graph with a step for every statement, also for those that do nothing. `unfold` passes
/// over these.
std::expected<Flow, std::string> unfold_step_by_step(const BooleanProgram& program);

/// The graph without its silent nodes: `skip` and `goto` with one label take no step of their own.
/// Whether a thread can fail does not change; silent_nodes.cpp proves it. Linear.
Flow skip_silent_nodes(Flow flow);

}  // namespace heddle::model::boolean
