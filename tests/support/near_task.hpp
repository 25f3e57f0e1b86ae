#pragma once

/// Tasks that differ in one thing only, and perhaps in their answer.

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// The task with one change, of a kind and at a place chosen at random: a transition, a weight, a
/// guard, a rule, a statement, an expression, an initial value, an initial state, a target, the
/// bound on contexts. The result is a well-formed task of the same kind.
model::AnyTask near_task(const model::AnyTask& task, Random& random);

}  // namespace heddle::test
