#pragma once

/// What an answer can be stored as, beside being printed. Each form is a row: its option, its text,
/// and why there may be none.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "driver/verify.hpp"

namespace heddle::driver {

struct OutputRow {
  std::string_view name;         ///< of the option: "evidence"
  std::string_view placeholder;  ///< "OUT.json"
  std::string_view help;
  bool of_cutoffs;  ///< does `heddle cutoff` have it, too?
  /// Nothing if the answer has no such form.
  std::optional<std::string> (*text)(const Disk& disk, const Answered& answered,
                                     const std::string& path);
  std::string_view missing;  ///< why there is none: "there is no evidence"
};

std::span<const OutputRow> output_table();

struct WantedOutput {
  const OutputRow* row;
  std::string path;
};

}  // namespace heddle::driver
