#pragma once

/// A suite on many machines, by a scheduler.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/bench/bench.hpp"
#include "driver/slurm/patient_wait.hpp"
#include "driver/slurm/scheduler.hpp"

namespace heddle::driver::bench {

struct ClusterRequest {
  std::size_t nodes = 0;  ///< jobs at once; 0: as many as there is place for
  std::string partition;
  std::vector<std::string> sbatch;     ///< further options of sbatch
  std::optional<std::size_t> group{};  ///< cases of a job; nothing: see `group_size`
  std::string program;                 ///< this one, by a path that holds on all nodes
  std::vector<std::string> settings;   ///< tools and limits, as `heddle bench` takes them
  std::function<void(const std::string&)> on_note{};  ///< why it waits; may be empty
};

using slurm::Wait;

/// Runs the suite as arrays of jobs and writes what `run_bench` writes. Cases that an earlier run
/// finished are not run again with `request.resume`; without it, a folder with results is refused.
/// After an interruption jobs go on; resuming waits for them. The error is that of `run_bench`, or
/// what the scheduler says.
base::Parsed<BenchRun> run_on_cluster(Disk& disk, const BenchRequest& request,
                                      const ClusterRequest& cluster, slurm::Scheduler& scheduler,
                                      const Wait& wait);

/// The name of all jobs of a campaign: by its output folder.
std::string job_name(const std::string& output);

/// So many cases of this mean time take some minutes.
std::size_t group_size(double mean_seconds);

}  // namespace heddle::driver::bench
