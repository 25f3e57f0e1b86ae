#pragma once

/// Runs the built program, as a user would.

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::regress {

struct Outcome {
  int exit_code = -1;  ///< 128 + n if signal n ended it, as in a shell
  std::string out;
  std::string err;
};

/// Runs the program named by the environment's HEDDLE_BINARY with an empty standard input.
Outcome run_heddle(const std::vector<std::string>& arguments);

/// A directory of its own for every object, removed with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::regress
