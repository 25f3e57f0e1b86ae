#pragma once

/// What a record is about, in sixteen characters: the contents of all files that the run may read
/// (the model, its property file, whatever stands beside it), the case's options, the tool with its
/// options, the limits, and the program. A suite that is edited between two runs is told by it,
/// case by case. Files that a model includes are not followed.

#include <string>

#include "driver/bench/tool.hpp"
#include "driver/disk.hpp"
#include "output/bench/record.hpp"

namespace heddle::driver::bench {

class CaseKeys {
 public:
  /// `header`: version and build are taken from it.
  CaseKeys(const Disk& disk, Limits limits, const output::bench::Header& header);

  std::string key(const Case& entry, const Tool& tool) const;

 private:
  const Disk& disk_;
  Limits limits_;
  std::string program_;
};

/// The tool with its options, as the head of a result file tells it.
std::string words_of(const Tool& tool);
/// "5 s 100 MB a case".
std::string words_of(const Limits& limits);

}  // namespace heddle::driver::bench
