#pragma once

#include <vector>

#include "frontend/boolean_program/tokens.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::frontend::boolean_program {

/// The most operators of the same strength in a row: they become a tree that leans to the left,
/// which is walked recursively.
inline constexpr int kLongestChain = 1000;

/// Operators by strength, weakest first: `? :`, `=>`, `|`, `^`, `&`, `=` and `!=`, `!`.
/// Throws SyntaxProblem after reporting.
model::boolean::Expression read_expression(Tokens& tokens);

/// One or more, separated by commas.
std::vector<model::boolean::Expression> read_expressions(Tokens& tokens);

}  // namespace heddle::frontend::boolean_program
