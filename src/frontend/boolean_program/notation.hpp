#pragma once

/// Questions about Boolean programs: the property is in the program, and its threads start in main.

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::boolean_program {

/// Nothing but a message: the assertions of the program are its target.
base::Parsed<std::vector<model::Region>> parse_targets(const SourceText& source);

/// `3` or `any`: how many threads start in main.
base::Parsed<std::vector<model::Region>> parse_initial(const SourceText& source);

/// Its inverse.
std::string print_initial(const model::Region& region);

/// One thread in main.
std::vector<model::Region> default_initial();

}  // namespace heddle::frontend::boolean_program
