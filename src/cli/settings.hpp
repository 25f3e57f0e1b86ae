#pragma once

/// Defaults of a project: `heddle.json`, in the current folder or the nearest one above it.
///
///     { "timeout": "1m", "I": ["include"], "verify": { "engine": "explore" } }
///
/// A key is an option without its dashes, and then a default of every command that has it, or a
/// command with an object of options of its own, which come first. What the command line says
/// counts more. Paths of -I, --include and --compile-commands are relative to the file's folder.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/option_builders.hpp"
#include "cli/values.hpp"

namespace heddle::cli {

/// What came from where, to be told to the user; empty names: nothing.
struct TakenSettings {
  std::string file;
  std::vector<std::string> names;
  std::vector<std::string> words;  ///< as the command line would have them
};

/// Sets the options of the command that was chosen and that the command line leaves open.
/// `choice` is the value of --settings: a file, `none`, or nothing to look for one. A file may name
/// options of any command: `all_commands` is called if there is one, and has them all.
Value<TakenSettings> take_settings(const std::function<const CLI::App&()>& all_commands,
                                   CLI::App& command, const Text& choice);

}  // namespace heddle::cli
