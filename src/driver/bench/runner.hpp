#pragma once

/// Commands run side by side, each in a process of its own with hard limits. An interface, so that
/// tests of what is run when need neither processes nor a clock.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver::bench {

struct Command {
  std::vector<std::string> words;                      ///< the program first
  std::optional<std::chrono::duration<double>> limit;  ///< killed then, with all its descendants
  std::optional<std::uint64_t> memory_mb;              ///< of each process's data segment
};

struct ProcessEnd {
  std::optional<int> code;    ///< nothing: ended by a signal
  std::optional<int> signal;  ///< of somebody else; nothing if it was killed at its limit
  bool overdue = false;       ///< killed at its limit
  std::string output;         ///< standard output; of a long one the end
  std::string errors;         ///< standard error; of a long one the end
  double seconds = 0;
  double cpu_seconds = 0;  ///< with all descendants that were waited for
  double peak_memory_mb = 0;
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual void start(std::size_t id, const Command& command) = 0;

  struct Finished {
    std::size_t id;
    ProcessEnd end;
  };
  /// Waits for the next command to end; at least one must be running. Nothing if a signal asked
  /// this process to end: then no command runs any more.
  virtual std::optional<Finished> next() = 0;

  /// The signal after which `next` gave nothing.
  virtual std::optional<int> interrupted_by() const = 0;
};

}  // namespace heddle::driver::bench
