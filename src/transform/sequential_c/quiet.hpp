#pragma once

/// Accesses before which no turn needs to end.

#include <set>
#include <utility>

#include "base/run_context.hpp"
#include "model/c/program.hpp"

namespace heddle::transform::sequential_c {

using QuietAccesses = std::set<std::pair<model::c::FunctionId, model::c::Location>>;

/// Loads and stores that never conflict with what another thread is about to do: what a mutex
/// protects, what comes before other threads are created or after they are joined, what other
/// threads do not use. Empty if the program is too much for the analysis, or if the context says
/// that it must end.
QuietAccesses quiet_accesses(const model::c::Program& program, base::RunContext& context);

}  // namespace heddle::transform::sequential_c
