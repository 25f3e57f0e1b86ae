#pragma once

/// What is special about the question how many threads are enough; the line is that of verify.hpp.

#include <string>

#include "base/diagnostic.hpp"
#include "driver/show.hpp"
#include "driver/verify.hpp"

namespace heddle::driver {

/// Nets that move or drop all tokens of a place have no thread count of their own. They are
/// translated to thread systems, and the answer is about these; a warning says so, and the checker
/// shows that the system is the net. `wanted`: translate any net. Nothing happens if the question
/// is another one.
void see_as_threads(Answered& posed, bool wanted);

/// The check of claims about the task.
CheckFunction checker_for(const Answered& posed);

/// The grid of reachable thread states. The error: there is none to draw, or a program is missing.
base::Parsed<std::string> cutoff_picture(const Answered& answered, PictureFormat format);

}  // namespace heddle::driver
