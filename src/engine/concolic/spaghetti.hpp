#pragma once

#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "engine/concolic/quotient.hpp"
#include "model/counting.hpp"

namespace heddle::engine::concolic {

/// One backward search for all spaghetti paths: from the targets at their ends, along the
/// transitions on them and no others. A trace is one of the task itself. A basis is closed under
/// these transitions only, so it speaks of runs along spaghetti paths; those of several paths
/// may share it, because it is closed under the transitions of all of them.
coverability::SearchResult search_spaghetti(const model::CountingTask& task, const Diagram& diagram,
                                            const Quotient& quotient, coverability::Pruner& pruner,
                                            coverability::SearchOrder order,
                                            base::RunContext& context);

}  // namespace heddle::engine::concolic
