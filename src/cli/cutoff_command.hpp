#pragma once

#include "cli/command.hpp"
#include "driver/supervisor.hpp"

namespace heddle::cli {

int run(CutoffCommand& command, const driver::LiftDeadline& lift_deadline);

/// `heddle check` with evidence of a cutoff.
int recheck_cutoff(const CheckCommand& command);

}  // namespace heddle::cli
