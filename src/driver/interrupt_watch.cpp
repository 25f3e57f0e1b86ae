#include "driver/interrupt_watch.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace heddle::driver {

namespace {

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

/// Under nohup, or in the background of a script, a signal may be ignored; it then stays so.
bool is_ignored(int signal) {
  struct sigaction current{};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : kInterrupts)
    if (!is_ignored(signal)) sigaddset(&watched, signal);
  sigprocmask(SIG_BLOCK, &watched, &before_);
  descriptor_ = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
  if (descriptor_ >= 0) return;
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  throw std::system_error(error, std::generic_category(), "cannot watch for signals");
}

InterruptWatch::~InterruptWatch() {
  close(descriptor_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> InterruptWatch::arrived() const {
  signalfd_siginfo info{};
  if (read(descriptor_, &info, sizeof info) != static_cast<ssize_t>(sizeof info))
    return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

void let_interrupts_through() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : kInterrupts) sigaddset(&watched, signal);
  sigprocmask(SIG_UNBLOCK, &watched, nullptr);
}

}  // namespace heddle::driver
