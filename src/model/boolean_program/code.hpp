#pragma once

/// The statements of one procedure in a row, with jumps in place of nesting. Private to unfold.cpp.

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
    Leave,   ///< the end of the procedure, without a statement
    Stuck    ///< a label that does not exist
  };
  Role role = Role::Plain;
  const Statement* statement = nullptr;
  const Expression* condition = nullptr;
  std::vector<std::uint32_t> next;
  bool failed = false;  ///< has the error label
  Position at;
};

struct Code {
  std::vector<Instruction> instructions;
  std::uint32_t entry = 0;
  std::unordered_map<std::string, std::uint32_t> labels;
  std::uint32_t stuck = 0;

  std::uint32_t at(const std::string& label) const;  ///< `stuck` if there is no such label
};

/// Refers to the procedure's statements, which must outlive it. Linear.
Code code_of(const Procedure& procedure);

}  // namespace heddle::model::boolean
