#pragma once

/// Runs the built program, as a user would.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heddle::test {

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

/// Throws std::runtime_error if there is no such file.
std::string read_text(const std::filesystem::path& path);

struct ProgramEnd {
  int code = -1;  ///< 128 + n if signal n ended it, as in a shell
  std::string out;
  std::string err;
};

/// Runs the program named by the environment's HEDDLE_BINARY with an empty standard input, in this
/// folder (here if it is empty). `on_start` gets the process id; if it throws, the process is
/// killed and reaped first.
ProgramEnd run_heddle(const std::vector<std::string>& arguments,
                      const std::filesystem::path& folder = {},
                      const std::function<void(int)>& on_start = nullptr);

}  // namespace heddle::test
