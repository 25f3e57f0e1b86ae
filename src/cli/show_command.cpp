#include "cli/commands.hpp"

#include <cstdio>
#include <string>

#include "cli/terminal.hpp"
#include "driver/disk.hpp"
#include "driver/outputs.hpp"

namespace heddle::cli {

namespace {

void warn_unless_confirmed(const answer::CheckResult& check) {
  const auto warn = [&](const std::string& what) {
    complain("heddle: warning: the evidence " + what + ": " + check.why + "\n");
  };
  switch (check.status) {
    case answer::EvidenceStatus::Confirmed: return;
    case answer::EvidenceStatus::Refuted: return warn("is refuted");
    case answer::EvidenceStatus::NotChecked: return warn("is not checked");
    case answer::EvidenceStatus::OtherQuestion: return warn("answers another question");
  }
}

}  // namespace

Value<driver::PictureFormat> picture_format(std::string_view file_name) {
  if (file_name.ends_with(".svg") || file_name == driver::kStandardStream)
    return driver::PictureFormat::Svg;
  if (file_name.ends_with(".png")) return driver::PictureFormat::Png;
  if (file_name.ends_with(".pdf")) return driver::PictureFormat::Pdf;
  if (file_name.ends_with(".dot")) return driver::PictureFormat::Dot;
  return std::unexpected(
      UsageError{"-o " + std::string(file_name) + ": cannot write a picture of this kind",
                 "use .svg, .png, .pdf or .dot"});
}

int run(const ShowCommand& command, const driver::WorkerLink& worker) {
  driver::RealDisk disk;
  auto inputs = driver::input_files(disk, command.request.file, command.request.question);
  if (command.request.evidence) inputs.push_back(*command.request.evidence);
  if (const auto claimed = driver::claim_outputs(disk, inputs, {command.output}); !claimed)
    return reject(claimed.error());
  const auto picture = driver::show(disk, command.request);
  if (!picture) return reject(picture.error());
  if (picture->interrupted_by) return kBySignal + *picture->interrupted_by;
  complain(base::render(picture->warnings));
  warn_unless_confirmed(picture->check);
  const int code = driver::exit_code(picture->check.status);
  if (command.output.empty()) return print(picture->bytes, code);
  worker.lift_deadline();
  const auto written = disk.write(command.output, picture->bytes);
  if (written) return code;
  return reject(driver::complaint(command.output, "cannot be written: " + written.error()));
}

}  // namespace heddle::cli
