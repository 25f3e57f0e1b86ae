/// Slurm by its programs: they are what every site has, whatever its version.

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "driver/external_filter.hpp"
#include "driver/slurm/scheduler.hpp"

namespace heddle::driver::slurm {

namespace {

std::string complaint_of(const FilterError& error, const std::string& program) {
  if (error.missing) return program + " is not there: is Slurm installed, and in PATH?";
  std::string why = error.why;
  while (why.ends_with('\n')) why.pop_back();
  std::ranges::replace(why, '\n', ';');
  return why.empty() ? program + " failed" : why;
}

}  // namespace

std::uint64_t job_memory_mb(std::uint64_t case_mb, unsigned at_once) {
  constexpr std::uint64_t kOwnMb = 512;
  constexpr std::uint64_t kLargeProcesses = 2;
  return at_once * kLargeProcesses * case_mb + kOwnMb;
}

std::uint64_t job_minutes(double seconds) {
  return static_cast<std::uint64_t>(std::ceil(seconds / 60)) + 1;
}

std::vector<std::string> sbatch_words(const JobArray& array) {
  std::string tasks = "--array=1-" + std::to_string(array.tasks);
  if (array.at_once > 0) tasks += "%" + std::to_string(array.at_once);
  // A job that lost its node is not repeated by Slurm, which would wait two minutes before it does
  // and might run it twice: whoever submitted it looks at what is missing.
  std::vector<std::string> words{"sbatch",     "--parsable",         "--job-name=" + array.name,
                                 tasks,        "--no-requeue",       "--nodes=1",
                                 "--ntasks=1", "--open-mode=append", "--input=/dev/null"};
  words.push_back("--cpus-per-task=" + std::to_string(array.cpus));
  if (array.minutes > 0) words.push_back("--time=" + std::to_string(array.minutes));
  if (array.memory_mb) words.push_back("--mem=" + std::to_string(*array.memory_mb) + "M");
  if (!array.partition.empty()) words.push_back("--partition=" + array.partition);
  words.push_back("--output=" + (array.log.empty() ? "/dev/null" : array.log));
  words.insert(words.end(), array.more.begin(), array.more.end());
  return words;
}

std::expected<void, std::string> Slurm::submit(const JobArray& array) {
  const auto answer = run_filter(sbatch_words(array), array.script);
  if (!answer) return std::unexpected(complaint_of(answer.error(), "sbatch"));
  return {};
}

Queue queue_of(const std::string& lines, std::vector<std::string>& held) {
  static constexpr std::array kTakeTheirTurn{"None", "Resources", "Priority", "JobArrayTaskLimit"};
  Queue queue;
  bool one_runs = false, one_waits_in_turn = false;
  std::istringstream in(lines);
  for (std::string id, state, reason; in >> id >> state && std::getline(in >> std::ws, reason);) {
    if (reason == "launch failed requeued held") {
      held.push_back(id);
      continue;
    }
    ++queue.jobs;
    one_runs |= state != "PD";
    one_waits_in_turn |= std::ranges::count(kTakeTheirTurn, reason) > 0;
    queue.obstacle = reason;
  }
  if (one_runs || one_waits_in_turn) queue.obstacle.clear();
  return queue;
}

/// A job that a node could not start, as after a controller that was killed, is held for ever: it
/// is as good as ended, and whoever submitted it may do so again.
std::expected<Queue, NoAnswer> Slurm::queue(const std::string& name) {
  const auto answer =
      run_filter({"squeue", "--noheader", "--name=" + name, "--format=%i %t %r"}, "");
  if (!answer)
    return std::unexpected(
        NoAnswer{answer.error().missing, complaint_of(answer.error(), "squeue")});
  std::vector<std::string> held;
  const Queue queue = queue_of(*answer, held);
  if (!held.empty()) {
    held.insert(held.begin(), "scancel");
    static_cast<void>(run_filter(held, ""));
  }
  return queue;
}

void Slurm::cancel(const std::string& name) {
  static_cast<void>(run_filter({"scancel", "--name=" + name}, ""));
}

}  // namespace heddle::driver::slurm
