#pragma once

#include <string>
#include <unordered_map>

#include "term/term.hpp"

namespace heddle::term {

/// What to put for variables, by name. Variables that are not listed stay.
using Substitution = std::unordered_map<std::string, Term>;

/// The term with variables replaced, all at once, and rebuilt (constants are folded). Linear in the
/// number of distinct nodes.
Term substitute(const Term& term, const Substitution& substitution);

}  // namespace heddle::term
