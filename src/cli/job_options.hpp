#pragma once

/// The words of `heddle verify --slurm`.

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/option_builders.hpp"

namespace heddle::cli {

struct JobWords {
  bool slurm = false;
  Text partition, seeds;
  std::vector<std::string> sbatch;
};

void add_job_options(CLI::App* app, JobWords& words);

/// Where jobs of Slurm run, and with what: `--partition` and `--sbatch`.
void add_placement_options(CLI::App* app, Text& partition, std::vector<std::string>& sbatch,
                           const std::string& group);

/// `arguments` are those of the command line and of its settings, without the flags for Clang
/// behind them; `files` are the models among them.
std::expected<std::optional<driver::slurm::JobSettings>, UsageError> take_job_settings(
    const JobWords& words, const std::vector<std::string>& arguments,
    const std::vector<std::string>& clang_flags, const std::vector<std::string>& files);

}  // namespace heddle::cli
