#pragma once

/// How runs tell violations that no instruction reports by itself.

#include <string>
#include <string_view>

#include "model/c/interpreter.hpp"
#include "model/c/run.hpp"

namespace heddle::model::c {

inline constexpr std::string_view kOverflowPhrase = "signed overflow";
inline constexpr std::string_view kDeadlockPhrase = "no thread can step";
inline constexpr std::string_view kRacePhrase = "data race";
inline constexpr std::string_view kLassoPhrase = "the loop returns to the state it began in";
inline constexpr std::string_view kRecurrencePhrase =
    "the loop returns to where it began, but for data that do not matter to it";

/// The violation that a deadlocked state is: told of the first live thread.
Violation deadlock_in(const Interpreter& interpreter, const State& state);
/// The same, as the end of a run that blocks for ever.
Violation blocked_in(const Interpreter& interpreter, const State& state);
/// The violation that a lasso is: told of the first instruction of its loop, which leads from one
/// of these states to the other.
Violation lasso_in(const Interpreter& interpreter, const State& loop_start, const State& loop_end,
                   ThreadId first);

/// What is said of a heap object that is lost, or that is allocated when the process ends.
std::string left_phrase(Violation::Kind kind, const State& state, std::uint64_t object);

/// The run up to the instruction that loses a heap object; it says so. Precondition: it loses one.
Run until_lost(const Interpreter& interpreter, const Run& run);

}  // namespace heddle::model::c
