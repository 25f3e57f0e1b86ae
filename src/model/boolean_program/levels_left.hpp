#pragma once

#include <cstdint>
#include <vector>

#include "model/boolean_program/code.hpp"

namespace heddle::model::boolean {

/// For each procedure: at most how many atomic sections of its callers it can end before it
/// returns, itself or by its calls. An upper bound, and no more than `most`: it walks through the
/// code without looking at variables. Linear where sections are balanced.
std::vector<std::uint32_t> levels_left(const BooleanProgram& program,
                                       const std::vector<Code>& codes, std::uint32_t most);

}  // namespace heddle::model::boolean
