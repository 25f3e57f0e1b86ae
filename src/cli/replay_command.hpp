#pragma once

#include "cli/command.hpp"
#include "driver/supervisor.hpp"

namespace heddle::cli {

/// Steps through a stored trace: by keys on a terminal, by lines of commands otherwise, or prints
/// it whole. A trace that the checker does not confirm is announced as such, first and by the exit
/// code.
int run(const ReplayCommand& command, const driver::LiftDeadline& lift_deadline);

}  // namespace heddle::cli
