#pragma once

#include "model/c/run.hpp"

namespace heddle::engine::bounded {

/// A run to the same violation with fewer contexts where turns can be joined, and without
/// instructions at the ends of threads that it does not need. Executes the run as often as it has
/// turns, times the logarithm of its length. Precondition: the run can be executed.
model::c::Run shortened(const model::c::Interpreter& interpreter, const model::c::Run& run);

}  // namespace heddle::engine::bounded
