#pragma once

#include "model/c/program.hpp"

namespace heddle::model::c {

/// Whether some instruction may be a fault (is_fault), by a look at it alone: an access that is not
/// to a part of a global, or of a variable of the same function; a `free`; a division whose divisor
/// is not a number. Linear.
bool may_fault(const Program& program);

}  // namespace heddle::model::c
