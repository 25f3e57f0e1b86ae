#pragma once

/// Edits of Boolean programs for tests: where things are in a program, and whether a program that
/// has been edited is still one.

#include <functional>
#include <optional>
#include <vector>

#include "model/boolean_program/syntax.hpp"
#include "model/task.hpp"

namespace heddle::test {

using Block = std::vector<model::boolean::Statement>;

/// Every block of statements, outermost first, and every expression with all its operands.
void for_each_block(model::BooleanProgram& program,
                    const std::function<void(Block&, model::boolean::Procedure&)>& visit);
void for_each_expression(model::BooleanProgram& program,
                         const std::function<void(model::boolean::Expression&)>& visit);

/// The program as it is read after having been written; nothing if it is not well formed.
std::optional<model::BooleanProgram> reread(const model::BooleanProgram& program);

}  // namespace heddle::test
