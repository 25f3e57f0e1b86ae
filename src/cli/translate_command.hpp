#pragma once

#include "cli/command.hpp"
#include "driver/supervisor.hpp"

namespace heddle::cli {

/// Prints the model to standard output or stores it; the exit code.
int run(const TranslateCommand& command, const driver::LiftDeadline& lift_deadline);

}  // namespace heddle::cli
