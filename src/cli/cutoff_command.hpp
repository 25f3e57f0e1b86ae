#pragma once

#include "cli/command.hpp"

namespace heddle::cli {

int run(CutoffCommand& command);

/// `heddle check` with evidence of a cutoff.
int recheck_cutoff(const CheckCommand& command);

}  // namespace heddle::cli
