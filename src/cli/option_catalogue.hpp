#pragma once

/// The option tables as plain data, for what is generated from them: manual pages and completions.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli::generation {

/// What can follow an option.
enum class ValueKind {
  None,    ///< the option is a flag
  File,    ///< names of files
  Folder,  ///< names of folders
  Words,   ///< one of a few words
  Text,    ///< anything else
};

struct OptionEntry {
  std::vector<std::string> names;  ///< with their dashes; of an argument: its placeholder
  std::string placeholder;         ///< of the value
  std::string help;                ///< one line
  std::string group;
  ValueKind kind = ValueKind::None;
  std::vector<std::string> words;  ///< of ValueKind::Words
  bool is_list = false;            ///< several of the words, separated by commas
};

struct CommandEntry {
  std::string name;
  std::string usage;        ///< without the program's name
  std::string description;  ///< one line
  std::string footer;       ///< examples and exit codes
  std::vector<OptionEntry> arguments;
  std::vector<OptionEntry> options;
};

/// The program as a whole: its own entry first, then its commands.
std::vector<CommandEntry> option_catalogue(const CLI::App& app);

}  // namespace heddle::cli::generation
