#pragma once

/// `heddle verify --slurm`: one hard case on many nodes.

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "driver/slurm/patient_wait.hpp"
#include "driver/slurm/scheduler.hpp"
#include "driver/verify.hpp"
#include "engine/engine.hpp"

namespace heddle::driver::slurm {

struct JobSettings {
  std::string program;             ///< this one, by a path that holds on all nodes
  std::vector<std::string> words;  ///< of `verify` in every job: the files, question and limits
  std::string folder;              ///< that all nodes see; a folder of our own is made in it
  std::string partition;
  std::vector<std::string> sbatch;  ///< further options of sbatch
  unsigned seeds = 1;               ///< each engine with so many
};

/// One job: an engine, and how its question or its way differs from the user's.
struct Variant {
  std::string engine;
  std::vector<std::string> words;  ///< further words of its command line
  /// Its question allows fewer runs than the user's: a run that it finds counts, a proof does not.
  bool only_refutes = false;
};

/// Each engine that accepts the task, with each seed; engines that count contexts with small bounds
/// besides; and, where any number of threads is allowed, whoever accepts a few of them.
std::vector<Variant> variants_of(const Disk& disk, const VerifyRequest& request,
                                 std::span<const engine::EngineRow> engines,
                                 const JobSettings& settings);

/// Asks the engines, each variant in a job of its own. Evidence that a job stores is checked here,
/// on the user's question; the first that is confirmed is the answer, and the other jobs are
/// cancelled. The error says what is wrong with the input, or what the scheduler says.
base::Parsed<Answered> verify_by_jobs(Disk& disk, const VerifyRequest& request,
                                      std::span<const engine::EngineRow> engines,
                                      const JobSettings& settings, Scheduler& scheduler,
                                      const Wait& wait);

}  // namespace heddle::driver::slurm
