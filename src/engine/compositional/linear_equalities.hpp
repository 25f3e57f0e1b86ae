#pragma once

/// Linear equalities that hold whenever all threads stand at cuts. See linear_equalities.cpp.

#include <vector>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"

namespace heddle::engine::compositional {

/// Equalities over integer globals, integer locals of threads that are not replicated, and counts
/// of threads at cuts (`count_at`), some of them for thread 0 at a certain cut only. Empty if none
/// relates a variable to something else, if there are too many variables, or if the time is over.
/// Cost: polynomial in variables and steps; no solver is asked. With `assumes_no_wrapping` they are
/// guesses: those that would hold if no arithmetic wrapped.
std::vector<term::Term> linear_equalities(const Prepared& prepared, base::RunContext& context,
                                          bool assumes_no_wrapping = false);

/// Of these equalities, those that are preserved by all steps, together with what is known about
/// counts of threads. A query for each step, and one for each time that some are dropped. Empty if
/// the context stops or the solver gives up.
std::vector<term::Term> inductive_equalities(const Prepared& prepared,
                                             const std::vector<term::Term>& equalities,
                                             base::RunContext& context);

}  // namespace heddle::engine::compositional
