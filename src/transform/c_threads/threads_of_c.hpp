#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "model/c/program.hpp"
#include "model/threads/covering.hpp"

namespace heddle::transform::c_threads {

/// How signed arithmetic is written. Both are right for every program.
enum class Arithmetic : std::uint8_t {
  Checked,  ///< over mathematical integers; leaving the range leads to a point of kind Overflow,
            ///< which a proof must show unreachable
  Wrapping  ///< modulo 2^width, by cases
};

struct Options {
  Arithmetic arithmetic = Arithmetic::Checked;
  std::uint32_t max_copies = 40;  ///< of one instruction, by unrolling over constants
  std::uint32_t max_places = 64;  ///< of an array that is accessed at a computed index
  std::uint32_t max_points = 200000;
  /// An attempt to take a mutex may fail although it is free (for data races: see
  /// check/c/race_freedom.cpp).
  bool try_lock_may_fail = false;
  /// Asked before each instruction: true ends the translation.
  std::function<bool()> stops = {};
};

/// What cannot be translated.
struct Refusal {
  std::string why;  ///< "recursive call of f"
  bool is_stopped = false;
  model::c::Position position;
};

/// A thread program with what its points and variables stand for.
struct Covered {
  model::threads::ThreadProgram program;
  model::threads::Covering covering;
};

/// The thread program of a C program, for the property that no `Fail` is reached. Cost: a few
/// passes over the program with its calls inlined.
std::expected<Covered, Refusal> cover(const model::c::Program& program,
                                      const Options& options = {});
/// The same, without the covering.
std::expected<model::threads::ThreadProgram, Refusal> threads_of_c(const model::c::Program& program,
                                                                   const Options& options = {});

/// Removes variables that no guard depends on, and points that cannot be reached in the graph.
void slice(model::threads::ThreadProgram& program);

}  // namespace heddle::transform::c_threads
