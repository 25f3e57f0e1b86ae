#pragma once

#include <optional>
#include <string>

#include "driver/verify.hpp"

namespace heddle::driver {

/// A witness for the competition: YAML if `path` ends in .yml or .yaml, else GraphML. Nothing if
/// the answer is not the confirmed violation of a C program.
std::optional<std::string> witness_text(const Disk& disk, const Answered& answered,
                                        const std::string& path);

}  // namespace heddle::driver
