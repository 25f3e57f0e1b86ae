#pragma once

/// Terms of steps without the cases that cannot occur. See simplify.cpp.

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"

namespace heddle::engine::compositional {

/// Decides choices in the steps (arithmetic that wraps, mostly) by their guards, by the ranges of
/// variables and by the facts. Cost: at most a few hundred small queries for each step.
void decide_choices(Prepared& prepared, const base::RunContext& context);

}  // namespace heddle::engine::compositional
