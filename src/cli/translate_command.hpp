#pragma once

#include "cli/command.hpp"

namespace heddle::cli {

/// Prints the model to standard output or stores it; the exit code.
int run(const TranslateCommand& command);

}  // namespace heddle::cli
