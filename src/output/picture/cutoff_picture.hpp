#pragma once

#include <string>

#include "answer/cutoff.hpp"
#include "model/counting.hpp"

namespace heddle::output::picture {

/// The reachable thread states as a grid of shared × local states; each cell has the number of
/// threads that first reaches it. Shared and local states with nothing reachable are left out.
std::string cutoff_svg(const model::CountingTask& task, const answer::Cutoff& cutoff,
                       const std::string& name);

}  // namespace heddle::output::picture
