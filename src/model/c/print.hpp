#pragma once

#include <string>

#include "model/c/program.hpp"

namespace heddle::model::c {

/// The program as text: types and globals, then each function with its variables and its
/// instructions, one a line, with names of the source where a register or an address has one.
std::string print(const Program& program);

/// One function. Linear in its size.
std::string print(const Program& program, FunctionId function);

/// One instruction, without its position: `count := count + 1`, `lock(&m)`.
std::string print(const Program& program, FunctionId function, Location location);

}  // namespace heddle::model::c
