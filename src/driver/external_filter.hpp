#pragma once

#include <expected>
#include <string>
#include <vector>

namespace heddle::driver {

struct FilterError {
  bool missing = false;  ///< there is no such program
  std::string why;
};

/// Runs another program (found in PATH) with `input` as its standard input; returns what it wrote
/// to standard output, or the first lines of its complaint if it failed.
std::expected<std::string, FilterError> run_filter(const std::vector<std::string>& command,
                                                   const std::string& input);

}  // namespace heddle::driver
