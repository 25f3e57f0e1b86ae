#include "driver/supervisor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "driver/frame.hpp"

namespace heddle::driver {

namespace {

using std::chrono::steady_clock;

constexpr const char* kLifted = "deadline lifted";
const std::string kMessage = "display ";
/// Short runs show nothing.
constexpr std::chrono::milliseconds kBetweenRefreshes{250};
constexpr int kLargePipe = 1 << 20;
constexpr std::chrono::microseconds kBetweenLooks{200};

/// The maps of the address sanitizer exceed any limit. GCC and Clang have two ways to tell.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
constexpr bool kAddressSanitizer = false;
#endif

/// What no process should take more of: beyond it the machine swaps, or the system ends whom it
/// likes.
std::optional<std::uint64_t> machine_memory_mb() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  if (kAddressSanitizer || pages <= 0 || page <= 0) return std::nullopt;
  return (static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)) >> 20;
}

/// A pipe in the place of one of the worker's standard streams.
class StreamPipe {
 public:
  StreamPipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    fcntl(ends_[1], F_SETPIPE_SZ, kLargePipe);  // fewer changes between processes, if we may
  }
  StreamPipe(const StreamPipe&) = delete;
  StreamPipe& operator=(const StreamPipe&) = delete;
  ~StreamPipe() {
    close_write_end();
    close_read_end();
  }

  /// In the worker: the stream leads here from now on.
  void replace(int stream) const { dup2(ends_[1], stream); }
  /// In the supervisor, so that the pipe ends with its last writer.
  void close_write_end() { close_end(ends_[1]); }
  int read_end() const { return ends_[0]; }
  bool is_open() const { return ends_[0] >= 0; }

  /// What has arrived, without blocking.
  void receive(const std::function<void(std::string_view)>& take) {
    std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
    while (is_open()) {
      const ssize_t size = read(ends_[0], chunk.data(), chunk.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return;
      if (size == 0) return close_read_end();
      take({chunk.data(), static_cast<std::size_t>(size)});
    }
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  void close_read_end() { close_end(ends_[0]); }

  std::array<int, 2> ends_{};
};

class Supervisor {
 public:
  Supervisor(const WorkerBody& body, const base::Limits& limits, WorkerStreams streams,
             Display* display)
      : keeps_output_(streams == WorkerStreams::KeptBack),
        display_(display),
        worker_(job(body), worker_limits(limits), ChildGroup::Parents) {
    output_.close_write_end();
    errors_.close_write_end();
  }

  WorkerOutcome run() {
    while (!worker_.ended()) attend();
    relay();
    if (display_) display_->clear();
    WorkerOutcome outcome;
    outcome.end = worker_.outcome();
    outcome.interrupted_by = interrupted_by_;
    if (outcome.end.end == ChildEnd::Result) {
      outcome.code = std::stoi(outcome.end.text);
      outcome.output = std::move(kept_);
    }
    return outcome;
  }

 private:
  ChildJob job(const WorkerBody& body) const {
    return [this, &body](const SendEvent& send) {
      if (keeps_output_) {
        output_.replace(STDOUT_FILENO);
        errors_.replace(STDERR_FILENO);
      }
      const int code = body({[&] { send(kLifted); },
                             [&](std::string_view text) {
                               if (display_) send(kMessage + std::string(text));
                             }});
      std::fflush(nullptr);
      return std::to_string(code);
    };
  }

  void attend() {
    ChildProcess* const workers[] = {&worker_};
    std::vector<int> streams;
    for (const StreamPipe* pipe : {&output_, &errors_})
      if (pipe->is_open()) streams.push_back(pipe->read_end());
    std::optional<TimePoint> until;
    if (display_) until = std::max(refreshed_ + kBetweenRefreshes, steady_clock::now());
    const auto signal = wait_for_activity(workers, interrupts_, streams, until);
    relay();
    for (const std::string& event : worker_.receive()) {
      if (event == kLifted) lift_deadline();
      if (display_ && event.starts_with(kMessage)) display_->hear(event.substr(kMessage.size()));
    }
    refresh();
    if (signal) interrupt(*signal);
  }

  void refresh() {
    if (!display_ || worker_.ended() || steady_clock::now() < refreshed_ + kBetweenRefreshes)
      return;
    refreshed_ = steady_clock::now();
    display_->refresh();
  }

  void relay() {
    output_.receive([&](std::string_view text) { kept_ += text; });
    errors_.receive([&](std::string_view text) {
      if (display_) display_->clear();
      write_all(STDERR_FILENO, text);
    });
  }

  void lift_deadline() {
    if (!interrupted_by_) worker_.set_kill_at(std::nullopt);
  }

  /// The worker hears of it, ends its own children and reports, or else ends by us.
  void interrupt(int signal) {
    if (worker_.ended()) return;
    const bool again = std::exchange(interrupted_by_, signal).has_value();
    if (again || !keeps_output_) return worker_.stop();
    kill(worker_.id(), signal);
    const TimePoint last = steady_clock::now() + kInterruptGrace;
    worker_.set_kill_at(std::min(worker_.kill_at().value_or(last), last));
  }

  bool keeps_output_;
  Display* display_;
  TimePoint refreshed_ = steady_clock::now();
  InterruptWatch interrupts_;
  StreamPipe output_;
  StreamPipe errors_;
  std::string kept_;
  std::optional<int> interrupted_by_;
  ChildProcess worker_;
};

}  // namespace

ChildLimits worker_limits(const base::Limits& limits) {
  ChildLimits hard;
  if (limits.deadline) hard.kill_at = *limits.deadline + kWorkerGrace;
  hard.memory_mb = limits.memory_mb ? limits.memory_mb : machine_memory_mb();
  return hard;
}

WorkerOutcome supervise(const WorkerBody& body, const base::Limits& limits, WorkerStreams streams,
                        Display* display) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a killed worker leaves behind is ours to reap
  return Supervisor(body, limits, streams, display).run();
}

void await_descendants(const base::Limits& limits) {
  if (!limits.deadline) {
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) continue;
    return;
  }
  const TimePoint last = std::max(*limits.deadline + kLastGrace, steady_clock::now());
  while (true) {
    const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
    if (reaped < 0) return;
    if (reaped > 0) continue;
    if (steady_clock::now() >= last) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace heddle::driver
