#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/task.hpp"

namespace heddle::test {

/// Every task that has one thing less: a transition, a passive pair, an update, a guard, a claimed
/// invariant, an initial region, a target, one thread or token of a bound, an unused last state; a
/// statement, an operator, a variable, a procedure; a context.
std::vector<model::AnyTask> one_thing_less(const model::AnyTask& task);

/// Takes things away as long as the task still fails: the result fails, and nothing more can be
/// taken from it alone. Precondition: `task` fails.
model::AnyTask shrink(model::AnyTask task,
                      const std::function<bool(const model::AnyTask&)>& still_fails);

/// The task as a file of its format, for a person to keep; its question is a comment.
std::string task_text(const model::AnyTask& task);

}  // namespace heddle::test
