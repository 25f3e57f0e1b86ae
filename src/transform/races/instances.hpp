#pragma once

/// Copies of replicated threads, numbered in the order of their creation. See instances.cpp.

#include "model/c/program.hpp"
#include "model/threads/covering.hpp"
#include "model/threads/thread_program.hpp"

namespace heddle::transform::races {

/// Adds variables that only say what happens (model/threads/instances.hpp) to the program.
void number_instances(const model::c::Program& program, const model::threads::Covering& covering,
                      model::threads::ThreadProgram& threads);

/// What is true of two threads that run, by their numbers. `mark` is appended to the names of the
/// second one's locals.
term::Term numbers_of(const model::threads::ThreadProgram& threads,
                      model::threads::ThreadIndex first, model::threads::ThreadIndex second,
                      const std::string& mark);

}  // namespace heddle::transform::races
