#pragma once

#include <vector>

#include "model/c/program.hpp"

namespace heddle::model::c {

/// Where control may go from an instruction inside its function; nothing where the function, the
/// thread or the run ends.
std::vector<Location> successors(const Function& function, Location at);

}  // namespace heddle::model::c
