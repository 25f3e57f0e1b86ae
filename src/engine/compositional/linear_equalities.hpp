#pragma once

/// Linear equalities that hold whenever all threads stand at cuts. See linear_equalities.cpp.

#include <vector>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"

namespace heddle::engine::compositional {

/// Equalities over integer globals, integer locals of threads that are not replicated, and counts
/// of threads at cuts (`count_at`), some of them for thread 0 at a certain cut only. Empty if none
/// relates a variable to something else, if there are too many variables, or if the time is over.
/// Cost: polynomial in variables and steps; no solver is asked.
std::vector<term::Term> linear_equalities(const Prepared& prepared, base::RunContext& context);

}  // namespace heddle::engine::compositional
