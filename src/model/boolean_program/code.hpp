#pragma once

/// The statements of one procedure in a row, with jumps in place of nesting. Private to
/// semantics.cpp and unfold.cpp.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::model::boolean {

struct Instruction {
  enum class Role {
    Plain,   ///< as the statement says
    Branch,  ///< next[0] if the condition holds, else next[1]
    Begin,   ///< of an atomic section
    End,     ///< of an atomic section
    Leave    ///< the end of the procedure, without a statement
  };
  Role role = Role::Plain;
  const Statement* statement = nullptr;
  const Expression* condition = nullptr;
  std::vector<std::uint32_t> next;
  bool failed = false;  ///< a thread that is here has failed
  Position at;
};

struct Code {
  std::vector<Instruction> instructions;
  std::uint32_t entry = 0;
  std::unordered_map<std::string, std::uint32_t> labels;
};

/// The code of each procedure. Refers to the program's statements, which must outlive it. Linear.
std::vector<Code> codes_of(const BooleanProgram& program);

}  // namespace heddle::model::boolean
