/// A benchmark's process, with its limits and its measurements.
///
/// The command is a process group of its own that is killed as a whole; it dies with us, whatever
/// ends us. Times and memory are the kernel's (wait4): they include every descendant that was
/// waited for by its parent. A command that is killed takes the account of its unreaped
/// descendants with it, so the CPU time of a shell script that reached its limit may be too low.

#include "driver/bench/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "driver/launch.hpp"

namespace heddle::driver::bench {

namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

constexpr std::size_t kKept = std::size_t{1} << 20;  // bytes of an output's end

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

OutputTail::OutputTail() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  descriptor_ = ends[0];
  write_end_ = ends[1];
}

OutputTail::~OutputTail() {
  if (descriptor_ >= 0) close(descriptor_);
  close_write_end();
}

void OutputTail::close_write_end() {
  if (write_end_ >= 0) close(write_end_);
  write_end_ = -1;
}

void OutputTail::receive() {
  std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
  while (!closed()) {
    const ssize_t size = read(descriptor_, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    if (size == 0) {
      close(descriptor_);
      descriptor_ = -1;
      return;
    }
    text_.append(chunk.data(), static_cast<std::size_t>(size));
    if (text_.size() > 2 * kKept) text_.erase(0, text_.size() - kKept);
  }
}

Process::Process(const Command& command) : started_(steady_clock::now()) {
  if (command.limit)
    kill_at_ = started_ + std::chrono::duration_cast<steady_clock::duration>(*command.limit);
  ProgramStart start;
  start.words = command.words;
  start.output = outputs_[0].write_end();
  start.errors = outputs_[1].write_end();
  start.group = ChildGroup::Own;
  start.memory_mb = command.memory_mb;
  id_ = start_program(start);
  for (OutputTail& output : outputs_) output.close_write_end();
}

Process::~Process() {
  if (ended()) return;
  kill_group();
  reap();
}

void Process::attend() {
  if (ended()) return;
  for (OutputTail& output : outputs_) output.receive();
  if (kill_at_ && steady_clock::now() >= *kill_at_ && !has_ended()) {
    end_.overdue = true;
    kill_at_.reset();
    kill_group();
  }
  if (has_ended()) reap();
}

bool Process::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == id_;
}

void Process::kill_group() const {
  if (kill(-id_, SIGKILL) != 0) kill(id_, SIGKILL);
}

void Process::reap() {
  kill_group();  // whoever of the group outlives the command; its id is ours until it is reaped
  int status = 0;
  rusage usage{};
  while (wait4(id_, &status, 0, &usage) < 0 && errno == EINTR) continue;
  id_ = -1;
  for (OutputTail& output : outputs_) output.receive();
  end_.output = outputs_[0].take();
  end_.errors = outputs_[1].take();
  if (WIFEXITED(status)) end_.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status) && !end_.overdue) end_.signal = WTERMSIG(status);
  end_.seconds = duration<double>(steady_clock::now() - started_).count();
  end_.cpu_seconds = to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
  end_.peak_memory_mb = static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace heddle::driver::bench
