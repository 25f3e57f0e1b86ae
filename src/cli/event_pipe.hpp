#pragma once

/// How a program that embeds us (libheddle) hears what is going on. The environment variable
/// HEDDLE_EVENTS is the number of the descriptor of a pipe; on it there is one JSON object a line:
///
///     {"engine": "backward", "phase": "search", "milestone": false, "figures": {"elements": 12}}
///     {"exit": 10}
///
/// The last line is the exit code. Nobody waits for the reader: an event that does not fit into the
/// pipe is dropped. When the reader has closed the pipe, or has died, the command is interrupted.

#include <optional>
#include <string_view>

#include "base/run_context.hpp"

namespace heddle::cli {

class EventPipe {
 public:
  /// Nothing if there is no such variable, or it is not a pipe that can be written.
  static std::optional<EventPipe> from_environment();

  void tell(std::string_view engine, const base::Event& event) const;
  void tell_end(int exit_code) const;
  bool is_abandoned() const;

 private:
  explicit EventPipe(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace heddle::cli
