#pragma once

/// What the printers of ordinary nets share.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/condition.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

std::string joined(const std::vector<std::string>& parts, std::string_view separator);

/// Why a net with this place cannot be printed.
std::string unwritable_place(const std::string& name);

/// A name for every transition, different from each other, from the places' names and from its
/// note: its own where that is one and the format can write it, otherwise one that is made up.
std::vector<std::string> transition_names(const model::PetriNet& net,
                                          const std::function<bool(const std::string&)>& can_write);

/// A target as a conjunction of comparisons, `p >= 1 && q = 2 && (p >= q || r >= 1)`.
std::string target_text(const model::Region& target, const model::ConditionWords& words);

}  // namespace heddle::frontend::petri
