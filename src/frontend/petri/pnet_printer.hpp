#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// What is not an ordinary net with one initial marking, or a name that no quotes can hold.
std::optional<std::string> cannot_print_pnet(const ModelFile& file);

/// The text that parses to the same net, initial marking and targets. Notes and claimed invariants
/// are left out; a transition without a name of its own gets one. Precondition: `cannot_print_pnet`
/// finds no reason.
std::string print_pnet(const ModelFile& file);

}  // namespace heddle::frontend::petri
