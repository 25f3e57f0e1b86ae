#include "cli/translate_command.hpp"

#include <vector>

#include "base/diagnostic.hpp"
#include "cli/terminal.hpp"
#include "driver/disk.hpp"

namespace heddle::cli {

namespace {

/// The model last, so that whoever sees it sees its targets as well.
int store(driver::Disk& disk, const std::string& out, const driver::TranslatedFile& translated) {
  std::vector<driver::OutputFile> files;
  if (translated.property) files.push_back(*translated.property);
  files.push_back({out, translated.text});
  for (const driver::OutputFile& file : files)
    if (const auto written = disk.write(file.path, file.text); !written)
      return reject(driver::complaint(file.path, "cannot be written: " + written.error()));
  return kDone;
}

}  // namespace

int run(const TranslateCommand& command, const driver::LiftDeadline& lift_deadline) {
  driver::RealDisk disk;
  const auto translated = driver::translate(disk, command.request);
  if (!translated) return reject(translated.error());
  const auto& out = command.request.out;
  if (out) lift_deadline();
  const int code = out ? store(disk, *out, *translated) : print(translated->text, kDone);
  if (command.quiet || code != kDone) return code;
  complain(base::render(translated->warnings));
  for (const std::string& note : translated->notes) complain("heddle: note: " + note + "\n");
  return code;
}

}  // namespace heddle::cli
