#include "cli/commands.hpp"

#include <vector>

#include "base/diagnostic.hpp"
#include "cli/terminal.hpp"
#include "driver/disk.hpp"
#include "driver/outputs.hpp"

namespace heddle::cli {

namespace {

/// The model last, so that whoever sees it sees what belongs to it as well.
int store(driver::Disk& disk, const std::string& out, const driver::TranslatedFile& translated) {
  std::vector<driver::OutputFile> files = translated.siblings;
  files.push_back({out, translated.text});
  const auto written = disk.write_all(files);
  if (written) return kDone;
  return reject(
      driver::complaint(written.error().path, "cannot be written: " + written.error().why));
}

}  // namespace

int run(const TranslateCommand& command, const driver::WorkerLink& worker) {
  driver::RealDisk disk;
  const auto& out = command.request.out;
  const auto inputs = driver::input_files(disk, command.request.file, command.request.question);
  if (out)
    if (const auto claimed = driver::claim_outputs(disk, inputs, {*out}); !claimed)
      return reject(claimed.error());
  const auto translated = driver::translate(disk, command.request);
  if (!translated) return reject(translated.error());
  if (out) worker.lift_deadline();
  const int code = out ? store(disk, *out, *translated) : print(translated->text, kDone);
  if (command.quiet || code != kDone) return code;
  complain(base::render(translated->warnings));
  for (const std::string& note : translated->notes) complain("heddle: note: " + note + "\n");
  return code;
}

}  // namespace heddle::cli
