#pragma once

#include <expected>
#include <string>

#include "model/task.hpp"
#include "transform/first_turn.hpp"

namespace heddle::transform {

/// The reduction of context-bounded analysis to sequential analysis, as a program
/// (sequential_program.cpp): with one thread it can fail exactly if the task's program can within
/// its contexts. Precondition: the task's model is a Boolean program, it bounds the contexts. The
/// error says what has no counterpart. Linear in the program, its threads and the contexts.
std::expected<model::BooleanProgram, std::string> sequentialise_program(
    const model::ProgramTask& task, FirstTurn first = FirstTurn::First);

}  // namespace heddle::transform
