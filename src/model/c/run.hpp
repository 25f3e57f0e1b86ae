#pragma once

/// An execution as data: who steps, and the words that were chosen. Together with the program it
/// determines every state, so that nothing else is stored.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/c/interpreter.hpp"

namespace heddle::model::c {

/// Consecutive instructions of one thread.
struct RunStep {
  ThreadId thread;
  std::uint32_t instructions = 1;
  std::vector<std::uint64_t> choices;  ///< in the order in which the instructions ask for them
  friend bool operator==(const RunStep&, const RunStep&) = default;
};

/// From the initial state to a violation, which the last instruction makes (a failure, an invalid
/// access, an overflow), or completes (the second access of a race), or which is true of the state
/// at the end (a deadlock). A lasso ends in the state in which its loop begins, or in one that
/// differs from it in data that do not matter to the loop (recurrence.hpp), so that the loop can be
/// executed again and again.
struct Run {
  std::vector<RunStep> steps;
  Violation violation;
  std::uint32_t loop_steps = 0;  ///< of a lasso: the last so many steps are the loop
  friend bool operator==(const Run&, const Run&) = default;
};

/// Appends a step of one instruction, to the last step if that is of the same thread.
void append(Run& run, ThreadId thread, std::span<const std::uint64_t> choices);

/// What a listener is told about each instruction of a replayed run.
struct ReplayedInstruction {
  const State& before;
  const State& after;
  ThreadId thread;
  const Instruction& instruction;
  const StepResult& result;
  std::span<const std::uint64_t> choices;
};

struct Replay {
  State state;                       ///< the last one
  StepResult last;                   ///< of the last instruction
  std::optional<std::string> error;  ///< why the run cannot be executed as it is written
  std::size_t failed_step = 0;       ///< the step with the error
};

/// Executes a run. The listener costs a copy of the state for each instruction.
Replay replay(const Interpreter& interpreter, const Run& run, StepObserver* observer = nullptr,
              const std::function<void(const ReplayedInstruction&)>& listener = {});

/// Executes a run and compares its end with its violation; the reason if it is not what it claims.
/// In runs that do not end (blocked, lasso) no thread wakes by itself, except from a timed wait.
std::optional<std::string> refute(const Interpreter& interpreter, const Run& run);

}  // namespace heddle::model::c
