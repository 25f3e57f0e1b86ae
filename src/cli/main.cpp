#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/command.hpp"
#include "cli/listing.hpp"
#include "cli/options.hpp"
#include "driver/disk.hpp"
#include "driver/recheck.hpp"
#include "driver/verify.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"

namespace heddle::cli {

namespace {

constexpr int kDone = 0;
constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kNotChecked = 20;
constexpr int kInternalError = 70;
constexpr int kRefuted = 71;

/// Is this a terminal that understands more than plain text?
bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && kind && std::string_view(kind) != "dumb";
}

void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

/// Prints to standard output; an answer that cannot be printed is not given.
int print(const std::string& text, int code) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return code;
  complain("heddle: error: standard output cannot be written\n");
  return kInternalError;
}

int reject(const base::Diagnostics& diagnostics) {
  complain(base::render(diagnostics));
  return kBadInput;
}

output::TextOptions text_options(const OutputChoice& choice) {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool coloured = is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour);
  return {output::Style(coloured), choice.verbose, choice.quiet};
}

using ReportText = std::string (*)(const model::Task&, const output::Asked&, const answer::Report&,
                                   const output::TextOptions&);

std::string answer_text(const driver::Answered& answered, const OutputChoice& choice,
                        ReportText text) {
  if (choice.json) return output::report_json(answered.task, answered.asked, answered.report);
  return text(answered.task, answered.asked, answered.report, text_options(choice));
}

/// After an interrupt the answer has been printed; now end as the signal would have ended us, so
/// that a shell loop around us ends too.
int finish(const driver::Answered& answered, int code) {
  if (!answered.interrupted_by) return code;
  signal(*answered.interrupted_by, SIG_DFL);
  raise(*answered.interrupted_by);
  return 128 + *answered.interrupted_by;
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

  output::ProgressLine progress(stderr);
  if (is_terminal(STDERR_FILENO) && !command.output.quiet)
    command.request.on_event = [&](std::string_view engine, const base::Event& event) {
      progress.show(engine, event);
    };
  const auto answered = driver::verify(disk, command.request, command.engines);
  progress.clear();
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->warnings));
  const int code = print(answer_text(*answered, command.output, output::report_text),
                         driver::exit_code(answered->report));
  const bool stored = store_evidence(disk, command, *answered);
  return finish(*answered, stored ? code : kBadInput);
}

int check_exit_code(answer::EvidenceStatus status) {
  if (status == answer::EvidenceStatus::Confirmed) return kDone;
  return status == answer::EvidenceStatus::Refuted ? kRefuted : kNotChecked;
}

int run(const CheckCommand& command) {
  const driver::RealDisk disk;
  const auto answered = driver::recheck(disk, command.request);
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->warnings));
  const int code = check_exit_code(answered->report.check.status);
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

int run(const std::vector<std::string>& arguments) {
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
    return heddle::cli::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    heddle::cli::complain("heddle: internal error: " + std::string(error.what()) + "\n");
    return heddle::cli::kInternalError;
  }
}
