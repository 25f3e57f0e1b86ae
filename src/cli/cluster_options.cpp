/// The words of `heddle bench` that concern more than one machine.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "cli/bench_command.hpp"
#include "cli/job_options.hpp"

namespace heddle::cli {

namespace {

constexpr std::uint64_t kMostNodes = 100'000;
constexpr std::uint64_t kMostCases = 1'000'000;

/// Tools and limits as they were given, for the jobs.
std::vector<std::string> settings(const BenchWords& words,
                                  const driver::bench::BenchRequest& request) {
  std::vector<std::string> out =
      std::get<driver::bench::OwnTool>(request.tools.front().how).arguments;
  const auto add = [&](const char* option, const std::string& value) {
    out.push_back(std::string(option) + "=" + value);
  };
  if (words.timeout) add("--timeout", *words.timeout);
  if (words.memory) add("--memory", *words.memory);
  for (const std::string& tool : words.against) add("--against", tool);
  for (const std::string& rule : words.unsafe_regex) add("--unsafe-regex", rule);
  for (const std::string& rule : words.safe_regex) add("--safe-regex", rule);
  for (const std::string& rule : words.unsafe_exit) add("--unsafe-exit", rule);
  for (const std::string& rule : words.safe_exit) add("--safe-exit", rule);
  return out;
}

}  // namespace

void add_cluster_options(CLI::App* app, BenchWords& words) {
  const std::string group = "Many machines";
  add_text(app, "--shard", words.shard,
           "run part I of N only, into a file of its own; --merge puts the parts together", "I/N",
           group);
  app->add_option("--merge", words.merge,
                  "put results of parts together: files, or folders that hold them")
      ->type_name("PATH...")
      ->expected(1, 1'000'000)
      ->group(group);
  app->add_flag("--slurm", words.slurm,
                "run the suite as jobs of Slurm; --resume continues an interrupted run")
      ->group(group);
  add_text(app, "--nodes", words.nodes,
           "with --slurm, jobs at once (default: as many as there is room for)", "N", group);
  add_text(app, "--group", words.group,
           "with --slurm, cases of a job (default: what takes five minutes)", "N", group);
  add_placement_options(app, words.partition, words.sbatch, group);
}

std::expected<driver::bench::Shard, UsageError> shard_value(const std::string& text) {
  if (const auto shard = driver::bench::shard_of(text)) return *shard;
  return std::unexpected(
      UsageError{"--shard: '" + text + "' is not a part", "for example 2/5, the second of five"});
}

std::expected<std::optional<driver::bench::ClusterRequest>, UsageError> take_cluster(
    const BenchWords& words, const driver::bench::BenchRequest& request) {
  driver::bench::ClusterRequest cluster;
  std::optional<std::uint64_t> nodes, cases;
  auto error = take_number("--nodes", words.nodes, nodes, 1, kMostNodes);
  if (!error) error = take_number("--group", words.group, cases, 1, kMostCases);
  const bool needs_slurm = words.nodes || words.partition || words.group || !words.sbatch.empty();
  if (!error && needs_slurm && !words.slurm)
    error = UsageError{"--nodes, --partition, --group and --sbatch are about jobs of Slurm",
                       "add --slurm"};
  if (!error && words.slurm && words.shard)
    error = UsageError{"--slurm makes shards itself", "leave --shard or --slurm out"};
  if (error) return std::unexpected(std::move(*error));
  if (!words.slurm) return std::nullopt;
  std::error_code ignored;
  cluster.program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  cluster.nodes = nodes.value_or(0);
  if (cases) cluster.group = *cases;
  cluster.partition = words.partition.value_or("");
  cluster.sbatch = words.sbatch;
  cluster.settings = settings(words, request);
  return cluster;
}

}  // namespace heddle::cli
