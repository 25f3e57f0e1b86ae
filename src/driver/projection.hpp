#pragma once

/// The error projection, by questions about failures through certain statements only.

#include <functional>

#include "answer/projection.hpp"
#include "model/task.hpp"

namespace heddle::driver {

/// A checked verdict about a task.
using Ask = std::function<answer::Verdict(const model::AnyTask&)>;

/// The kinds of models that have statements or rules to be marked.
using ProjectedKinds = base::TypeList<model::BooleanProgram, model::PushdownSystem>;

/// Which statements lie on an error trace. Every failing run names some: it must go through one
/// that no run before went through. When there is none any more, that is the proof that the
/// others lie on no error trace. Asks at most once for each statement. `first` is the verdict about
/// the task itself. Of a pushdown system, rules take the place of statements, and an error trace is
/// a run to a target. Precondition: the task is about one of ProjectedKinds.
answer::Projection project(const model::AnyTask& task, const answer::Verdict& first,
                           const Ask& ask);

}  // namespace heddle::driver
