#pragma once

/// Explores the states of a C program.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::explore {

struct ExploreOptions {
  /// Threads alive at a time; grown step by step if 0.
  std::uint32_t threads = 0;
  /// Off: every instruction is a step of its own, and all threads are tried everywhere.
  bool reduces = true;
  /// Told every state in which no thread can go on.
  std::function<void(const model::c::State&)> on_final;
};

enum class ExploreVerdict : std::uint8_t { Safe, SafeUpTo, Unsafe, Unknown };

/// Why there is no answer.
enum class ExploreReason : std::uint8_t {
  None,
  Stopped,      ///< a limit of the run, or cancelled
  Values,       ///< not all values of inputs or uninitialised memory were covered
  Unsupported,  ///< the program reaches something that the model does not have
  Undefined,    ///< termination is asked about, and behaviour that C does not define is reached
  Threads,      ///< termination is asked about, and more threads than the bound may be alive
  Inexact,      ///< states repeat, but not exactly
  Section       ///< an atomic section is too long
};

struct ExploreResult {
  ExploreVerdict verdict = ExploreVerdict::Unknown;
  ExploreReason reason = ExploreReason::None;
  std::string why;                       ///< in words
  std::optional<base::StopReason> stop;  ///< for Stopped
  std::uint32_t threads = 0;             ///< the bound of SafeUpTo
  std::optional<model::c::Run> run;      ///< of Unsafe
  /// The first run that ends in something bad that the property does not ask for.
  std::optional<model::c::Run> warning;
  std::uint64_t states = 0;
  std::uint64_t instructions = 0;
};

/// Decides whether any execution violates the property. Reads the clock through the context.
ExploreResult explore(const model::c::Program& program, model::c::Property property,
                      const ExploreOptions& options, base::RunContext& context);

}  // namespace heddle::engine::explore
