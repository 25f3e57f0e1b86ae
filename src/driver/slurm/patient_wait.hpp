#pragma once

#include <poll.h>

#include <functional>
#include <optional>

#include "driver/interrupt_watch.hpp"

namespace heddle::driver::slurm {

/// Waits so many seconds; a signal that asked this process to end meanwhile is returned at once.
using Wait = std::function<std::optional<int>(double seconds)>;

/// The real one. While it exists, signals that ask to end wait for it (see InterruptWatch).
class PatientWait {
 public:
  std::optional<int> operator()(double seconds) {
    pollfd descriptor{interrupts_.descriptor(), POLLIN, 0};
    poll(&descriptor, 1, static_cast<int>(1000 * seconds));
    return interrupts_.arrived();
  }

 private:
  InterruptWatch interrupts_;
};

}  // namespace heddle::driver::slurm
