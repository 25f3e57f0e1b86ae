#pragma once

/// Runs the real program in a folder of its own.

#include <filesystem>
#include <string>
#include <vector>

#include "support/run_heddle.hpp"

namespace heddle::cli {

using Outcome = test::ProgramEnd;

class BinaryTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  std::filesystem::path at(const std::string& name) const { return folder() / name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(at(name)); }
  std::size_t file_count() const;
  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Runs `heddle` with these arguments in the folder. `on_start` gets the process id.
  Outcome heddle(const std::vector<std::string>& arguments, void (*on_start)(int) = nullptr) const;

 private:
  test::TemporaryDirectory folder_;
};

/// Three shared and five local states; 2|4,4 is reachable with two threads, 2|0,1 is not.
inline constexpr const char* kLock =
    "3 5\n"
    "# main.c:7: lock(m)\n"
    "0 0 -> 1 1\n"
    "1 1 -> 1 2\n"
    "1 2 +> 1 0\n"
    "1 2 -> 0 3\n"
    "0 3 -> 2 4 3 ~> 4\n";

inline constexpr const char* kNet =
    "vars\nx y z\nrules\n"
    "x >= 1 -> x' = x - 1, y' = y + 2;\n"
    "y >= 2 -> y' = y - 2, z' = z + 1;\n"
    "init\nx >= 1, y = 0, z = 0\ntarget\nz >= 3\n";

/// Backward search counts down from two thousand million, one by one.
inline constexpr const char* kEndlessNet =
    "vars\np q\nrules\nq >= 1 -> p' = p + 1;\n"
    "init\np = 0, q = 1\ntarget\np >= 2000000000\n";

}  // namespace heddle::cli
