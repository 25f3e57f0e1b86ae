#pragma once

/// What is known of a function's registers before anything is executed: where they are live, how
/// they are represented, and which of them are worth following as constants.

#include <cstdint>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::transform::c_threads {

/// Registers that an instruction reads and assigns.
std::vector<model::c::Register> registers_read(const model::c::Effect& effect);
std::vector<model::c::Register> registers_assigned(const model::c::Effect& effect);

struct FunctionFacts {
  /// live[location][register]: the value may still be read when control is there.
  std::vector<std::vector<bool>> live;
  std::vector<bool> is_signed;  ///< by register: the representation
  /// By register: it reaches an address, a callee, or an argument of a synchronising call, or it
  /// decides how often a loop creates or joins threads. Such registers are followed as constants
  /// while they are constant.
  std::vector<bool> is_followed;
};

struct RegisterFacts {
  explicit RegisterFacts(const model::c::Program& program);
  std::vector<FunctionFacts> functions;
};

}  // namespace heddle::transform::c_threads
