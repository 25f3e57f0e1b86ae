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

/// The jobs of a name that have not ended.
struct Queue {
  std::size_t jobs = 0;  ///< an array that waits counts as one
  /// None runs, and this, in the scheduler's words, is why; empty if one runs, or if they just wait
  /// for their turn.
  std::string obstacle{};
};

/// Nobody knows, as while a controller is restarted; or nobody ever will (`is_missing`).
struct NoAnswer {
  bool is_missing = false;  ///< there is no scheduler here
  std::string why{};
};

/// What a job gets whose cases, so many at once, have this limit: Heddle keeps the limits of a case
/// itself, and a job must not end before. An engine and another one, or the check, may be large.
std::uint64_t job_memory_mb(std::uint64_t case_mb, unsigned at_once);
std::uint64_t job_minutes(double seconds);

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// The error is what the scheduler says.
  virtual std::expected<void, std::string> submit(const JobArray& array) = 0;
  virtual std::expected<Queue, NoAnswer> queue(const std::string& name) = 0;
  virtual void cancel(const std::string& name) = 0;
};

/// sbatch, squeue and scancel.
class Slurm final : public Scheduler {
 public:
  std::expected<void, std::string> submit(const JobArray& array) override;
  std::expected<Queue, NoAnswer> queue(const std::string& name) override;
  void cancel(const std::string& name) override;
};

/// The words of the command that submits the array.
std::vector<std::string> sbatch_words(const JobArray& array);

/// What squeue printed, a job a line: "17_[3-9] PD Resources". Jobs that are held for ever because
/// a node could not start them are not counted; their numbers are added to `held`.
Queue queue_of(const std::string& lines, std::vector<std::string>& held);

}  // namespace heddle::driver::slurm
