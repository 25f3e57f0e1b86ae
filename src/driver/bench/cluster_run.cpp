#include "driver/bench/cluster_run.hpp"

/// Rounds. Each looks at what is known from all result files of the output folder, makes a plan of
/// the cases that are left, submits one array of jobs, of which each runs a part of the plan, and
/// waits until no job is left in the queue. Nothing else is kept: a result file is the only sign
/// that a case is done, so a lost node, a killed job, a controller that is down for an hour, or
/// this very process killed and started again with --resume cost the cases that were running and
/// nothing more. Jobs are found by their name, which is that of the output folder, so nothing is
/// submitted while jobs of an earlier process of ours are still at work.
///
/// Why it ends: a job takes its cases in order, so when a job ends early, whoever was running is
/// the first of its cases without a result. That is counted, and a case whose job ended three times
/// is given up (its record is an error without a key: --resume tries it again). Each round finishes
/// a case or counts one, and three rounds in a row without any result end the campaign, since then
/// something is wrong with the jobs, not with the cases.
///
/// How large: the limits of a case are enforced inside, by `heddle bench` on the node. A job has as
/// many cases as take five minutes, judged by the mean of those that are finished, at first by the
/// time limit. Outside, Slurm ends a job after three times that, or what two cases may take; what
/// it had finished is kept.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "driver/bench/fingerprint.hpp"
#include "driver/question.hpp"
#include "driver/shell.hpp"

namespace heddle::driver::bench {

namespace {

namespace fs = std::filesystem;

using base::Diagnostics;
using base::Parsed;
using output::bench::CaseOutcome;
using output::bench::Record;
using CaseAndTool = std::pair<std::string, std::string>;  // path and tool

constexpr double kJobSeconds = 300;
constexpr double kGraceSeconds = 6;          // beyond the time limit of a case
constexpr std::size_t kMostTasks = 1000;     // Slurm allows arrays of 1001 unless told otherwise
constexpr std::size_t kEnoughForAMean = 20;  // finished cases
constexpr unsigned kMostAttempts = 3;        // of a case whose job ended
constexpr unsigned kMostIdleRounds = 3;      // without any result
constexpr unsigned kMostRefusals = 2;        // of the same array
constexpr double kSoon = 0.5, kLater = 10;   // seconds between two looks at the queue
constexpr std::size_t kQuicklyRead = 2000;   // cases whose results are looked at while jobs run

class ClusterRun {
 public:
  ClusterRun(Disk& disk, const BenchRequest& request, const ClusterRequest& cluster,
             slurm::Scheduler& scheduler, const Wait& wait)
      : disk_(disk),
        request_(request),
        cluster_(cluster),
        scheduler_(scheduler),
        wait_(wait),
        name_(job_name(request.output)) {}

  Parsed<BenchRun> run() {
    if (auto ready = prepare(); !ready) return std::unexpected(std::move(ready.error()));
    if (auto done = rounds(); !done) return std::unexpected(std::move(done.error()));
    return finish();
  }

 private:
  Parsed<void> prepare() {
    auto suite = read_suite(disk_, request_.suite, request_.takes);
    if (!suite) return std::unexpected(std::move(suite.error()));
    cases_ = std::move(suite->cases);
    for (Case& one : cases_) {
      one.file = fs::absolute(one.file).string();
      if (disk_.exists(one.target)) one.target = fs::absolute(one.target).string();
    }
    run_.skipped = std::move(suite->skipped);
    run_.results.header = request_.header;
    describe_settings(request_, run_.results.header);
    if (const auto files = result_files(request_.output); !request_.resume && !files.empty())
      return std::unexpected(complaint(files[0], "is the result of an earlier run",
                                       "give --resume to go on from there, or another --output"));
    request_.resume = true;
    if (auto claimed = claim_results(disk_, request_, cases_); !claimed)
      return std::unexpected(std::move(claimed.error()));
    std::error_code error;
    fs::create_directories(folder(), error);
    if (error) return std::unexpected(complaint(folder(), "cannot be made: " + error.message()));
    if (auto known = look(); !known) return std::unexpected(std::move(known.error()));
    run_.resumed = earlier_.current.size();
    run_.stale = earlier_.stale;
    return {};
  }

  std::string folder() const { return in_folder(request_.output, "slurm"); }

  /// Reads what is known by now.
  Parsed<void> look() {
    auto earlier = earlier_records(disk_, request_, run_.results.header, cases_);
    if (!earlier) return std::unexpected(std::move(earlier.error()));
    earlier_ = std::move(*earlier);
    known_.clear();
    for (const Record& record : earlier_.current) known_.insert({record.path, record.tool});
    if (request_.on_progress)
      request_.on_progress(
          {run_.resumed, known_.size(), cases_.size() * request_.tools.size(), wrong()});
    return {};
  }

  std::size_t wrong() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(earlier_.current, is_evidence_against_us));
  }

  bool is_finished(const Case& one) const {
    return std::ranges::all_of(
        request_.tools, [&](const Tool& tool) { return known_.contains({one.path, tool.name}); });
  }

