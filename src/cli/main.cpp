#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/bench_command.hpp"
#include "cli/command.hpp"
#include "cli/cutoff_command.hpp"
#include "cli/listing.hpp"
#include "cli/options.hpp"
#include "cli/replay_command.hpp"
#include "cli/show_command.hpp"
#include "cli/supervised.hpp"
#include "cli/terminal.hpp"
#include "cli/translate_command.hpp"
#include "driver/disk.hpp"
#include "driver/outputs.hpp"
#include "driver/recheck.hpp"
#include "driver/verify.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"

namespace heddle::cli {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

using ReportText = std::string (*)(const model::Task&, const output::Asked&, const answer::Report&,
                                   const output::TextOptions&);

std::string answer_text(const driver::Answered& answered, const OutputChoice& choice,
                        ReportText text) {
  if (choice.json) return output::report_json(answered.task, answered.asked, answered.report);
  return text(answered.task, answered.asked, answered.report, text_options(choice));
}

/// After an interrupt the answer is printed; then the signal takes its effect.
int finish(const driver::Answered& answered, int code) {
  return answered.interrupted_by ? kBySignal + *answered.interrupted_by : code;
}

/// Stores the evidence where that was asked for; false if it failed.
bool store_evidence(driver::Disk& disk, const VerifyCommand& command,
                    const driver::Answered& answered, const driver::LiftDeadline& lift_deadline) {
  if (!command.evidence) return true;
  const auto text = driver::evidence_text(answered);
  if (!text) return true;  // a warning has said so
  lift_deadline();
  const auto written = disk.write(*command.evidence, *text);
  if (!written)
    complain(*command.evidence + ": error: cannot be written: " + written.error() + "\n");
  return written.has_value();
}

int run(VerifyCommand& command, const driver::LiftDeadline& lift_deadline) {
  driver::RealDisk disk;
  const auto inputs = driver::input_files(disk, command.request.file, command.request.question);
  if (const auto claimed = driver::claim_outputs(disk, inputs, {command.evidence.value_or("")});
      !claimed)
    return reject(claimed.error());

  output::ProgressLine progress = progress_line(command.output);
  command.request.on_event = progress.listener();
  auto answered = driver::verify(disk, command.request, command.engines);
  progress.clear();
  if (!answered) return reject(answered.error());
  if (command.evidence && !driver::evidence_text(*answered))
    answered->asked.warnings.push_back(nothing_to_store(*command.evidence));
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const int code = print(answer_text(*answered, command.output, output::report_text),
                         driver::exit_code(answered->report));
  const bool stored = store_evidence(disk, command, *answered, lift_deadline);
  return finish(*answered, stored ? code : kBadInput);
}

int run(const CheckCommand& command, const driver::LiftDeadline&) {
  const driver::RealDisk disk;
  if (driver::holds_cutoff(disk, command.request.evidence)) return recheck_cutoff(command);
  const auto answered = driver::recheck(disk, command.request);
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const int code = exit_code_of(answered->report.check.status);
  return finish(*answered,
                print(answer_text(*answered, command.output, output::recheck_text), code));
}

int run(const EnginesCommand& command) {
  return print(command.json ? engines_json(command.name) : engines_text(command.name), kDone);
}

int run(const FormatsCommand& command) {
  return print(command.json ? formats_json() : formats_text(), kDone);
}

int run(const PrintCommand& command) { return print(command.text, kDone); }

driver::WorkerStreams streams_of(const ReplayCommand& command) {
  return command.all ? driver::WorkerStreams::KeptBack : driver::WorkerStreams::Own;
}
driver::WorkerStreams streams_of(const auto&) { return driver::WorkerStreams::KeptBack; }

const driver::Budget& budget_of(const TranslateCommand& command) { return command.budget; }
const driver::Budget& budget_of(const auto& command) { return command.request.budget; }

template <class C>
concept ReadsModels =
    requires(C& command, const Unanswered& unanswered) { unanswered_text(command, unanswered); };

int start(auto& command, TimePoint) { return run(command); }

int start(ReadsModels auto& command, TimePoint start) {
  return run_in_worker(
      [&](const driver::LiftDeadline& lift_deadline) { return run(command, lift_deadline); },
      command.request.file, budget_of(command).from(start), streams_of(command),
      [&](const Unanswered& unanswered) { return unanswered_text(command, unanswered); });
}

int run_arguments(const std::vector<std::string>& arguments) {
  const TimePoint now = std::chrono::steady_clock::now();
  auto command = parse_arguments(arguments);
  if (command) return std::visit([&](auto& known) { return start(known, now); }, *command);
  const UsageError& error = command.error();
  complain("heddle: error: " + error.message + "\n");
  if (!error.hint.empty()) complain("  hint: " + error.hint + "\n");
  return kUsage;
}

}  // namespace

}  // namespace heddle::cli

int main(int argc, char** argv) {
  try {
    return heddle::cli::run_arguments(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    heddle::cli::complain("heddle: internal error: " + std::string(error.what()) + "\n");
    return heddle::cli::kInternalError;
  }
}
