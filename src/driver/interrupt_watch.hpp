#pragma once

#include <signal.h>

#include <optional>

namespace heddle::driver {

/// While one exists, SIGINT, SIGTERM and SIGHUP (those that the process does not ignore) end
/// nothing by themselves: they wait to be asked for. There is no handler and no global.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  int descriptor() const { return descriptor_; }  ///< readable when a signal waits
  /// The signal that has arrived since the last call, if any.
  std::optional<int> arrived() const;

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

/// A child process must not inherit the waiting: gives the signals their default effect.
void let_interrupts_through();

}  // namespace heddle::driver
