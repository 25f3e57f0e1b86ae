#pragma once

#include "coverability/pruner.hpp"
#include "model/task.hpp"

namespace heddle::coverability {

/// The invariants of the model that backward searches prune with; none if they are not wanted.
Pruner find_invariants(const model::Task& task, bool wanted);

/// The same, and those of a net that a search finds it needs. `task` must outlive the pruner.
Pruner find_and_learn_invariants(const model::Task& task, bool wanted);

}  // namespace heddle::coverability
