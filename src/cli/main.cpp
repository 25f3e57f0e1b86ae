#include <unistd.h>

#include <cstdio>
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
#include "cli/terminal.hpp"
#include "cli/translate_command.hpp"
#include "driver/disk.hpp"
#include "driver/recheck.hpp"
#include "driver/verify.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"

namespace heddle::cli {

namespace {

output::TextOptions text_options(const OutputChoice& choice) {
  return {output_style(), choice.verbose, choice.quiet};
}

using ReportText = std::string (*)(const model::Task&, const output::Asked&, const answer::Report&,
                                   const output::TextOptions&);

std::string answer_text(const driver::Answered& answered, const OutputChoice& choice,
                        ReportText text) {
  if (choice.json) return output::report_json(answered.task, answered.asked, answered.report);
  return text(answered.task, answered.asked, answered.report, text_options(choice));
}

/// After an interrupt the answer has been printed; now it takes its effect.
int finish(const driver::Answered& answered, int code) {
  return answered.interrupted_by ? end_by_signal(*answered.interrupted_by) : code;
}

/// Stores the evidence where that was asked for; false if it failed.
bool store_evidence(driver::Disk& disk, const VerifyCommand& command,
                    const driver::Answered& answered) {
  if (!command.evidence) return true;
  const auto text = driver::evidence_text(answered);
  if (!text) {
    complain("heddle: note: there is no evidence, " + *command.evidence + " is not written\n");
    return true;
  }
  const auto written = disk.write(*command.evidence, *text);
  if (!written)
    complain(*command.evidence + ": error: cannot be written: " + written.error() + "\n");
  return written.has_value();
}

int run(VerifyCommand& command) {
  driver::RealDisk disk;
  if (command.evidence)
    if (const auto writable = disk.probe(*command.evidence); !writable)
      return reject(driver::complaint(*command.evidence, "cannot be written: " + writable.error()));

  output::ProgressLine progress = progress_line(command.output);
  command.request.on_event = progress.listener();
  const auto answered = driver::verify(disk, command.request, command.engines);
  progress.clear();
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const int code = print(answer_text(*answered, command.output, output::report_text),
                         driver::exit_code(answered->report));
  const bool stored = store_evidence(disk, command, *answered);
  return finish(*answered, stored ? code : kBadInput);
}

int run(const CheckCommand& command) {
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

int run_arguments(const std::vector<std::string>& arguments) {
  auto command = parse_arguments(arguments);
  if (command) return std::visit([](auto& known) { return run(known); }, *command);
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
