#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>

#include "driver/bench/runner.hpp"
#include "driver/interrupt_watch.hpp"

namespace heddle::driver::bench {

class Process;

/// Real processes. While one exists, signals that ask to end wait for it (see InterruptWatch).
class ProcessRunner final : public Runner {
 public:
  ProcessRunner();
  ~ProcessRunner() override;

  /// Throws std::system_error if the system has no process or pipe to give.
  void start(std::size_t id, const Command& command) override;
  std::optional<Finished> next() override;
  std::optional<int> interrupted_by() const override { return interrupted_by_; }

 private:
  void wait_for_activity();
  void wait_for_signal() const;
  std::optional<Finished> finished_one();

  InterruptWatch interrupts_;
  std::map<std::size_t, std::unique_ptr<Process>> running_;
  std::optional<int> interrupted_by_;
};

}  // namespace heddle::driver::bench
