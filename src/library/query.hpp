#pragma once

/// What stands behind `heddle_query`.

#include <heddle/heddle.h>

#include <optional>
#include <string>
#include <vector>

struct heddle_query {
  std::vector<std::string> arguments;    ///< options, as the command line has them
  std::vector<std::string> clang_flags;  ///< behind `--`
  std::optional<std::string> evidence;
  heddle_progress progress = nullptr;
  void* progress_data = nullptr;
  int cancel_signal = -1;  ///< an eventfd: readable once somebody has cancelled

  heddle_query();
  ~heddle_query();
  heddle_query(const heddle_query&) = delete;
  heddle_query& operator=(const heddle_query&) = delete;
};
