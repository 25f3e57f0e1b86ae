#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// What is not an ordinary net with one initial marking, or a name that LoLA does not know as one.
std::optional<std::string> cannot_print_lola(const ModelFile& file);

/// The text that parses to the same net, initial marking and targets. Notes and claimed invariants
/// are left out; a transition without a name of its own gets one. Precondition: `cannot_print_lola`
/// finds no reason.
std::string print_lola(const ModelFile& file);

}  // namespace heddle::frontend::petri
