#pragma once

/// What a command is going to write, looked at before it starts.

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"

namespace heddle::driver {

/// Protects the inputs and tells before anything is run whether the outputs can be written: none of
/// them is an input, no two of them are one file, and there is a place for each. Empty names do not
/// count.
base::Parsed<void> claim_outputs(Disk& disk, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs);

}  // namespace heddle::driver
