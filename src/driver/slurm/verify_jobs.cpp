#include "driver/slurm/verify_jobs.hpp"

/// A portfolio whose engines are jobs. A job is `heddle verify --engine E` on a node; it stores its
/// evidence in a folder that all nodes see, and then, as the sign that it is done, its answer.
/// Nobody on a node is believed: evidence is read here and goes through the checker, against the
/// question that the user put. That is also why a job may ask less than the user did, fewer
/// contexts or fewer threads: a run that it finds is a run for the checker like any other.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "answer/json.hpp"
#include "driver/pose.hpp"
#include "driver/recheck.hpp"
#include "driver/shell.hpp"
#include "model/counting.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::driver::slurm {

namespace {

namespace fs = std::filesystem;

using answer::Unknown;
using answer::UnknownReason;
using base::Parsed;
using std::chrono::duration;
using std::chrono::steady_clock;

constexpr std::uint32_t kContexts[] = {2, 4};
constexpr unsigned kThreads[] = {2, 3};
constexpr double kSoon = 0.1, kLater = 2;  // seconds between two looks
constexpr double kLastSecond = 1;          // of the time, to cancel jobs and to report

bool accepts(const engine::EngineRow& engine, const model::AnyTask& task) {
  if (model::contexts_of(task) && !engine.counts_contexts) return false;
  if (engine.accepts(task).yes()) return true;
  const auto counting = model::counting_task(task);
  return counting && transform::needs_monotone_relaxation(*counting) &&
         engine.accepts(transform::relax_to_monotone(*counting).relaxed).yes();
}

/// May the initial state have any number of threads?
bool allows_any_number(const model::AnyTask& task) {
  if (const auto* program = std::get_if<model::ProgramTask>(&task))
    return std::ranges::any_of(program->question.initial,
                               [](const auto& threads) { return !threads.most; });
  if (const auto* threads = std::get_if<model::ThreadTask>(&task))
    return std::ranges::any_of(threads->question.initial, [](const model::Region& region) {
      return std::ranges::any_of(region.bounds, [](const auto& bound) { return !bound.upper; });
    });
  return false;
}

/// The first of these words that is the reason of a job stands for all.
UnknownReason common_reason(const std::vector<answer::EngineRun>& runs) {
  using enum UnknownReason;
  for (const UnknownReason reason : {TimeLimit, MemoryLimit, StepLimit, Incomplete, NotMonotone})
    for (const answer::EngineRun& run : runs)
      if (run.detail.ends_with(to_string(reason))) return reason;
  return EngineFailed;
}

/// A folder of our own that goes with us.
class Scratch {
 public:
  explicit Scratch(const std::string& parent) {
    std::string name = (fs::absolute(parent) / "heddle-slurm-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::system_error(errno, std::generic_category(), name + " cannot be made");
    path_ = name;
  }
  /// Jobs that are on their way out know it by its name: without that they can add nothing while it
  /// is emptied.
  ~Scratch() {
    std::error_code ignored;
    const fs::path nameless = path_.parent_path() / ("." + path_.filename().string());
    fs::rename(path_, nameless, ignored);
    fs::remove_all(ignored ? path_ : nameless, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(std::size_t task, const char* what) const {
    return (path_ / (std::to_string(task) + what)).string();
  }
  std::string name() const { return path_.filename().string(); }

 private:
  fs::path path_;
};

class JobPortfolio {
 public:
  JobPortfolio(Disk& disk, const VerifyRequest& request, const JobSettings& settings,
               std::vector<Variant> variants, Scheduler& scheduler, const Wait& wait)
      : disk_(disk),
        request_(request),
        settings_(settings),
        variants_(std::move(variants)),
        scheduler_(scheduler),
        wait_(wait),
        scratch_(settings.folder),
        runs_(variants_.size()) {
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      runs_[i].engine = variants_[i].engine;
      runs_[i].outcome = "stopped";
      for (const std::string& word : variants_[i].words)
        runs_[i].detail += (runs_[i].detail.empty() ? "" : " ") + word;
    }
  }

  Parsed<Answered> run() {
    if (auto submitted = scheduler_.submit(array()); !submitted)
      return std::unexpected(
          complaint("sbatch", "the jobs were not accepted: " + submitted.error()));
    return wait_for_answer();
  }

 private:
  JobArray array() const {
    JobArray array;
    array.name = scratch_.name();
    array.tasks = variants_.size();
    array.partition = settings_.partition;
    array.more = settings_.sbatch;
    if (request_.budget.time) array.minutes = job_minutes(request_.budget.time->count());
    if (request_.budget.memory_mb) array.memory_mb = job_memory_mb(*request_.budget.memory_mb, 1);
    array.script = "#!/bin/sh\ncase $SLURM_ARRAY_TASK_ID in\n";
    for (std::size_t i = 0; i < variants_.size(); ++i) array.script += script_of(i + 1);
    array.script += "esac\n";
    return array;
  }

  /// The answer is moved to its place as a whole, and after the evidence.
  std::string script_of(std::size_t task) const {
    const Variant& variant = variants_[task - 1];
    std::string line = std::to_string(task) + ") " + shell_quoted(settings_.program) +
                       " verify --json --engine=" + variant.engine +
                       " --evidence=" + shell_quoted(scratch_.file(task, ".evidence"));
    for (const std::string& word : variant.words) line += " " + shell_quoted(word);
    for (const std::string& word : settings_.words)
      line += " " + shell_quoted(word);  // may end with --
    const std::string part = shell_quoted(scratch_.file(task, ".part"));
    return line + " >" + part + "; mv " + part + " " +
           shell_quoted(scratch_.file(task, ".answer")) + ";;\n";
  }

  Parsed<Answered> wait_for_answer() {
    const auto start = steady_clock::now();
    double pause = kSoon;
    bool was_empty = false;
    while (true) {
      for (std::size_t i = 0; i < variants_.size(); ++i) {
        if (seen_.contains(i) || !disk_.exists(scratch_.file(i + 1, ".answer"))) continue;
        seen_.insert(i);
        if (auto answered = take_answer(i)) return finish(std::move(*answered), start);
      }
      if (seen_.size() == variants_.size()) return nobody(start, common_reason(runs_));
      const auto queue = scheduler_.queue(scratch_.name());
      const bool empty = queue && queue->jobs == 0;
      if (empty && was_empty) return nobody(start, UnknownReason::EngineFailed);
      was_empty = empty;  // files may take a moment from node to node: one more look
      const double elapsed = duration<double>(steady_clock::now() - start).count();
      if (request_.budget.time && elapsed + pause > request_.budget.time->count() - kLastSecond)
        return nobody(start, UnknownReason::TimeLimit);
      if (const auto signal = wait_(pause)) {
        auto answered = nobody(start, UnknownReason::Cancelled);
        if (answered) answered->interrupted_by = signal;
        return answered;
      }
      pause = std::min(kLater, pause * 1.3);
    }
  }

  /// The confirmed answer of a job, if it has one.
  std::optional<Answered> take_answer(std::size_t i) {
    const auto text = disk_.peek(scratch_.file(i + 1, ".answer"));
    const auto answer = nlohmann::json::parse(text.value_or(""), nullptr, false);
    const auto word = [&](const char* name) {
      const auto it = answer.is_object() ? answer.find(name) : answer.end();
      return it != answer.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    runs_[i].outcome = answer.is_object() ? word("verdict") : "failed";
    if (const std::string why = word("reason"); !why.empty())
      runs_[i].detail += (runs_[i].detail.empty() ? "" : ": ") + why;
    const std::string path = scratch_.file(i + 1, ".evidence");
    if (!disk_.exists(path)) return std::nullopt;
    auto evidence = load_evidence(disk_, path);
    if (!evidence || !counts(variants_[i], *evidence)) return std::nullopt;
    return check(i, std::move(*evidence));
  }

  static bool counts(const Variant& variant, const answer::StoredEvidence& evidence) {
    return !variant.only_refutes || std::holds_alternative<answer::Unsafe>(evidence.verdict);
  }

  std::optional<Answered> check(std::size_t i, answer::StoredEvidence evidence) {
    RecheckRequest recheck_request{request_.file, scratch_.file(i + 1, ".evidence"),
                                   request_.question, request_.budget};
    if (variants_[i].only_refutes) {  // does its run answer the user's question?
      const auto posed = pose_whole(disk_, request_.file, request_.question);
      if (!posed || model::kind_of(posed->task) != evidence.kind) return std::nullopt;
      evidence.question = model::question_of(posed->task);
    }
    auto answered = recheck(disk_, recheck_request, evidence);
    if (!answered || answered->report.check.status != answer::EvidenceStatus::Confirmed) {
      runs_[i].outcome = "unconfirmed";
      if (answered) runs_[i].detail += ": " + answered->report.check.why;
      return std::nullopt;
    }
    return std::move(*answered);
  }

  Parsed<Answered> finish(Answered answered, steady_clock::time_point start) {
    scheduler_.cancel(scratch_.name());
    return report(std::move(answered), start);
  }

  Parsed<Answered> nobody(steady_clock::time_point start, UnknownReason reason) {
    scheduler_.cancel(scratch_.name());  // first of all: who interrupts us does not wait long
    auto posed = pose_whole(disk_, request_.file, request_.question);
    if (!posed) return std::unexpected(std::move(posed.error()));
    Answered answered;
    answered.task = std::move(posed->task);
    answered.asked = std::move(posed->asked);
    answered.report.verdict = Unknown{
        reason, "none of " + std::to_string(variants_.size()) + " jobs has a confirmed answer"};
    return report(std::move(answered), start);
  }

  Answered report(Answered answered, steady_clock::time_point start) const {
    answered.report.runs = runs_;
    answered.report.seconds = duration<double>(steady_clock::now() - start).count();
    answered.budget = request_.budget;
    return answered;
  }

  Disk& disk_;
  const VerifyRequest& request_;
  const JobSettings& settings_;
  std::vector<Variant> variants_;
  Scheduler& scheduler_;
  const Wait& wait_;
  Scratch scratch_;
  std::set<std::size_t> seen_;
  std::vector<answer::EngineRun> runs_;
};

}  // namespace

std::vector<Variant> variants_of(const Disk& disk, const VerifyRequest& request,
                                 std::span<const engine::EngineRow> engines,
                                 const JobSettings& settings) {
  std::vector<Variant> variants;
  const auto add = [&](const QuestionOptions& question, const std::vector<std::string>& words,
                       bool only_refutes, auto&& takes) {
    const auto posed = pose_whole(disk, request.file, question);
    if (!posed) return;
    for (const engine::EngineRow& engine : engines)
      if ((request.via || accepts(engine, posed->task)) && takes(engine))
        variants.push_back({std::string(engine.name), words, only_refutes});
  };
  for (std::uint64_t i = 0; i < settings.seeds; ++i)
    add(request.question, {"--seed=" + std::to_string(request.seed + i)}, false,
        [](const engine::EngineRow&) { return true; });
  if (request.via) return variants;
  const auto asked = pose_whole(disk, request.file, request.question);
  const bool any_number = asked && allows_any_number(asked->task);
  const auto finds_runs = [](const engine::EngineRow& engine) { return engine.refutes; };
  for (const std::uint32_t contexts : kContexts) {
    QuestionOptions fewer = request.question;
    if (fewer.contexts) break;
    fewer.contexts = contexts;
    add(fewer, {"--contexts=" + std::to_string(contexts)}, true, finds_runs);
  }
  for (const unsigned threads : kThreads) {
    QuestionOptions fewer = request.question;
    if (fewer.threads || !any_number) break;
    fewer.threads = base::Integer(threads);
    fewer.any_threads = false;
    add(fewer, {"--threads=" + std::to_string(threads)}, true, finds_runs);
  }
  return variants;
}

Parsed<Answered> verify_by_jobs(Disk& disk, const VerifyRequest& request,
                                std::span<const engine::EngineRow> engines,
                                const JobSettings& settings, Scheduler& scheduler,
                                const Wait& wait) {
  auto posed = pose_whole(disk, request.file, request.question);
  if (!posed) return std::unexpected(std::move(posed.error()));
  std::vector<Variant> variants = variants_of(disk, request, engines, settings);
  if (variants.empty()) return verify(disk, request, engines);  // which says what to change
  return JobPortfolio(disk, request, settings, std::move(variants), scheduler, wait).run();
}

}  // namespace heddle::driver::slurm
