#include "cli/job_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "driver/stored_outputs.hpp"

namespace heddle::cli {

namespace {

constexpr std::uint64_t kMostSeeds = 1000;

/// Options that are not for the jobs: those of ours, what a job is given by us, and what is printed
/// or stored in the end.
bool has_value_and_is_ours(const std::string& name) {
  static const std::vector<std::string> kOurs{"--partition", "--sbatch", "--seeds", "--engine",
                                              "--color",     "--jobs",   "--seed",  "--settings"};
  return std::ranges::count(kOurs, name) > 0 ||
         std::ranges::any_of(driver::output_table(), [&](const driver::OutputRow& row) {
           return name == "--" + std::string(row.name);
         });
}

bool is_flag_of_ours(const std::string& name) {
  static const std::vector<std::string> kOurs{"--slurm",   "--json", "--quiet", "-q",
                                              "--verbose", "-v",     "--svcomp"};
  return std::ranges::count(kOurs, name) > 0;
}

/// What the jobs are told: the files, the question, the limits, engines' options. Defaults of
/// heddle.json are among the arguments; a job that read them again would submit jobs, or store what
/// is ours to store.
std::vector<std::string> words_for_jobs(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& clang_flags) {
  std::vector<std::string> out{"--settings=none"};
  bool is_command = true;  // the first word, `verify`
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (std::exchange(is_command, false) || is_flag_of_ours(word)) continue;
    const std::size_t equals = word.find('=');
    if (!has_value_and_is_ours(word.substr(0, equals)))
      out.push_back(word);
    else if (equals == std::string::npos)
      ++i;
  }
  if (!clang_flags.empty()) out.emplace_back("--");
  out.insert(out.end(), clang_flags.begin(), clang_flags.end());
  return out;
}

}  // namespace

void add_placement_options(CLI::App* app, Text& partition, std::vector<std::string>& sbatch,
                           const std::string& group) {
  add_text(app, "--partition", partition, "with --slurm, where (default: Slurm's)", "NAME", group);
  app->add_option("--sbatch", sbatch,
                  "with --slurm, a further option of sbatch, as in --sbatch=--account=x; "
                  "may be repeated")
      ->type_name("OPTION")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
}

void add_job_options(CLI::App* app, JobWords& words) {
  const std::string group = "Many machines";
  app->add_flag("--slurm", words.slurm,
                "each engine as a job of Slurm, also with few contexts or threads; the "
                "first confirmed answer cancels the rest")
      ->group(group);
  add_text(app, "--seeds", words.seeds, "with --slurm, each engine with so many seeds (default: 1)",
           "N", group);
  add_placement_options(app, words.partition, words.sbatch, group);
}

std::expected<std::optional<driver::slurm::JobSettings>, UsageError> take_job_settings(
    const JobWords& words, const std::vector<std::string>& arguments,
    const std::vector<std::string>& clang_flags, const std::vector<std::string>& files) {
  driver::slurm::JobSettings settings;
  std::optional<std::uint64_t> seeds;
  auto error = take_number("--seeds", words.seeds, seeds, 1, kMostSeeds);
  if (!error && !words.slurm && (words.partition || words.seeds || !words.sbatch.empty()))
    error = UsageError{"--partition, --seeds and --sbatch are about jobs of Slurm", "add --slurm"};
  if (!error && words.slurm && std::ranges::count(files, "-") > 0)
    error = UsageError{"jobs cannot read standard input", "store the model in a file"};
  if (error) return std::unexpected(std::move(*error));
  if (!words.slurm) return std::nullopt;
  std::error_code ignored;
  settings.program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  settings.words = words_for_jobs(arguments, clang_flags);
  settings.folder = std::filesystem::current_path(ignored).string();
  settings.partition = words.partition.value_or("");
  settings.sbatch = words.sbatch;
  settings.seeds = static_cast<unsigned>(seeds.value_or(1));
  return settings;
}

}  // namespace heddle::cli
