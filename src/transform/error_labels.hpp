#pragma once

#include "model/boolean_program/syntax.hpp"

namespace heddle::transform {

/// The program in which a thread fails where it would *execute* a statement at whose label a thread
/// has failed: an assertion that never holds stands there instead. (A thread that is at the label
/// and cannot execute the statement has failed in the original, but not here.) Linear.
model::BooleanProgram fail_by_assertions(model::BooleanProgram program);

}  // namespace heddle::transform
