#pragma once

/// Answers about C programs, looked at by code that did not produce them. Shares only the
/// interpreter with engines.

#include <cstdint>
#include <optional>

#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check::c {

/// Executes the run with the interpreter: it must end in a violation of what is asked.
answer::CheckResult check_run(const model::CTask& task, const model::c::Run& run);
answer::CheckResult check_run(const model::c::Program& program, model::c::Property property,
                              const model::c::Run& run);

struct SafeBounds {
  /// States that are looked at. Beyond this, a plain search takes gigabytes.
  std::uint64_t states = 20'000'000;
  /// Otherwise every instruction is a step of its own: for tests of the reduction.
  bool reduces = true;
  /// Threads alive at a time; any number if there is none.
  std::optional<base::Integer> threads;
  /// Of each thread: turns in a fixed order of threads; any number if there is none.
  std::optional<base::Integer> contexts;
};

/// Explores the program a second time, with a reduction of its own (check_safe.cpp); states are
/// compared byte for byte. Refuted with what was found; not checked if there are more states than
/// the bound says, or if it matters which of more than 256 words is chosen.
answer::CheckResult check_safe(const model::c::Program& program, model::c::Property property,
                               const SafeBounds& bounds, base::RunContext& context);

}  // namespace heddle::check::c
