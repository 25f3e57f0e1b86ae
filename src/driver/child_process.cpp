#include "driver/child_process.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/exit_status.hpp"
#include "base/invariant.hpp"

namespace heddle::driver {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How the child says how it ended. Running out of memory needs no message, and so no memory.
enum ExitStatus : int {
  kResultSent = 0,
  kOutOfMemory = base::kOutOfMemoryStatus,
  kThrew = 102,
  kOrphaned = 103,
  kOutOfStack = 104
};

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

/// Children of this process that have ended for us and are still to be reaped. What a process has
/// to wait for is a fact about the process, hence this one list.
std::vector<pid_t>& departed() {
  static std::vector<pid_t> processes;
  return processes;
}

/// Gone, or none of ours.
bool is_gone(pid_t id) { return waitpid(id, nullptr, WNOHANG) != 0; }

void reap_the_gone() { std::erase_if(departed(), is_gone); }

/// A thread whose stack finds no room is told to try again.
bool is_out_of_memory(const std::error_code& code) {
  return code == std::errc::not_enough_memory || code == std::errc::resource_unavailable_try_again;
}

/// What the kernel counts in kilobytes.
double to_megabytes(long kilobytes) { return static_cast<double>(kilobytes) / 1024; }

void write_peak_memory(int descriptor) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double peak = to_megabytes(usage.ru_maxrss);
  char bytes[sizeof peak];
  std::memcpy(bytes, &peak, sizeof peak);
  write_frame(descriptor, FrameKind::PeakMemory, {bytes, sizeof bytes});
}

/// A file of a few kilobytes can nest so deeply that whoever reads it recursively needs more stack
/// than there usually is. There is room for 64 MB below a stack; a fault behind that is no crash.
constexpr rlim_t kStackBytes = rlim_t{64} << 20;
constexpr std::size_t kHandlerBytes = std::size_t{64} << 10;
std::uintptr_t stack_begin = 0;

void end_if_stack_is_full(int, siginfo_t* info, void*) {
  const bool is_fault = info->si_code > 0;  // not sent by a process
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (is_fault && address < stack_begin && stack_begin - address < kStackBytes + kHandlerBytes)
    _exit(kOutOfStack);
  std::signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);  // as soon as this function returns
}

