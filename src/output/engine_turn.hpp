#pragma once

namespace heddle::output {

/// A stretch of time in which an engine had a processor, in seconds since the engines began.
struct EngineTurn {
  double from = 0;
  double to = 0;
  bool is_check = false;  ///< of the engine's claim
};

}  // namespace heddle::output
