#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <string>

#include "driver/bench/runner.hpp"

namespace heddle::driver::bench {

/// A pipe that remembers the end of what came through.
class OutputTail {
 public:
  /// Throws std::system_error if the system has no pipe to give.
  OutputTail();
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// Takes what is there, without blocking.
  void receive();
  bool closed() const { return descriptor_ < 0; }  ///< by all who could write
  int descriptor() const { return descriptor_; }   ///< to read from
  int write_end() const { return write_end_; }     ///< for the child
  void close_write_end();
  std::string take() { return std::move(text_); }

 private:
  int descriptor_ = -1;
  int write_end_ = -1;
  std::string text_;
};

/// One command as a process group. Killed and reaped when it goes out of scope.
class Process {
 public:
  explicit Process(const Command& command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Looks after the process: takes its output, kills it if it is overdue, reaps it if it ended.
  void attend();
  bool ended() const { return id_ < 0; }
  ProcessEnd take_end() { return std::move(end_); }

  std::array<OutputTail, 2>& outputs() { return outputs_; }
  std::optional<std::chrono::steady_clock::time_point> kill_at() const { return kill_at_; }

 private:
  bool has_ended() const;
  void kill_group() const;
  void reap();

  std::chrono::steady_clock::time_point started_;
  std::optional<std::chrono::steady_clock::time_point> kill_at_;
  std::array<OutputTail, 2> outputs_;  ///< standard output and standard error
  pid_t id_ = -1;
  ProcessEnd end_;
};

}  // namespace heddle::driver::bench
