#pragma once

#include <optional>
#include <string>

#include "model/threads/covering.hpp"
#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

/// Why threads might wait for one another for ever, or nothing if they cannot: mutexes are taken in
/// an order and given back, and one thread joins the others. The program is that of the covering,
/// with its points. See waiting.cpp.
std::optional<std::string> may_wait_for_ever(const c::Program& source, const Covering& covering,
                                             const ThreadProgram& program);

}  // namespace heddle::model::threads
