#pragma once

/// A whole command in a child process, the worker: reading, preparing, engines, checks, rendering.
/// The supervisor, which is the process that the user started, does nothing but watch the clock,
/// the signals and the worker. So no input, whatever it makes us do, gets around a limit.
///
/// The worker's standard output is kept back until the worker has ended well, and dropped
/// otherwise: there is either its answer as a whole or the one that the caller gives instead. Its
/// standard error is passed on as it comes.
///
/// Time: engines and checks are told the deadline and are killed `kGrace` after it; then the worker
/// has until `kWorkerGrace` after the deadline to say what it knows; then it is killed, too, and
/// the supervisor speaks. It waits for nobody who is on the way out longer than `kLastGrace`.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/run_context.hpp"
#include "driver/child_process.hpp"

namespace heddle::driver {

/// How long past its deadline a child process of the worker may live: time to send what it has.
inline constexpr std::chrono::milliseconds kGrace{80};
inline constexpr std::chrono::milliseconds kWorkerGrace{150};
inline constexpr std::chrono::milliseconds kLastGrace{180};

/// How long after an interrupt the worker may live. A second interrupt ends it at once.
inline constexpr std::chrono::milliseconds kInterruptGrace{300};

/// The limits of a process that does what a worker does. Without a limit of memory, the machine's.
ChildLimits worker_limits(const base::Limits& limits);

/// What the worker can tell its supervisor.
struct WorkerLink {
  /// The time limit does not hold any more: what is left to do is to write finished results, or to
  /// talk with the user.
  std::function<void()> lift_deadline;
  /// A message for the display.
  std::function<void(std::string_view)> tell;
};
/// Runs in the worker and returns an exit code.
using WorkerBody = std::function<int(const WorkerLink&)>;

/// What is seen while the worker runs, shown by the supervisor: a worker that is busy with reading,
/// or stuck, cannot do that itself.
class Display {
 public:
  virtual ~Display() = default;
  virtual void hear(std::string_view message) = 0;  ///< what the worker tells
  virtual void refresh() = 0;                       ///< called a few times in each second
  virtual void clear() = 0;  ///< before anything else is written, and in the end
};

enum class WorkerStreams {
  KeptBack,  ///< standard output as said above
  Own,       ///< the terminal, or whatever the user gave us: for conversations
};

struct WorkerOutcome {
  std::optional<int> code;            ///< what the body returned, if it came to its end
  std::string output;                 ///< of a body that came to its end
  ChildOutcome end;                   ///< of the worker
  std::optional<int> interrupted_by;  ///< a signal; the worker may have ended well nevertheless
};

/// Runs the body. Of the limits, steps are the body's affair. Throws std::system_error if the
/// system has no process or pipe to give.
WorkerOutcome supervise(const WorkerBody& body, const base::Limits& limits, WorkerStreams streams,
                        Display* display = nullptr);

/// Reaps the worker and all that it left behind, once the answer has been given: with a deadline
/// until `kLastGrace` after it, without one as long as it takes. They die anyway; whoever is reaped
/// is no zombie and is counted in our CPU time.
void await_descendants(const base::Limits& limits);

}  // namespace heddle::driver
