#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/integer.hpp"
#include "cli/bench_command.hpp"
#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/event_pipe.hpp"
#include "cli/supervised.hpp"
#include "cli/terminal.hpp"
#include "driver/cutoff.hpp"
#include "driver/disk.hpp"
#include "driver/event_text.hpp"
#include "driver/outputs.hpp"
#include "driver/races.hpp"
#include "driver/recheck.hpp"
#include "driver/verify.hpp"
#include "output/c_witness.hpp"
#include "output/progress.hpp"
#include "output/report_row.hpp"

namespace heddle::cli {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

/// `text`: of an answer, or of a check of stored evidence.
std::string answer_text(const driver::Answered& answered, const OutputChoice& choice,
                        output::ReportRow::Text* output::ReportRow::* text) {
  const output::ReportRow& row = output::report_row(answered.asked.asking);
  if (choice.json) return row.json(answered.task, answered.asked, answered.report);
  return (row.*text)(answered.task, answered.asked, answered.report, text_options(choice));
}

/// After an interrupt the answer is printed; then the signal takes its effect.
int finish(const driver::Answered& answered, int code) {
  return answered.interrupted_by ? kBySignal + *answered.interrupted_by : code;
}

/// False if it failed.
bool store(driver::Disk& disk, const driver::OutputFile& file) {
  const auto written = disk.write(file.path, file.text);
  if (!written) complain(file.path + ": error: cannot be written: " + written.error() + "\n");
  return written.has_value();
}
bool store(driver::Disk& disk, const driver::OutputFile& file, const driver::WorkerLink& worker) {
  worker.lift_deadline();
  return store(disk, file);
}

/// Draws where that was asked for; false if it failed.
bool store_picture(driver::Disk& disk, const VerifyCommand& command,
                   const driver::Answered& answered, const driver::WorkerLink& worker) {
  if (command.picture.empty() || answered.interrupted_by) return true;
  const auto bytes = driver::cutoff_picture(answered, command.format);
  if (bytes) return store(disk, {command.picture, *bytes}, worker);
  complain(base::render(bytes.error()));
  return false;
}

/// All that was asked for beside the answer. Warns where there is nothing to store.
std::vector<driver::OutputFile> stored_files(const driver::Disk& disk, const VerifyCommand& command,
                                             driver::Answered& answered) {
  std::vector<driver::OutputFile> files;
  for (const driver::WantedOutput& wanted : command.outputs) {
    auto text = wanted.row->text(disk, answered, wanted.path);
    if (text)
      files.push_back({wanted.path, std::move(*text)});
    else
      answered.asked.warnings.push_back(not_written(wanted.path, std::string(wanted.row->missing)));
  }
  return files;
}

std::string verify_text(const driver::Answered& answered, const VerifyCommand& command) {
  std::string text = named(answer_text(answered, command.output, &output::ReportRow::text),
                           command.request.file, command.output);
  if (!command.svcomp) return text;
  return text + output::competition_verdict(answered.task, answered.report.verdict) + "\n";
}

/// At most a tenth of the time that there is.
driver::RaceTable table_for(const driver::Disk& disk, const VerifyCommand& command) {
  constexpr std::chrono::duration<double> kMost(10);
  const auto& time = command.request.budget.time;
  return driver::race_table(disk, command.request.file, command.request.question,
                            time ? std::min(kMost, *time / 10) : kMost);
}

/// Long lists are cut, unless everything is wanted.
std::string first_lines(const std::string& text, bool is_verbose) {
  constexpr int kMost = 50;
  std::size_t end = 0;
  for (int i = 0; i < kMost && end < text.size(); ++i) end = text.find('\n', end) + 1;
  if (is_verbose || end >= text.size()) return text;
  return text.substr(0, end) + "  ... (--verbose lists all)\n";
}

/// What is said beside the verdict.
std::string races_text(const driver::RaceTable& table, const answer::Verdict& verdict,
                       bool is_verbose) {
  if (std::holds_alternative<answer::Unsafe>(verdict)) return {};
  std::string out;
  if (!table.protections.empty()) out += "what keeps threads apart:\n" + table.protections;
  if (table.is_rough && std::holds_alternative<answer::Safe>(verdict)) return out;
  if (table.is_rough)
    out += base::counted(table.open, "pair") +
           " without a common mutex, by a rough analysis that does not distinguish calls of a "
           "function or objects of one allocation:\n" +
           first_lines(table.warnings, is_verbose);
  else if (table.open > 0 && std::holds_alternative<answer::Safe>(verdict))
    out +=
        "kept apart by invariants or by exploration:\n" + first_lines(table.warnings, is_verbose);
  else if (table.open > 0)
    out += "neither confirmed nor excluded:\n" + first_lines(table.warnings, is_verbose);
  if (!table.missing.empty()) out += "no table of variables: " + table.missing + "\n";
  return out;
}

/// Progress goes to the supervisor, which shows it; --verbose keeps milestones.
std::function<void(std::string_view, const base::Event&)> listener(
    const OutputChoice& choice, const driver::WorkerLink& worker) {
  const bool keeps_milestones = choice.verbose && !choice.quiet;
  if (!choice.progress && !keeps_milestones) return {};
  return [&worker, keeps_milestones](std::string_view engine, const base::Event& event) {
    if (event.milestone && keeps_milestones) output::write_milestone(stderr, engine, event);
    worker.tell(driver::write_progress(engine, event));
  };
}

base::Parsed<driver::Answered> ask(driver::Disk& disk, const VerifyCommand& command) {
  if (!command.jobs) return driver::verify(disk, command.request, command.engines);
  driver::slurm::Slurm slurm;
  driver::slurm::PatientWait wait;
  return driver::slurm::verify_by_jobs(disk, command.request, command.engines, *command.jobs, slurm,
                                       std::ref(wait));
}

int run(VerifyCommand& command, const driver::WorkerLink& worker) {
  driver::RealDisk disk;
  const auto inputs = driver::input_files(disk, command.request.file, command.request.question);
  std::vector<std::string> outputs = {command.picture};
  for (const driver::WantedOutput& wanted : command.outputs) outputs.push_back(wanted.path);
  if (const auto claimed = driver::claim_outputs(disk, inputs, outputs); !claimed)
    return reject(claimed.error());

  const bool has_table = command.races && !command.output.json && !command.output.quiet;
  const TimePoint before = std::chrono::steady_clock::now();
  const driver::RaceTable table = has_table ? table_for(disk, command) : driver::RaceTable{};
  if (has_table && command.request.budget.time)
    *command.request.budget.time -= std::chrono::steady_clock::now() - before;
  command.request.on_event = listener(command.output, worker);
  auto answered = ask(disk, command);
  if (!answered) return reject(answered.error());
  const auto files = stored_files(disk, command, *answered);
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const std::string more =
      has_table ? races_text(table, answered->report.verdict, command.output.verbose) : "";
  int code = print(verify_text(*answered, command) + more, driver::exit_code(answered->report));
  for (const driver::OutputFile& file : files)
    if (!store(disk, file, worker)) code = kBadInput;
  if (!store_picture(disk, command, *answered, worker) && code == kDone) code = kBadInput;
  return finish(*answered, code);
}

/// Evidence up to a bound leaves open what was asked without one.
bool answers_the_question(const driver::Answered& answered) {
  return answered.report.check.status != answer::EvidenceStatus::Confirmed ||
         !std::holds_alternative<answer::SafeUpTo>(answered.report.verdict) ||
         model::contexts_of(answered.task);
}

int run(const CheckCommand& command, const driver::WorkerLink&) {
  const driver::RealDisk disk;
  const auto answered = driver::recheck(disk, command.request);
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const int code = answers_the_question(*answered)
                       ? driver::exit_code(answered->report.check.status)
                       : driver::exit_code(answered->report);
  return finish(
      *answered,
      print(answer_text(*answered, command.output, &output::ReportRow::recheck_text), code));
}

int run(const EnginesCommand& command) {
  return print(command.json ? engines_json(command.name) : engines_text(command.name), kDone);
}

int run(const FormatsCommand& command) {
  return print(command.json ? formats_json() : formats_text(), kDone);
}

int run(const GenerateCommand& command) {
  driver::RealDisk disk;
  const bool stored = std::ranges::all_of(
      command.files, [&](const driver::OutputFile& file) { return store(disk, file); });
  return stored ? kDone : kBadInput;
}

int run(const PrintCommand& command) { return print(command.text, kDone); }

driver::WorkerStreams streams_of(const ReplayCommand& command) {
  return command.all ? driver::WorkerStreams::KeptBack : driver::WorkerStreams::Own;
}
driver::WorkerStreams streams_of(const auto&) { return driver::WorkerStreams::KeptBack; }

/// What is shown on a terminal before engines start, and then.
std::optional<output::ProgressBoard> progress_of(const VerifyCommand& command) {
  if (!command.output.progress) return std::nullopt;
  const std::string& file = command.request.file;
  return output::ProgressBoard("reading " + file, "working on " + file);
}
std::optional<output::ProgressBoard> progress_of(const CheckCommand& command) {
  if (!command.output.progress) return std::nullopt;
  const std::string what = "checking " + command.request.evidence;
  return output::ProgressBoard(what, what);
}
/// The worker talks with the user itself.
std::optional<output::ProgressBoard> progress_of(const ReplayCommand&) { return std::nullopt; }
std::optional<output::ProgressBoard> progress_of(const auto& command) {
  if (!is_terminal(STDERR_FILENO)) return std::nullopt;
  const std::string what = "working on " + command.request.file;
  return output::ProgressBoard(what, what);
}

const driver::Budget& budget_of(const TranslateCommand& command) { return command.budget; }
const driver::Budget& budget_of(const auto& command) { return command.request.budget; }

template <class C>
concept ReadsModels =
    requires(C& command, const Unanswered& unanswered) { unanswered_text(command, unanswered); };

/// Somebody listens, terminal or not.
void report_events(VerifyCommand& command) { command.output.progress = true; }
void report_events(auto&) {}

int start(auto& command, TimePoint, const EventPipe*) { return run(command); }

int start(BatchCommand& batch, TimePoint now, const EventPipe* events);

int start(ReadsModels auto& command, TimePoint start, const EventPipe* events) {
  if (events) report_events(command);
  return run_in_worker(
      [&](const driver::WorkerLink& worker) { return run(command, worker); },
      {command.request.file, budget_of(command).from(start), streams_of(command),
       progress_of(command), events},
      [&](const Unanswered& unanswered) { return unanswered_text(command, unanswered); });
}

/// One model after the other; each has all of the time. After an interrupt none follows.
int start(BatchCommand& batch, TimePoint, const EventPipe* events) {
  int worst = kDone;
  for (VerifyCommand& command : batch.commands)
    worst = driver::worse_code(worst, start(command, std::chrono::steady_clock::now(), events));
  return worst;
}

int run_arguments(const std::vector<std::string>& arguments, const EventPipe* events) {
  const TimePoint now = std::chrono::steady_clock::now();
  auto command = parse_arguments(arguments);
  if (command) return std::visit([&](auto& known) { return start(known, now, events); }, *command);
  const UsageError& error = command.error();
  complain("heddle: error: " + error.message + "\n");
  if (!error.hint.empty()) complain("  hint: " + error.hint + "\n");
  return error.in_settings ? kBadInput : kUsage;
}

}  // namespace

}  // namespace heddle::cli

int main(int argc, char** argv) {
  const auto events = heddle::cli::EventPipe::from_environment();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    const int code = heddle::cli::run_arguments(arguments, events ? &*events : nullptr);
    if (events) events->tell_end(code);
    return code;
  } catch (const std::exception& error) {
    heddle::cli::complain("heddle: internal error: " + std::string(error.what()) + "\n");
    return heddle::cli::kInternalError;
  }
}
