#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// A model that is not a net, a place whose name is not one of the format's, or several initial
/// regions.
std::optional<std::string> cannot_print_spec(const ModelFile& file);

/// The text that parses to the same net, initial region, targets and claimed invariants; notes
/// become comments above their rule, and so do the names of transitions, for which the format has
/// no place. Precondition: `cannot_print_spec` finds no reason.
std::string print_spec(const ModelFile& file);

}  // namespace heddle::frontend::petri
