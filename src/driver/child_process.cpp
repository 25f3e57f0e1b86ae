#include "driver/child_process.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace heddle::driver {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How the child says how it ended. Running out of memory needs no message, and so no memory.
enum ExitStatus : int { kResultSent = 0, kOutOfMemory = 101, kThrew = 102, kOrphaned = 103 };

// GMP's own reaction to a failed allocation is abort(), which would look like a crash.
void* allocate_or_exit(std::size_t size) {
  void* memory = std::malloc(size);
  if (!memory) _exit(kOutOfMemory);
  return memory;
}

void* reallocate_or_exit(void* old, std::size_t, std::size_t size) {
  void* memory = std::realloc(old, size);
  if (!memory) _exit(kOutOfMemory);
  return memory;
}

void set_limit(int resource, rlim_t value) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  limit.rlim_cur = std::min(value, limit.rlim_max);
  limit.rlim_max = limit.rlim_cur;
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

void settle_in(pid_t parent, const ChildLimits& limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kOrphaned);  // the parent died before the line above
  let_interrupts_through();
  mp_set_memory_functions(allocate_or_exit, reallocate_or_exit, nullptr);
  set_limit(RLIMIT_CORE, 0);
  if (limits.memory_mb) set_limit(RLIMIT_DATA, *limits.memory_mb << 20);
}

/// A thread whose stack finds no room is told to try again.
bool is_out_of_memory(const std::error_code& code) {
  return code == std::errc::not_enough_memory || code == std::errc::resource_unavailable_try_again;
}

/// The whole life of the child.
[[noreturn]] void live(int descriptor, const ChildJob& job) {
  try {
    const std::string result =
        job([&](std::string_view event) { write_frame(descriptor, FrameKind::Event, event); });
    write_frame(descriptor, FrameKind::Result, result);
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemory);
  } catch (const std::system_error& error) {
    if (is_out_of_memory(error.code())) _exit(kOutOfMemory);
    write_frame(descriptor, FrameKind::Failure, error.what());
    _exit(kThrew);
  } catch (const std::exception& error) {
    write_frame(descriptor, FrameKind::Failure, error.what());
    _exit(kThrew);
  } catch (...) {
    write_frame(descriptor, FrameKind::Failure, "an exception of unknown type");
    _exit(kThrew);
  }
  _exit(kResultSent);
}

std::string describe_signal(int signal) {
  const char* name = sigabbrev_np(signal);
  return "killed by signal " + std::to_string(signal) +
         (name ? " (SIG" + std::string(name) + ")" : "");
}

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// The end as the exit status tells it, for a child that left no result.
std::pair<ChildEnd, std::string> explain(int status, std::optional<std::string> failure) {
  // Only the system's own memory killer sends this one behind our back.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return {ChildEnd::OutOfMemory, "killed from outside, most likely by the system for its memory"};
  if (WIFSIGNALED(status)) return {ChildEnd::Crash, describe_signal(WTERMSIG(status))};
  if (WEXITSTATUS(status) == kOutOfMemory) return {ChildEnd::OutOfMemory, "out of memory"};
  if (WEXITSTATUS(status) == kThrew && failure) return {ChildEnd::Exception, std::move(*failure)};
  return {ChildEnd::Crash,
          "exited with status " + std::to_string(WEXITSTATUS(status)) + " and without a result"};
}

std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
  return ends;
}

}  // namespace

ChildProcess::ChildProcess(const ChildJob& job, ChildLimits limits)
    : kill_at_(limits.kill_at), started_(steady_clock::now()) {
  const auto [read_end, write_end] = open_pipe();
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) {
    settle_in(parent, limits);
    live(write_end, job);
  }
  const int error = errno;
  close(write_end);
  descriptor_ = read_end;
  if (id_ < 0) {
    close(read_end);
    throw std::system_error(error, std::generic_category(), "cannot start a process");
  }
  setpgid(id_, id_);  // also here, so that it holds before the child's first line
  fcntl(read_end, F_SETFL, O_NONBLOCK);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  stop();
  id_ = std::exchange(other.id_, -1);
  descriptor_ = std::exchange(other.descriptor_, -1);
  kill_at_ = other.kill_at_;
  started_ = other.started_;
  reader_ = std::move(other.reader_);
  result_ = std::move(other.result_);
  failure_ = std::move(other.failure_);
  killed_ = other.killed_;
  ended_ = other.ended_;
  outcome_ = std::move(other.outcome_);
  return *this;
}

