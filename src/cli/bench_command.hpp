#pragma once

/// The options of `heddle bench`, and what it prints.

#include <deque>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/option_builders.hpp"
#include "engine/engine.hpp"

namespace heddle::cli {

/// The words of the command line, not yet understood.
struct BenchWords {
  Text suite, filter, output, timeout, memory, jobs;
  Text engines, steps, seed, cutoffs;
  std::deque<std::pair<const engine::OptionRow*, Text>> engine_options;
  std::vector<std::string> against;
  std::vector<std::string> safe_regex, unsafe_regex, safe_exit, unsafe_exit;
  std::vector<std::string> compare;  ///< old and new
  Text factor, least;
  bool resume = false;
  Text shard, nodes, partition, group;
  std::vector<std::string> sbatch;
  bool slurm = false;
  std::vector<std::string> merge;  ///< files and folders
};

void add_bench_options(CLI::App* command, BenchWords& words);

/// `arguments` are all of them, for the header of the results.
std::expected<Command, UsageError> understand_bench(const BenchWords& words,
                                                    const std::vector<std::string>& arguments);

int run(BenchCommand& command);
int run(const CutoffTableCommand& command);
int run(const CompareCommand& command);
int run(const MergeCommand& command);

/// `I/N`, 1 ≤ I ≤ N.
std::expected<driver::bench::Shard, UsageError> shard_value(const std::string& text);

/// Takes what concerns many machines; false if the run stays on this one.
std::expected<std::optional<driver::bench::ClusterRequest>, UsageError> take_cluster(
    const BenchWords& words, const driver::bench::BenchRequest& request);
void add_cluster_options(CLI::App* app, BenchWords& words);

}  // namespace heddle::cli
