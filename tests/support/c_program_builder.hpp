#pragma once

/// Small C programs, built by hand.

#include <string>
#include <utility>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::testing::c {

using namespace heddle::model::c;

inline Operand reg(std::uint32_t index) { return {Operand::Kind::Register, index, 0}; }
inline Operand num(std::uint64_t value) { return {Operand::Kind::Constant, 0, value}; }
inline Operand global(std::uint32_t index, std::uint64_t offset = 0) {
  return {Operand::Kind::Global, index, offset};
}
inline Operand function(std::uint32_t index) { return {Operand::Kind::Function, index, 0}; }
inline Register to(std::uint32_t index) { return Register(index); }

inline Effect load(std::uint32_t result, Operand address, std::uint8_t bytes = 4) {
  return Load{to(result), address, bytes, false};
}
inline Effect store(Operand address, Operand value, std::uint8_t bytes = 4) {
  return Store{address, value, bytes, false};
}
inline Effect binary(std::uint32_t result, Operator op, Operand a, Operand b,
                     std::uint8_t width = 32) {
  const bool compares = op >= Operator::Eq && op <= Operator::SLe;
  return Compute{to(result), op, width, static_cast<std::uint8_t>(compares ? 1 : width),
                 false,      a,  b,     {}};
}
inline Effect sync(SyncOperation operation, std::vector<Operand> arguments = {}) {
  return Synchronise{operation, std::nullopt, std::move(arguments)};
}
inline Effect sync_to(std::uint32_t result, SyncOperation operation,
                      std::vector<Operand> arguments = {}) {
  return Synchronise{operation, to(result), std::move(arguments)};
}
inline Effect branch(Operand condition, std::uint32_t if_true, std::uint32_t if_false) {
  return Branch{condition, Location(if_true), Location(if_false)};
}
inline Effect jump(std::uint32_t next) { return Jump{Location(next)}; }
inline Effect choose(std::uint32_t result, std::uint8_t width = 32) {
  return Choose{to(result), width, true, Choose::Why::Input, "input"};
}
inline Effect fail() { return Fail{Fail::Why::ErrorFunction, "reach_error"}; }
inline Effect finish() { return Exit{}; }
inline Effect ret() { return Return{}; }

/// Function 0 is the entry. Registers 0 to 15, all 64 bits wide; an instruction's line is its index
/// plus one, and its column the index of its function.
struct Built {
  Program program;

  std::uint32_t add_global(std::string name, std::uint64_t size,
                           std::vector<std::uint8_t> initial = {}) {
    Global added;
    added.name = std::move(name);
    added.size = size;
    added.initial = std::move(initial);
    program.globals.push_back(std::move(added));
    return static_cast<std::uint32_t>(program.globals.size() - 1);
  }

  std::uint32_t add_function(std::string name, std::vector<Effect> code,
                             std::uint32_t parameters = 0) {
    Function added;
    added.name = std::move(name);
    added.parameters = parameters;
    added.register_widths.assign(16, 64);
    const auto index = static_cast<std::uint32_t>(program.functions.size());
    for (Effect& effect : code) {
      const auto line = static_cast<std::uint32_t>(added.code.size() + 1);
      added.code.push_back({std::move(effect), Position{0, line, index}});
    }
    program.functions.push_back(std::move(added));
    return index;
  }
};

}  // namespace heddle::testing::c
