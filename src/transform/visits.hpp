#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "model/task.hpp"

namespace heddle::transform {

/// A statement, by the line and column in which it starts.
using StatementPlace = std::pair<std::uint32_t, std::uint32_t>;

inline StatementPlace place_of(const model::boolean::Position& at) { return {at.line, at.column}; }

/// All statements of the program.
std::set<StatementPlace> statements_of(const model::BooleanProgram& program);

/// The program whose failures are those of the original that come after a step of one of the
/// statements, or in it (visits.cpp). New statements stand where those stand that they belong to.
/// Linear.
model::BooleanProgram fail_through(const model::BooleanProgram& program,
                                   const std::set<StatementPlace>& statements);

}  // namespace heddle::transform
