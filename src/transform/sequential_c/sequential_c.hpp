#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "model/c/program.hpp"
#include "model/c/violation.hpp"
#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform {

struct SequentialCOptions {
  std::uint32_t contexts = 2;           ///< of each thread: rounds; at least 1
  std::optional<std::uint32_t> unroll;  ///< rounds of each loop, and depth of recursion
  /// Whether no access of another thread conflicts with this one at the same time.
  std::function<bool(model::c::FunctionId, model::c::Location)> is_quiet = {};
};

struct SequentialC {
  std::string text;
  std::uint32_t threads = 1;  ///< at most, with the first
};

/// The properties that can be kept.
bool has_sequential_c(model::c::Property property);

/// The reduction of context-bounded analysis to sequential analysis, as a C program
/// (sequential_c.cpp): it can call `reach_error` exactly if the program can violate the property
/// within so many contexts of each thread. Linear in the program, its objects and the contexts.
/// Precondition: `has_sequential_c(property)`.
std::expected<SequentialC, sequential_c::Refusal> sequentialise(const model::c::Program& program,
                                                                model::c::Property property,
                                                                const SequentialCOptions& options);

}  // namespace heddle::transform
