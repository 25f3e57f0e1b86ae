#include "cli/c_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace heddle::cli {

void add_c_options(CLI::App* app, CWords& c) {
  const std::string group = "C programs";
  add_texts(app, "-I", c.include_paths, "look for headers there, too; may be repeated", "DIR",
            group);
  add_texts(app, "-D", c.definitions, "define a macro; may be repeated", "NAME[=VALUE]", group);
  add_texts(app, "-U", c.undefinitions, "undefine a macro; may be repeated", "NAME", group);
  add_texts(app, "--include", c.forced_includes,
            "include this header first; may be repeated (-include is the same)", "FILE", group);
  add_text(app, "--std", c.standard, "the C standard (default: Clang's; -std= is the same)",
           "c11|gnu11|...", group);
  add_text(app, "-m", c.bits,
           "the width of pointers (default: what a task file beside it says, else 64)", "32|64",
           group);
  add_text(app, "--compile-commands", c.compile_commands,
           "take the options of each FILE from this database (compile_commands.json)", "JSON",
           group);
  add_text(app, "--entry", c.entry, "the function that a run begins with (default: main)", "NAME",
           group);
  add_text(app, "--unknown-functions", c.unknown_functions,
           "a function with neither body nor model returns any value, or is refused (default: any)",
           "any|refuse", group);
}

std::optional<UsageError> take_c_options(const CWords& words, driver::QuestionOptions& question) {
  frontend::c::ReadOptions& reading = question.reading;
  reading.include_paths = words.include_paths;
  reading.definitions = words.definitions;
  reading.undefinitions = words.undefinitions;
  reading.forced_includes = words.forced_includes;
  reading.standard = words.standard.value_or("");
  reading.entry = words.entry.value_or("main");
  reading.clang_flags = words.clang_flags;
  question.compile_commands = words.compile_commands;
  if (words.bits) {
    if (*words.bits != "32" && *words.bits != "64")
      return UsageError{"-m " + *words.bits + ": pointers have 32 or 64 bits", "-m32 or -m64"};
    question.pointer_bytes = *words.bits == "32" ? 4 : 8;
  }
  for (const std::string& flag : words.clang_flags)
    if (flag == "-m32" || flag == "-m64") question.pointer_bytes = flag == "-m32" ? 4 : 8;
  const std::string unknown = words.unknown_functions.value_or("any");
  if (unknown != "any" && unknown != "refuse")
    return UsageError{"--unknown-functions " + unknown + " is not known", "any or refuse"};
  reading.unknown_functions =
      unknown == "any" ? frontend::c::UnknownFunctions::Any : frontend::c::UnknownFunctions::Refuse;
  return std::nullopt;
}

std::vector<std::string> without_clang_flags(const std::vector<std::string>& all,
                                             std::vector<std::string>& flags) {
  const auto end = std::ranges::find(all, "--");
  if (end != all.end()) flags.assign(end + 1, all.end());
  std::vector<std::string> out(all.begin(), end);
  for (std::string& word : out)
    if (word.starts_with("-std=") || word == "-include") word.insert(0, 1, '-');
  return out;
}

}  // namespace heddle::cli
