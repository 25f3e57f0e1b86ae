#pragma once

/// What an installation holds beside the program, made from its option tables:
///
///     heddle generate FOLDER
///
/// writes a manual page for the program and for each command (heddle.1, heddle-verify.1, ...), and
/// completion for bash, zsh and fish (heddle.bash, _heddle, heddle.fish). Called when Heddle is
/// built; the help does not list it.

#include <string>
#include <vector>

#include "cli/option_catalogue.hpp"
#include "driver/disk.hpp"

namespace heddle::cli::generation {

inline constexpr const char* kGenerate = "generate";

/// All of them, in this folder.
std::vector<driver::OutputFile> generated_files(const std::vector<CommandEntry>& catalogue,
                                                const std::string& folder);

/// The page of one command; of the program as a whole if the command is the catalogue's first.
std::string manual_page(const std::vector<CommandEntry>& catalogue, const CommandEntry& command);
/// `heddle`, `heddle-verify`.
std::string page_name(const std::vector<CommandEntry>& catalogue, const CommandEntry& command);

std::string bash_completion(const std::vector<CommandEntry>& catalogue);
std::string zsh_completion(const std::vector<CommandEntry>& catalogue);
std::string fish_completion(const std::vector<CommandEntry>& catalogue);

}  // namespace heddle::cli::generation
