#pragma once

#include <string>
#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::model::boolean {

/// With as few parentheses as the grammar needs; parses to the same expression.
std::string to_string(const Expression& expression);

/// `a, b := f(x)`; of a compound statement its head: `if x`, `while x`, `atomic`. No labels.
std::string to_string(const Statement& statement);

/// As the file writes it; of a goto, the jump to the label with this number alone, since all of
/// them for each would be quadratic.
std::string written(const Statement& statement, std::size_t outcome = 0);

/// `a, b`
std::string list_of(const std::vector<std::string>& names);

}  // namespace heddle::model::boolean
