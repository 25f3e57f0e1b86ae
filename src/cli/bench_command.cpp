#include "cli/bench_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include "cli/terminal.hpp"
#include "driver/bench/process_runner.hpp"
#include "driver/question.hpp"
#include "output/bench/result_file.hpp"
#include "output/bench/table.hpp"

namespace heddle::cli {

namespace {

using std::chrono::steady_clock;

constexpr const char* kBeginningOfEmptyLine = "\r\033[K";

std::string date() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text;
}

std::string machine() {
  const auto pages = static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_PAGE_SIZE)));
  return std::to_string(std::thread::hardware_concurrency()) + " cores, " +
         std::to_string(pages * page >> 20) + " MB";
}

/// One line on a terminal that is written over and over, and is gone in the end.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(bool wanted) : wanted_(wanted) {}
  ~ProgressDisplay() {
    if (wanted_) complain(kBeginningOfEmptyLine);
  }
  void note(const std::string& text) const {
    complain((wanted_ ? kBeginningOfEmptyLine : "") + ("heddle: note: " + text) + "\n");
  }
  void show(const output::bench::Progress& progress) const {
    const std::chrono::duration<double> elapsed = steady_clock::now() - started_;
    if (wanted_)
      complain(kBeginningOfEmptyLine + output::bench::progress_text(progress, elapsed.count()));
  }

 private:
  bool wanted_;
  steady_clock::time_point started_ = steady_clock::now();
};

std::string skipped_text(const driver::bench::BenchRun& run) {
  std::string out;
  for (const auto& [reason, count] : run.skipped)
    out += "skipped: " + std::to_string(count) + " (" + reason + ")\n";
  return out;
}

std::string run_text(const driver::bench::BenchRun& run, const std::string& file) {
  const auto& records = run.results.records;
  std::string out = skipped_text(run);
  if (run.resumed > 0) out += "resumed: " + std::to_string(run.resumed) + " were done before\n";
  if (run.stale > 0)
    out += "stale: " + std::to_string(run.stale) +
           " were done before on other files or options, and were run again\n";
  if (records.empty()) return out + "no case was run\n";
  return out + output::bench::table_text(records) + output::bench::common_time_text(records) +
         output::bench::remarks_text(records) + "every case: " + file + "\n";
}

base::Parsed<output::bench::Results> load(const driver::Disk& disk, const std::string& path) {
  const auto text = disk.read(path);
  if (!text) return std::unexpected(driver::complaint(path, "cannot be read: " + text.error()));
  return output::bench::read_results(path, *text);
}

base::Parsed<driver::bench::BenchRun> run_anywhere(driver::Disk& disk, BenchCommand& command) {
  if (command.cluster) {
    driver::slurm::Slurm slurm;
    driver::slurm::PatientWait wait;
    return driver::bench::run_on_cluster(disk, command.request, *command.cluster, slurm,
                                         std::ref(wait));
  }
  driver::bench::ProcessRunner runner;
  return driver::bench::run_bench(disk, command.request, runner);
}

}  // namespace

int run(BenchCommand& command) {
  driver::bench::BenchRequest& request = command.request;
  request.header.insert(
      request.header.end(),
      {{"build", driver::bench::program_fingerprint()}, {"date", date()}, {"machine", machine()}});
  driver::RealDisk disk;
  const auto done = [&] {  // signals and the progress line are given back before anything is said
    const ProgressDisplay display(is_terminal(STDERR_FILENO));
    request.on_progress = [&](const output::bench::Progress& now) { display.show(now); };
    if (command.cluster)
      command.cluster->on_note = [&](const std::string& text) { display.note(text); };
    return run_anywhere(disk, command);
  }();
  if (!done) return reject(done.error());
  const std::string file =
      request.output + "/" + driver::bench::result_name(request.shard, request.job);
  const int code = print(run_text(*done, file), driver::bench::exit_code(done->results.records));
  if (!done->interrupted_by) return code;
  complain("heddle: note: interrupted; the same command with --resume goes on\n");
  if (command.cluster)
    complain("heddle: note: jobs go on; this ends them: scancel --name=" +
             driver::bench::job_name(request.output) + "\n");
  return end_by_signal(*done->interrupted_by);
}

int run(const CutoffTableCommand& command) {
  const driver::RealDisk disk;
  const auto table = driver::bench::cutoff_table(disk, command.request);
  if (!table) return reject(table.error());
  if (!table->complaint.empty()) {
    complain(table->complaint);
    return kBadInput;
  }
  const int code = print(table->text, table->exit_code);
  return table->interrupted_by ? end_by_signal(*table->interrupted_by) : code;
}

int run(const MergeCommand& command) {
  driver::RealDisk disk;
  const auto merged = driver::bench::merge(disk, command.request);
  if (!merged) return reject(merged.error());
  driver::bench::BenchRun run;
  run.results = merged->results;
  for (const std::string& part : merged->missing)
    complain("heddle: warning: no results of shard " + part + "\n");
  if (merged->replaced > 0)
    complain("heddle: note: " + std::to_string(merged->replaced) +
             " cases have several results; the last file's count\n");
  return print(run_text(run, command.request.output + "/results.tsv"),
               driver::bench::exit_code(run.results.records));
}

int run(const CompareCommand& command) {
  const driver::RealDisk disk;
  const auto before = load(disk, command.before);
  if (!before) return reject(before.error());
  const auto after = load(disk, command.after);
  if (!after) return reject(after.error());
  const auto comparison = output::bench::compare(*before, *after, command.threshold);
  return print(output::bench::comparison_text(*before, *after, comparison),
               driver::bench::exit_code(comparison, *after));
}

}  // namespace heddle::cli
