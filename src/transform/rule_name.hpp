#pragma once

#include <cstddef>
#include <string>

#include "model/petri_net.hpp"

namespace heddle::transform {

/// How messages call a rule of a net: "rule 2 'take' (line 12)".
std::string rule_name(const model::PetriTransition& rule, std::size_t index);

}  // namespace heddle::transform
