#pragma once

#include <vector>

#include "answer/trace.hpp"
#include "engine/concolic/path_search.hpp"
#include "model/counting.hpp"

namespace heddle::engine::concolic {

/// The interleaving with these stretches, from the smallest initial configuration that some region
/// allows. Costs time in what is written down, whatever the numbers of repetitions.
/// Precondition: from some initial configuration the stretches can be run and lead to a target.
answer::Trace build_trace(const model::CountingTask& task, const std::vector<Stretch>& stretches);

}  // namespace heddle::engine::concolic