void enlarge_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kStackBytes) {
    limit.rlim_cur = std::min(kStackBytes, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
  static std::array<char, kHandlerBytes> handler_stack;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  struct sigaction now{};
  const bool is_free = sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
  if (!is_free || sigaltstack(&stack, nullptr) != 0) return;  // a sanitizer tells more than we do
  stack_begin = reinterpret_cast<std::uintptr_t>(&limit);
  struct sigaction action{};
  action.sa_sigaction = end_if_stack_is_full;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

/// The whole life of the child.
[[noreturn]] void live(int descriptor, const ChildJob& job) {
  try {
    const std::string result =
        job([&](std::string_view event) { write_frame(descriptor, FrameKind::Event, event); });
    write_peak_memory(descriptor);
    write_frame(descriptor, FrameKind::Result, result);
    reap_departed();
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

/// The peak memory of a process that is still alive, in megabytes; 0 if nobody knows.
double peak_memory_of(pid_t id) {
  std::ifstream status("/proc/" + std::to_string(id) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return to_megabytes(std::atol(line.c_str() + 6));
  return 0;
}

/// The end as the exit status tells it, for a child that left no result.
std::pair<ChildEnd, std::string> explain(int status, std::optional<std::string> failure) {
  // Only the system's own memory killer sends this one behind our back.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return {ChildEnd::OutOfMemory,
            "killed from outside, most likely because the machine ran out of memory"};
  if (WIFSIGNALED(status)) return {ChildEnd::Crash, describe_signal(WTERMSIG(status))};
  if (WEXITSTATUS(status) == kOutOfMemory) return {ChildEnd::OutOfMemory, "out of memory"};
  if (WEXITSTATUS(status) == kOutOfStack)
    return {ChildEnd::OutOfMemory, "no room on the stack; does the input nest very deeply?"};
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

ChildProcess::ChildProcess(const ChildJob& job, ChildLimits limits, ChildGroup group)
    : group_(group), kill_at_(limits.kill_at), started_(steady_clock::now()) {
  reap_the_gone();
  const auto [read_end, write_end] = open_pipe();
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) {
    if (!settle_in(parent, group, limits.memory_mb)) _exit(kOrphaned);
    departed().clear();
    mp_set_memory_functions(allocate_or_exit, reallocate_or_exit, nullptr);
    enlarge_stack();
    live(write_end, job);
  }
  const int error = errno;
  close(write_end);
  descriptor_ = read_end;
  if (id_ < 0) {
    close(read_end);
    throw std::system_error(error, std::generic_category(), "cannot start a process");
  }
  // also here, so that it holds before the child's first line
  if (group == ChildGroup::Own) setpgid(id_, id_);
  fcntl(read_end, F_SETFL, O_NONBLOCK);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  stop();
  id_ = std::exchange(other.id_, -1);
  descriptor_ = std::exchange(other.descriptor_, -1);
  group_ = other.group_;
  kill_at_ = other.kill_at_;
  started_ = other.started_;
  reader_ = std::move(other.reader_);
  result_ = std::move(other.result_);
  failure_ = std::move(other.failure_);
  killed_ = std::move(other.killed_);
  ended_ = other.ended_;
  outcome_ = std::move(other.outcome_);
  return *this;
}

ChildProcess::~ChildProcess() { stop(); }

std::vector<std::string> ChildProcess::receive() {
  std::vector<std::string> events;
  try {
    const bool closed = !ended_ && read_frames(events);
    if (ended_) return events;
    if (result_) {
      resume();  // it may have been paused behind its last word, and could never be reaped
      end_without_reaping(ChildEnd::Result, std::move(*result_));
    } else if (killed_) {
      end_without_reaping(killed_->first, std::move(killed_->second));
    } else if (closed) {
      reap();
    }
  } catch (const std::bad_alloc&) {  // of ours: what it sends does not fit into our memory
    kill_with_group(ChildEnd::OutOfMemory, {});
    reader_ = {};
    end_without_reaping(ChildEnd::OutOfMemory, "no memory for its result");
  }
  return events;
}

/// Takes the frames that have arrived; true if there will be no more.
bool ChildProcess::read_frames(std::vector<std::string>& events) {
  std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
  while (!result_) {
    const ssize_t size = read(descriptor_, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    if (size == 0) return true;
    reader_.append({chunk.data(), static_cast<std::size_t>(size)});
    while (auto frame = reader_.next()) take(std::move(*frame), events);
  }
  return false;
}

void ChildProcess::take(Frame frame, std::vector<std::string>& events) {
  switch (frame.kind) {
    case FrameKind::Event: events.push_back(std::move(frame.payload)); break;
    case FrameKind::PeakMemory:
      std::memcpy(&outcome_.peak_memory_mb, frame.payload.data(), sizeof(double));
      break;
    case FrameKind::Result: result_ = std::move(frame.payload); break;
    case FrameKind::Failure: failure_ = std::move(frame.payload); break;
  }
}

void ChildProcess::kill_with_group(ChildEnd why, std::string text) {
  if (id_ < 0 || killed_) return;
  kill_at_.reset();
  outcome_.peak_memory_mb = std::max(outcome_.peak_memory_mb, peak_memory_of(id_));
  send_signal(SIGKILL);
  killed_ = {why, std::move(text)};
}

void ChildProcess::send_signal(int signal) const {
  HEDDLE_INVARIANT(id_ > 1, "a child's number should name neither everybody nor nobody");
  if (group_ == ChildGroup::Parents || kill(-id_, signal) != 0) kill(id_, signal);
}

void ChildProcess::pause() {
  if (!ended_ && id_ >= 0) send_signal(SIGSTOP);
}

void ChildProcess::resume() {
  if (!ended_ && id_ >= 0) send_signal(SIGCONT);
}

std::optional<duration<double>> ChildProcess::processor_time() const {
  clockid_t clock{};
  timespec time{};
  if (ended_ || id_ < 0 || clock_getcpuclockid(id_, &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void ChildProcess::kill_if_overdue(TimePoint now) {
  if (!ended_ && kill_at_ && now >= *kill_at_)
    kill_with_group(ChildEnd::Overdue, "time limit reached");
}

void ChildProcess::stop() {
  if (ended_ || id_ < 0) return;
  kill_with_group(ChildEnd::Stopped, {});
  end_without_reaping(ChildEnd::Stopped, "stopped");
}

void ChildProcess::end_without_reaping(ChildEnd end, std::string text) {
  departed().push_back(id_);
  finish(end, std::move(text));
}

/// For a child that has closed its pipe without a result: only its exit status tells why.
void ChildProcess::reap() {
  int status = 0;
  rusage usage{};
  while (wait4(id_, &status, 0, &usage) < 0 && errno == EINTR) continue;
  outcome_.peak_memory_mb = to_megabytes(usage.ru_maxrss);
  auto [end, text] = explain(status, std::move(failure_));
  finish(end, std::move(text));
}

void ChildProcess::finish(ChildEnd end, std::string text) {
  close(descriptor_);
  descriptor_ = -1;
  kill_at_.reset();
  ended_ = true;
  outcome_.seconds = duration<double>(steady_clock::now() - started_).count();
  outcome_.end = end;
  outcome_.text = std::move(text);
}

std::optional<int> wait_for_activity(std::span<ChildProcess* const> children,
                                     const InterruptWatch& interrupts, std::span<const int> others,
                                     std::optional<TimePoint> until) {
  std::vector<pollfd> descriptors{{interrupts.descriptor(), POLLIN, 0}};
  for (const int other : others) descriptors.push_back({other, POLLIN, 0});
  for (const ChildProcess* child : children) {
    if (child->ended()) continue;
    descriptors.push_back({child->descriptor(), POLLIN, 0});
    if (child->kill_at()) until = std::min(until.value_or(*child->kill_at()), *child->kill_at());
  }
  int timeout = -1;
  if (until) {
    const auto left = std::chrono::ceil<milliseconds>(*until - steady_clock::now());
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

void reap_departed(std::optional<TimePoint> until) {
  if (!until)
    for (const pid_t id : departed())
      while (waitpid(id, nullptr, 0) < 0 && errno == EINTR) continue;
  reap_the_gone();
  while (!departed().empty() && steady_clock::now() < *until) {
    std::this_thread::sleep_for(milliseconds(1));
    reap_the_gone();
  }
}

}  // namespace heddle::driver
