#pragma once

/// Runs through given statements or rules: what projections are made of.

#include <cstdint>
#include <set>

#include "model/task.hpp"

namespace heddle::transform {

using model::boolean::place_of;
using model::boolean::StatementPlace;

/// All statements of the program.
std::set<StatementPlace> statements_of(const model::BooleanProgram& program);

/// The task that asks for runs to a target with a rule of one of the lines in them: shared state s
/// stands for itself, and s + n, where n is how many there were, for s behind such a rule. Rules
/// stay in their lines. Precondition: the model is a pushdown system. Linear.
model::PushdownTask reach_through(const model::PushdownTask& task,
                                  const std::set<std::uint32_t>& lines);

}  // namespace heddle::transform
