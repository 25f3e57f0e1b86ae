#pragma once

/// How a tool is called on a case, and what its words mean.

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "driver/bench/runner.hpp"
#include "driver/bench/suite.hpp"

namespace heddle::driver::bench {

struct Limits {
  std::optional<std::chrono::duration<double>> time;  ///< of a case, on the wall clock
  std::optional<std::uint64_t> memory_mb;
};

/// Reads another tool's verdict. What says "unsafe" is looked for first, since it may contain what
/// says "safe".
struct VerdictRules {
  std::optional<int> unsafe_exit;  ///< exit codes decide before words do
  std::optional<int> safe_exit;
  std::regex unsafe;  ///< sought in each line of the output
  std::regex safe;
  std::string words;  ///< all of it as it was written, by which two runs are told apart
};

/// Heddle itself: always the first.
struct OwnTool {
  std::string program;                 ///< this program
  std::vector<std::string> arguments;  ///< of `verify`, beside those that limits and cases give
};

/// A shell command with `{file}`, `{target}`, `{initial}`, `{timeout}` and `{memory}` in it.
struct OtherTool {
  std::string command;
  VerdictRules rules;
};

inline constexpr const char* kOwnName = "heddle";

struct Tool {
  std::string name;
  std::variant<OwnTool, OtherTool> how;
};

Command command_for(const Tool& tool, const Case& entry, const Limits& limits);

/// What the end of the tool's process says about the case.
output::bench::Record judge(const Tool& tool, const Case& entry, const ProcessEnd& end);

}  // namespace heddle::driver::bench
