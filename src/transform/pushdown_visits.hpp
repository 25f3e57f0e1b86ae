#pragma once

#include <cstdint>
#include <set>

#include "model/task.hpp"

namespace heddle::transform {

/// The task that asks for runs to a target with a rule of one of the lines in them: shared state s
/// stands for itself, and s + n, where n is how many there were, for s behind such a rule. Rules
/// stay in their lines. Precondition: the model is a pushdown system. Linear.
model::Task reach_through(const model::Task& task, const std::set<std::uint32_t>& lines);

}  // namespace heddle::transform
