#pragma once

#include "frontend/text/problems.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::frontend::boolean_program {

/// Reports what is declared twice or not at all, and calls, returns and assignments whose numbers
/// of values do not fit. A program without such problems can be unfolded.
void check_names(const model::BooleanProgram& program, text::Problems& problems);

}  // namespace heddle::frontend::boolean_program
