#pragma once

/// From the arguments to a command, and what each command does; `run` gives the exit code.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/values.hpp"
#include "driver/supervisor.hpp"

namespace heddle::cli {

/// Understands the arguments (without the program's name).
std::expected<Command, UsageError> parse_arguments(const std::vector<std::string>& arguments);

/// Steps through a stored trace: by keys on a terminal, by lines of commands otherwise, or prints
/// it whole. A trace that the checker does not confirm is announced as such, first and by the exit
/// code.
int run(const ReplayCommand& command, const driver::WorkerLink& worker);

/// Draws, and writes the picture to the file or to standard output.
int run(const ShowCommand& command, const driver::WorkerLink& worker);
/// The format that an output file's name asks for.
Value<driver::PictureFormat> picture_format(std::string_view file_name);

/// Prints the model to standard output or stores it.
int run(const TranslateCommand& command, const driver::WorkerLink& worker);

/// All engines, or details of the one of that name, which must exist.
std::string engines_text(const std::optional<std::string>& name);
std::string engines_json(const std::optional<std::string>& name);

std::string formats_text();
std::string formats_json();

}  // namespace heddle::cli
