#pragma once

#include "check/c/covering.hpp"

namespace heddle::check::c {

/// Adds the numbers of copies of replicated threads (model/threads/instances.hpp) to a program that
/// was derived from a covering. See race_instances.cpp.
void count_copies(const model::c::Program& program, const model::threads::Covering& covering,
                  CoveredAccesses& derived);

/// What holds of these numbers when a copy of the thread runs. `mark` ends its number's name.
term::Term number_is_current(model::threads::ThreadIndex thread, const std::string& mark);

}  // namespace heddle::check::c