  std::vector<Case> left() const {
    std::vector<Case> out;
    for (const Case& one : cases_)
      if (!is_finished(one) && !is_given_up(one)) out.push_back(one);
    // Whoever ended a job before comes last, so that no other case waits behind it.
    std::ranges::stable_partition(out,
                                  [&](const Case& one) { return !attempts_.contains(one.path); });
    return out;
  }

  bool is_given_up(const Case& one) const {
    const auto it = attempts_.find(one.path);
    return it != attempts_.end() && it->second >= kMostAttempts;
  }

  Parsed<void> rounds() {
    if (auto waited = wait_for_jobs(); !waited) return waited;  // of an earlier process of ours
    unsigned idle = 0;
    while (!run_.interrupted_by) {
      if (auto known = look(); !known) return known;
      const std::vector<Case> cases = left();
      if (cases.empty()) return {};
      if (idle == kMostIdleRounds) return std::unexpected(nothing_finished());
      const std::size_t before = known_.size();
      if (auto done = round(cases); !done) return done;
      idle = known_.size() > before ? 0 : idle + 1;
    }
    return {};
  }

  Parsed<void> round(std::vector<Case> cases) {
    const std::size_t group = cluster_.group.value_or(group_size(mean_seconds()));
    const std::size_t wanted = (cases.size() + group - 1) / group;
    const std::size_t spread = std::min(cluster_.nodes, cases.size());  // no node is left idle
    const std::size_t tasks = std::min(kMostTasks, std::max(wanted, spread));
    cases.resize(std::min(cases.size(), tasks * std::max<std::size_t>(group, 1)));
    const std::string plan = free_name();
    if (auto written = write_plans(plan, cases, tasks); !written) return written;
    const std::size_t each = (cases.size() + tasks - 1) / tasks;
    if (auto submitted = submit(array(plan, tasks, each)); !submitted) return submitted;
    if (auto waited = wait_for_jobs(); !waited) return waited;
    if (run_.interrupted_by) return {};
    if (auto known = look(); !known) return known;
    count_attempts(cases, tasks);
    return {};
  }

  /// A refusal counts if the scheduler repeats it: the first one may come from a controller that is
  /// down at the moment, or have lost its way while the jobs were accepted.
  Parsed<void> submit(const slurm::JobArray& array) {
    auto submitted = scheduler_.submit(array);
    for (unsigned refusals = 1; !submitted; ++refusals) {
      const auto queue = scheduler_.queue(name_);
      if (queue && queue->jobs > 0) return {};
      if (queue && refusals == kMostRefusals)
        return std::unexpected(
            complaint("sbatch", "the jobs were not accepted: " + submitted.error()));
      if (!queue && queue.error().is_missing) return std::unexpected(no_scheduler(queue.error()));
      if (!queue) refusals = 0;
      tell(queue);
      if ((run_.interrupted_by = wait_(kSoon))) return {};
      submitted = scheduler_.submit(array);
    }
    return {};
  }

  /// Each job has a list of its own: what it costs to start one depends on its own cases only.
  Parsed<void> write_plans(const std::string& plan, const std::vector<Case>& cases,
                           std::size_t tasks) {
    std::vector<std::vector<Case>> parts(tasks);
    for (std::size_t i = 0; i < cases.size(); ++i) parts[i % tasks].push_back(cases[i]);
    for (std::size_t task = 0; task < tasks; ++task) {
      const std::string path = plan + "-" + std::to_string(task + 1) + ".json";
      if (auto written = disk_.write(path, to_plan(parts[task])); !written)
        return std::unexpected(complaint(path, "cannot be written: " + written.error()));
    }
    return {};
  }

  /// Of each job, as many as run at once are the first without a result.
  void count_attempts(const std::vector<Case>& cases, std::size_t tasks) {
    for (std::size_t task = 0; task < tasks; ++task) {
      unsigned running = 0;
      for (std::size_t i = task; i < cases.size() && running < request_.jobs; i += tasks)
        if (!is_finished(cases[i])) ++attempts_[cases[i].path], ++running;
    }
  }

  slurm::JobArray array(const std::string& plan, std::size_t tasks, std::size_t each) const {
    slurm::JobArray array;
    array.name = name_;
    array.tasks = tasks;
    array.at_once = cluster_.nodes;
    array.cpus = request_.jobs;
    array.partition = cluster_.partition;
    array.more = cluster_.sbatch;
    array.log = in_folder(folder(), fs::path(plan).filename().string() + "-%a.log");
    if (request_.limits.memory_mb)
      array.memory_mb = slurm::job_memory_mb(*request_.limits.memory_mb, request_.jobs);
    array.minutes = minutes(each);
    std::string words = shell_quoted(cluster_.program) + " bench " +
                        shell_quoted(fs::absolute(plan).string() + "-") +
                        "\"$SLURM_ARRAY_TASK_ID\".json --shard 1/1 --output " +
                        shell_quoted(fs::absolute(request_.output).string()) + " --jobs " +
                        std::to_string(request_.jobs);
    for (const std::string& word : cluster_.settings) words += " " + shell_quoted(word);
    array.script = "#!/bin/sh\nexec " + words + "\n";
    return array;
  }

