#include "driver/bench/case_key.hpp"

#include <fmt/format.h>

#include "driver/bench/fingerprint.hpp"
#include "driver/question.hpp"

namespace heddle::driver::bench {

CaseKeys::CaseKeys(const Disk& disk, Limits limits, const output::bench::Header& header)
    : disk_(disk),
      limits_(std::move(limits)),
      program_(output::bench::header_value(header, "version") + " " +
               output::bench::header_value(header, "build")) {}

std::string CaseKeys::key(const Case& entry, const Tool& tool) const {
  Fingerprint fingerprint;
  QuestionOptions options;
  if (!entry.target.empty()) options.property = entry.target;
  for (const std::string& file : input_files(disk_, entry.file, options)) {
    const auto text = disk_.peek(file);
    fingerprint.add(text ? "there" : "missing");
    if (text) fingerprint.add(*text);
  }
  const bool is_file = disk_.exists(entry.target);  // then its place does not matter
  for (const std::string& option : {entry.format, is_file ? std::string() : entry.target,
                                    entry.initial, std::string(to_string(entry.expected))})
    fingerprint.add(option);
  fingerprint.add(words_of(tool));
  fingerprint.add(words_of(limits_));
  fingerprint.add(program_);
  return fingerprint.hex();
}

std::string words_of(const Tool& tool) {
  if (const auto* other = std::get_if<OtherTool>(&tool.how))
    return other->command + (other->rules.words.empty() ? "" : " (" + other->rules.words + ")");
  std::string out = "verify";
  for (const std::string& word : std::get<OwnTool>(tool.how).arguments) out += " " + word;
  return out;
}

std::string words_of(const Limits& limits) {
  std::string out;
  if (limits.time) out += fmt::format("{:g} s ", limits.time->count());
  if (limits.memory_mb) out += fmt::format("{} MB ", *limits.memory_mb);
  return out + (out.empty() ? "none" : "a case");
}

}  // namespace heddle::driver::bench
