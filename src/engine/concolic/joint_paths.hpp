#pragma once

#include "engine/concolic/path_search.hpp"

namespace heddle::engine::concolic {

/// The question of PathSearch as one formula, in which the path is unknown, too. The solver finds
/// out which choices conflict, so the number of paths does not matter; but it has no ranking, and
/// where there are few paths, looking at them is faster.
///
/// PathsUndecided if so many units of the solver's effort do not suffice, or the formula would be
/// too large.
PathSearchResult search_paths_jointly(const model::CountingTask& task, const Diagram& diagram,
                                      const Quotient& quotient,
                                      const coverability::ThreadStateRows& reachable,
                                      std::uint64_t most_effort, base::RunContext& context);

}  // namespace heddle::engine::concolic
