#pragma once

/// What stands around the functions of the sequential program: variables with their copies, the
/// arrays of bytes, turns, threads, mutexes, and main. See frame.cpp.

#include <string>
#include <vector>

#include "transform/sequential_c/layout.hpp"

namespace heddle::transform::sequential_c {

/// A part of the text that is left out if nothing behind it mentions it.
struct Part {
  std::string name;
  std::string text;
};

/// Parts of the library in the order in which they need each other: each one needs only later ones.
std::vector<Part> memory_parts(const Environment& environment);
std::vector<Part> thread_parts(const Environment& environment);
std::vector<Part> mutex_parts(const Environment& environment);
std::vector<Part> round_parts(const Environment& environment);
std::vector<Part> variable_parts(const Environment& environment);

/// `run`, which executes a thread, and `main`.
std::string main_text(const Environment& environment);

/// A variable with a copy for each round.
struct SharedVariable {
  std::string name, type;
  unsigned width = 32;
  std::string initial;
  std::optional<std::uint64_t> most;
};
std::vector<SharedVariable> shared_variables(const Environment& environment);
/// Of a cell that is not local.
std::string cell_type(const Cell& cell);

std::string without_comments(const std::string& text);
/// Whether an identifier occurs in a text.
bool mentions(const std::string& text, const std::string& name);

}  // namespace heddle::transform::sequential_c