  std::uint64_t minutes(std::size_t each) const {
    if (!request_.limits.time) return 0;
    const double one = (request_.limits.time->count() + kGraceSeconds) *
                       static_cast<double>(request_.tools.size());
    const double worst = one * static_cast<double>(each);
    return slurm::job_minutes(std::min(worst, std::max(3 * kJobSeconds, 2 * one)));
  }

  double mean_seconds() const {
    const double limit = request_.limits.time ? request_.limits.time->count() : kJobSeconds;
    if (earlier_.current.size() < kEnoughForAMean)
      return limit * static_cast<double>(request_.tools.size());
    double sum = 0;
    for (const Record& record : earlier_.current) sum += record.seconds;
    return sum / static_cast<double>(earlier_.current.size()) *
           static_cast<double>(request_.tools.size());
  }

  /// Until no job of ours is in the queue, or a signal comes. While nobody answers, jobs may be at
  /// work: that is waited for, too.
  Parsed<void> wait_for_jobs() {
    double pause = kSoon;
    while (true) {
      const auto queue = scheduler_.queue(name_);
      if (queue && queue->jobs == 0) return {};
      if (!queue && queue.error().is_missing) return std::unexpected(no_scheduler(queue.error()));
      tell(queue);
      if ((run_.interrupted_by = wait_(pause))) return {};
      pause = std::min(kLater, pause * 1.2);
      if (request_.on_progress && cases_.size() <= kQuicklyRead)
        if (auto known = look(); !known) return known;
    }
  }

  /// Why nothing happens, once for each reason.
  void tell(const std::expected<slurm::Queue, slurm::NoAnswer>& queue) {
    std::string note;
    if (!queue)
      note = "Slurm does not answer, which is waited for: " + queue.error().why;
    else if (!queue->obstacle.empty())
      note = "Slurm starts none of the jobs: " + queue->obstacle;
    if (!note.empty() && note != told_ && cluster_.on_note) cluster_.on_note(note);
    told_ = note;
  }

  static Diagnostics no_scheduler(const slurm::NoAnswer& answer) {
    return complaint("Slurm", answer.why);
  }

  std::string free_name() const {
    for (std::size_t i = 1;; ++i) {
      std::string name = in_folder(folder(), "round-" + std::to_string(i));
      if (!disk_.exists(name + "-1.json")) return name;
    }
  }

  Diagnostics nothing_finished() const {
    return complaint(folder(), "the jobs end without any result, three times in a row",
                     "the .log files there say why; finished cases are kept for --resume");
  }

  Parsed<BenchRun> finish() {
    if (auto known = look(); !known) return std::unexpected(std::move(known.error()));
    std::map<CaseAndTool, const Record*> records;
    for (const Record& record : earlier_.current) records[{record.path, record.tool}] = &record;
    for (const Case& one : cases_)
      for (const Tool& tool : request_.tools) {
        if (const auto it = records.find({one.path, tool.name}); it != records.end())
          run_.results.records.push_back(*it->second);
        else if (is_given_up(one))
          run_.results.records.push_back(given_up(one, tool));
      }
    run_.results.records.insert(run_.results.records.end(), earlier_.others.begin(),
                                earlier_.others.end());
    if (auto written = write_results(disk_, request_, run_.results); !written)
      return std::unexpected(std::move(written.error()));
    return std::move(run_);
  }

  static Record given_up(const Case& one, const Tool& tool) {
    return {.path = one.path,
            .tool = tool.name,
            .outcome = CaseOutcome::Error,
            .expected = one.expected,
            .reason = fmt::format("its Slurm job ended {} times before it did", kMostAttempts)};
  }

  Disk& disk_;
  BenchRequest request_;
  const ClusterRequest& cluster_;
  slurm::Scheduler& scheduler_;
  const Wait& wait_;
  std::string name_;
  std::vector<Case> cases_;
  Earlier earlier_;
  std::set<CaseAndTool> known_;
  std::map<std::string, unsigned> attempts_;  ///< by path: how often its job ended before it did
  std::string told_;                          ///< the last note
  BenchRun run_;
};

}  // namespace

std::string job_name(const std::string& output) {
  std::error_code error;
  Fingerprint fingerprint;
  fingerprint.add(fs::weakly_canonical(output, error).string());
  return "heddle-" + fingerprint.hex();
}

std::size_t group_size(double mean_seconds) {
  constexpr double kMost = 10'000;
  return static_cast<std::size_t>(
      std::clamp(kJobSeconds / std::max(mean_seconds, 1e-3), 1.0, kMost));
}

Parsed<BenchRun> run_on_cluster(Disk& disk, const BenchRequest& request,
                                const ClusterRequest& cluster, slurm::Scheduler& scheduler,
                                const Wait& wait) {
  return ClusterRun(disk, request, cluster, scheduler, wait).run();
}

}  // namespace heddle::driver::bench