ChildProcess::~ChildProcess() { stop(); }

std::vector<std::string> ChildProcess::receive() {
  std::vector<std::string> events;
  std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
  while (!ended_) {
    const ssize_t size = read(descriptor_, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) break;
    if (size == 0) {
      reap();
      break;
    }
    reader_.append({chunk.data(), static_cast<std::size_t>(size)});
    while (auto frame = reader_.next()) take(std::move(*frame), events);
  }
  return events;
}

void ChildProcess::take(Frame frame, std::vector<std::string>& events) {
  switch (frame.kind) {
    case FrameKind::Event: events.push_back(std::move(frame.payload)); break;
    case FrameKind::Result: result_ = std::move(frame.payload); break;
    case FrameKind::Failure: failure_ = std::move(frame.payload); break;
  }
}

void ChildProcess::kill_group(ChildEnd why) {
  if (id_ < 0 || killed_) return;
  killed_ = why;
  kill_at_.reset();
  if (kill(-id_, SIGKILL) != 0) kill(id_, SIGKILL);
}

void ChildProcess::kill_if_overdue(TimePoint now) {
  if (!ended_ && kill_at_ && now >= *kill_at_) kill_group(ChildEnd::Overdue);
}

void ChildProcess::stop() {
  if (ended_ || id_ < 0) return;
  kill_group(ChildEnd::Stopped);
  reap();
}

void ChildProcess::reap() {
  int status = 0;
  rusage usage{};
  while (wait4(id_, &status, 0, &usage) < 0 && errno == EINTR) continue;
  close(descriptor_);
  descriptor_ = -1;
  ended_ = true;
  outcome_.seconds = duration<double>(steady_clock::now() - started_).count();
  outcome_.cpu_seconds = to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
  outcome_.peak_memory_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  if (result_) {
    outcome_.end = ChildEnd::Result;
    outcome_.text = std::move(*result_);
  } else if (killed_) {
    outcome_.end = *killed_;
    outcome_.text = *killed_ == ChildEnd::Overdue ? "time limit reached" : "stopped";
  } else {
    std::tie(outcome_.end, outcome_.text) = explain(status, std::move(failure_));
  }
}

std::optional<int> wait_for_activity(std::span<ChildProcess* const> children,
                                     const InterruptWatch& interrupts) {
  std::vector<pollfd> descriptors{{interrupts.descriptor(), POLLIN, 0}};
  std::optional<TimePoint> next_kill;
  for (const ChildProcess* child : children) {
    if (child->ended()) continue;
    descriptors.push_back({child->descriptor(), POLLIN, 0});
    if (child->kill_at())
      next_kill = std::min(next_kill.value_or(*child->kill_at()), *child->kill_at());
  }
  int timeout = -1;
  if (next_kill) {
    const auto left = std::chrono::ceil<milliseconds>(*next_kill - steady_clock::now());
    timeout = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
  }
  poll(descriptors.data(), descriptors.size(), timeout);
  for (ChildProcess* child : children) child->kill_if_overdue(steady_clock::now());
  return interrupts.arrived();
}

std::optional<int> wait_for_end(ChildProcess& child, const InterruptWatch& interrupts) {
  ChildProcess* const only[] = {&child};
  while (!child.ended()) {
    if (const auto signal = wait_for_activity(only, interrupts)) {
      child.stop();
      return signal;
    }
    child.receive();
  }
  return std::nullopt;
}

}  // namespace heddle::driver
