#pragma once

/// Options about reading C programs, named as compilers name them.

#include "cli/command.hpp"
#include "cli/option_builders.hpp"

namespace heddle::cli {

/// The words, not yet understood.
struct CWords {
  std::vector<std::string> include_paths, definitions, undefinitions, forced_includes;
  std::vector<std::string> clang_flags;  ///< what stands behind `--`
  Text standard, bits, entry, unknown_functions, compile_commands;
};

void add_c_options(CLI::App* app, CWords& words);
std::optional<UsageError> take_c_options(const CWords& words, driver::QuestionOptions& question);

/// Takes off what stands behind `--`, which are flags for Clang, and spells options of compilers as
/// ours: `-std=c11`, `-include x.h`.
std::vector<std::string> without_clang_flags(const std::vector<std::string>& all,
                                             std::vector<std::string>& flags);

}  // namespace heddle::cli
