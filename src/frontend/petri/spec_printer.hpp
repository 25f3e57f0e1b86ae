#pragma once

#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// The text that parses to the same net, initial region, targets and claimed invariants; notes
/// become comments above their rule, and so do the names of transitions, for which the format has
/// no place. Preconditions: the model is a net, its places have names that the format can write,
/// and there is at most one initial region.
std::string print_spec(const ModelFile& file);

}  // namespace heddle::frontend::petri
