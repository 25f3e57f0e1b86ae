#pragma once

#include <string>

#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

/// A formula as a C programmer would write it, over the names of the source: `counter <= 1 &&
/// owner(lock) == 2`. Without a limit on its length.
std::string to_c_text(const ThreadProgram& program, const term::Term& formula);

}  // namespace heddle::model::threads
