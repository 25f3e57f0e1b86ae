#pragma once

/// Functions run in forked child processes, with hard limits. Solvers crash, loop and exhaust
/// memory; in a child that costs the child only.
///
/// The child dies with its parent whatever ends the parent, writes no core file, and never returns
/// to the parent's code: no exit handler runs and no buffer is flushed twice. A `ChildProcess` that
/// goes out of scope is killed.
///
/// Nobody waits for a process that is on its way out. The kernel takes about 0.3 s to free a
/// gigabyte, and only then closes the pipe and lets the process be reaped. So a child has ended,
/// for its parent, once its result has arrived or it has been killed; `reap_departed` collects it
/// later.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/frame.hpp"
#include "driver/interrupt_watch.hpp"
#include "driver/launch.hpp"

namespace heddle::driver {

using TimePoint = std::chrono::steady_clock::time_point;

struct ChildLimits {
  std::optional<TimePoint> kill_at;        ///< the parent kills the child then
  std::optional<std::uint64_t> memory_mb;  ///< of the data segment; then allocations fail
};

enum class ChildEnd {
  Result,       ///< the job returned
  OutOfMemory,  ///< std::bad_alloc, or GMP could not allocate
  Exception,    ///< the job threw something else
  Crash,        ///< a signal that we did not send, or an exit without a result
  Overdue,      ///< killed at its time limit
  Stopped,      ///< killed because nobody wanted its result any more
};

/// How a child process ended.
struct ChildOutcome {
  ChildEnd end = ChildEnd::Crash;
  std::string text;  ///< of Result: the result; otherwise what happened, in words
  double seconds = 0;
  double peak_memory_mb = 0;  ///< resident; pages inherited from the parent count
};

/// Runs in the child. The result is what it returns; events are sent while it runs.
using SendEvent = std::function<void(std::string_view)>;
using ChildJob = std::function<std::string(const SendEvent&)>;

class ChildProcess {
 public:
  /// Forks. Throws std::system_error if the system has no process or pipe to give.
  ChildProcess(const ChildJob& job, ChildLimits limits, ChildGroup group = ChildGroup::Own);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Takes what the child has sent so far, without blocking; returns the events among it.
  std::vector<std::string> receive();

  /// Its result has arrived, or there will be none. `receive` finds that out.
  bool ended() const { return ended_; }
  const ChildOutcome& outcome() const { return outcome_; }

  /// Kills the child if it is still running. It has ended then.
  void stop();
  /// Kills the child if its time is over; `receive` will then find the end.
  void kill_if_overdue(TimePoint now);
  void set_kill_at(std::optional<TimePoint> time) { kill_at_ = time; }

  /// Lets the child sleep until `resume`. A sleeping child can be killed, dies with its parent,
  /// and is killed when it is overdue; what it has sent can be received.
  void pause();
  void resume();
  /// The processor time that it has used so far, all its threads together. Of a child that has
  /// ended, or on a system that does not tell: nothing.
  std::optional<std::chrono::duration<double>> processor_time() const;

  pid_t id() const { return id_; }
  int descriptor() const { return descriptor_; }  ///< readable when `receive` has something to do
  std::optional<TimePoint> kill_at() const { return kill_at_; }  ///< nothing once it is killed

 private:
  void take(Frame frame, std::vector<std::string>& events);
  bool read_frames(std::vector<std::string>& events);
  void kill_with_group(ChildEnd why, std::string text);
  void send_signal(int signal) const;
  void end_without_reaping(ChildEnd end, std::string text);
  void reap();
  void finish(ChildEnd end, std::string text);

  pid_t id_ = -1;
  int descriptor_ = -1;
  ChildGroup group_ = ChildGroup::Own;
  std::optional<TimePoint> kill_at_;
  TimePoint started_{};
  FrameReader reader_;
  std::optional<std::string> result_;
  std::optional<std::string> failure_;
  std::optional<std::pair<ChildEnd, std::string>> killed_;
  bool ended_ = false;
  ChildOutcome outcome_;
};

/// Sleeps until one of the children has something to say or is overdue (it is then killed), there
/// is something to read from one of the `others`, a signal asks this process to end, or the time
/// has come; returns the signal.
std::optional<int> wait_for_activity(std::span<ChildProcess* const> children,
                                     const InterruptWatch& interrupts,
                                     std::span<const int> others = {},
                                     std::optional<TimePoint> until = std::nullopt);

/// Waits for the end of one child; on a signal the child is stopped and the signal returned.
std::optional<int> wait_for_end(ChildProcess& child, const InterruptWatch& interrupts);

/// Waits for the children that have ended but are not gone yet, at most until then; without a time,
/// as long as it takes. Each new `ChildProcess` collects those that are gone.
void reap_departed(std::optional<TimePoint> until = std::nullopt);

}  // namespace heddle::driver
