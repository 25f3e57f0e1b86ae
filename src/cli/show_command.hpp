#pragma once

#include <string_view>

#include "cli/command.hpp"
#include "cli/values.hpp"
#include "driver/supervisor.hpp"

namespace heddle::cli {

/// What an output file's name asks for.
Value<driver::PictureFormat> picture_format(std::string_view file_name);

/// Draws, and writes the picture to the file or to standard output.
int run(const ShowCommand& command, const driver::LiftDeadline& lift_deadline);

}  // namespace heddle::cli
