#include "cli/cutoff_command.hpp"

#include <unistd.h>

#include <cstdio>

#include "cli/terminal.hpp"
#include "driver/disk.hpp"
#include "driver/outputs.hpp"
#include "output/cutoff_text.hpp"
#include "output/progress.hpp"

namespace heddle::cli {

namespace {

using driver::CutoffAnswered;

std::string answer_text(const CutoffAnswered& answered, const OutputChoice& choice) {
  if (choice.json) return output::cutoff_json(answered.task, answered.asked, answered.report);
  return output::cutoff_text(answered.task, answered.asked, answered.report, text_options(choice));
}

bool store(driver::Disk& disk, const std::string& path, const std::string& bytes,
           const driver::LiftDeadline& lift_deadline) {
  lift_deadline();
  const auto written = disk.write(path, bytes);
  if (!written) complain(path + ": error: cannot be written: " + written.error() + "\n");
  return written.has_value();
}

bool store_evidence(driver::Disk& disk, const CutoffCommand& command,
                    const CutoffAnswered& answered, const driver::LiftDeadline& lift_deadline) {
  if (!command.evidence) return true;
  const auto text = driver::evidence_text(answered);
  return !text || store(disk, *command.evidence, *text, lift_deadline);
}

bool draw(driver::Disk& disk, const CutoffCommand& command, const CutoffAnswered& answered,
          const driver::LiftDeadline& lift_deadline) {
  if (command.picture.empty()) return true;
  const auto bytes = driver::cutoff_picture(answered, command.format);
  if (bytes) return store(disk, command.picture, *bytes, lift_deadline);
  complain(base::render(bytes.error()));
  return false;
}

}  // namespace

int run(CutoffCommand& command, const driver::LiftDeadline& lift_deadline) {
  driver::RealDisk disk;
  const auto inputs = driver::input_files(disk, command.request.file, command.request.question);
  if (const auto claimed =
          driver::claim_outputs(disk, inputs, {command.evidence.value_or(""), command.picture});
      !claimed)
    return reject(claimed.error());

  output::ProgressLine progress = progress_line(command.output);
  command.request.on_event = progress.listener();
  auto answered = driver::find_cutoff(disk, command.request);
  progress.clear();
  if (!answered) return reject(answered.error());
  if (command.evidence && !driver::evidence_text(*answered))
    answered->asked.warnings.push_back(nothing_to_store(*command.evidence));
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  int code = print(answer_text(*answered, command.output), driver::exit_code(answered->report));
  if (answered->interrupted_by) return kBySignal + *answered->interrupted_by;
  if (!store_evidence(disk, command, *answered, lift_deadline)) code = kBadInput;
  if (!draw(disk, command, *answered, lift_deadline) && code == kDone) code = kBadInput;
  return code;
}

int recheck_cutoff(const CheckCommand& command) {
  const driver::RealDisk disk;
  const auto answered = driver::recheck_cutoff(disk, command.request);
  if (!answered) return reject(answered.error());
  if (!command.output.quiet) complain(base::render(answered->asked.warnings));
  const auto status = answered->report.check.status;
  const int code = status == answer::EvidenceStatus::Confirmed ? kDone
                   : status == answer::EvidenceStatus::Refuted ? kRefuted
                                                               : kNotChecked;
  const std::string text =
      command.output.json
          ? output::cutoff_json(answered->task, answered->asked, answered->report)
          : output::cutoff_recheck_text(answered->task, answered->asked, answered->report,
                                        text_options(command.output));
  const int printed = print(text, code);
  return answered->interrupted_by ? kBySignal + *answered->interrupted_by : printed;
}

}  // namespace heddle::cli
