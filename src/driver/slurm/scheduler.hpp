#pragma once

/// Jobs on other machines. An interface, so that tests of what is submitted when need no Slurm.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver::slurm {

/// The same script so many times, each with a number of its own.
struct JobArray {
  std::string name;    ///< by which its jobs are found again, whoever asks
  std::string script;  ///< of the shell; `$SLURM_ARRAY_TASK_ID` is the number, from 1 on
  std::size_t tasks = 1;
  std::size_t at_once = 0;    ///< no more than so many at a time; 0: as many as there is place for
  std::uint64_t minutes = 0;  ///< killed then, each of them; 0: the partition's limit
  unsigned cpus = 1;          ///< of each
  std::optional<std::uint64_t> memory_mb;  ///< of each
  std::string partition;                   ///< empty: the usual one
  std::string log;                         ///< a file, with %a for the number
  std::vector<std::string> more;           ///< further options of sbatch
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// The error is what the scheduler says.
  virtual std::expected<void, std::string> submit(const JobArray& array) = 0;
  /// How many jobs of this name wait or run, an array that waits counting as one? Nothing if nobody
  /// answers, as while a controller is restarted.
  virtual std::optional<std::size_t> queued(const std::string& name) = 0;
  virtual void cancel(const std::string& name) = 0;
};

/// sbatch, squeue and scancel.
class Slurm final : public Scheduler {
 public:
  std::expected<void, std::string> submit(const JobArray& array) override;
  std::optional<std::size_t> queued(const std::string& name) override;
  void cancel(const std::string& name) override;
};

/// The words of the command that submits the array.
std::vector<std::string> sbatch_words(const JobArray& array);

}  // namespace heddle::driver::slurm
