#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace heddle::cli {

/// Understands the arguments (without the program's name).
std::expected<Command, UsageError> parse_arguments(const std::vector<std::string>& arguments);

}  // namespace heddle::cli
