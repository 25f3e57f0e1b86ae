#include "driver/witness.hpp"

#include <chrono>
#include <ctime>

#include "base/sha256.hpp"
#include "driver/c_task.hpp"
#include "output/c_witness.hpp"

namespace heddle::driver {

namespace {

std::string now_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

/// A name of the form of a UUID (version 5: from a digest of everything that it is about).
std::string uuid_of(const output::WitnessHead& head, const std::string& engine) {
  std::string all = head.creation_time + engine;
  for (const output::WitnessFile& file : head.files) all += file.name + file.sha256;
  std::string digest = base::sha256(all).substr(0, 32);
  digest[12] = '5';
  digest[16] = '8';
  for (const std::size_t at : {20, 16, 12, 8}) digest.insert(at, 1, '-');
  return digest;
}

}  // namespace

std::optional<std::string> witness_text(const Disk& disk, const Answered& answered,
                                        const std::string& path) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&answered.report.verdict);
  const auto* task = std::get_if<model::CTask>(&answered.task);
  if (!unsafe || !task) return std::nullopt;
  // A run that does not end has no last line, which both formats demand of a violation.
  if (is_about_ending(task->question.targets.front())) return std::nullopt;
  output::WitnessHead head;
  for (const std::string& file : answered.asked.program_files)
    head.files.push_back({file, base::sha256(disk.read(file).value_or(""))});
  head.creation_time = now_text();
  head.uuid = uuid_of(head, answered.report.engine);
  return output::violation_witness(
      *task, std::get<model::c::Run>(unsafe->trace), head,
      is_task_file(path) ? output::WitnessFormat::Yaml : output::WitnessFormat::GraphMl);
}

}  // namespace heddle::driver
