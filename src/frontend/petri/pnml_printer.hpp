#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// What is not an ordinary net with one initial marking, or a name that XML cannot hold.
std::optional<std::string> cannot_print_pnml(const ModelFile& file);

/// The text that parses to the same net and initial marking; a transition's note becomes its name
/// beside its id. Targets and claimed invariants have no place in it. Precondition:
/// `cannot_print_pnml` finds no reason.
std::string print_pnml(const ModelFile& file);

}  // namespace heddle::frontend::petri
