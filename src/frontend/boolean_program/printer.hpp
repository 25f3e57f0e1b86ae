#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::boolean_program {

/// Only Boolean programs have a text as one.
std::optional<std::string> cannot_print(const ModelFile& file);

/// Declarations first, two blanks for each level; parses to the same program. How many threads
/// start in main, if the file says so, is a comment (question_comments.hpp).
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::boolean_program
