#include "library/process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace heddle::library {

namespace {

constexpr int kEvents = 3;          // of the program
constexpr int kAboveStandard = 10;  // where ours are
constexpr std::size_t kStack = 1 << 16;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Descriptor lifted(int number) {
  Descriptor low(number);
  Descriptor high(fcntl(number, F_DUPFD_CLOEXEC, kAboveStandard));
  if (high.get() < 0) fail("cannot open a pipe");
  return high;
}

struct Pipe {
  Descriptor read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot open a pipe");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  pipe.read_end = lifted(pipe.read_end.release());
  pipe.write_end = lifted(pipe.write_end.release());
  fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

/// All that the helper and the program before its start need. They share our memory: nothing is
/// allocated there, no lock is taken, and only system calls are made.
struct Plan {
  char* const* words = nullptr;
  char* const* environment = nullptr;
  const char* folder = nullptr;
  int input = -1, output = -1, errors = -1, events = -1;
  char* inner_stack = nullptr;
  int handle = -1;
  int error = 0;  ///< of the program's start
};

/// Becomes the program. Handlers of the host must not run here: signals are blocked until none of
/// them is set.
int become_program(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &usual, nullptr);
  setsid();
  const bool is_set = dup2(plan.input, STDIN_FILENO) >= 0 &&
                      dup2(plan.output, STDOUT_FILENO) >= 0 &&
                      dup2(plan.errors, STDERR_FILENO) >= 0 && dup2(plan.events, kEvents) >= 0 &&
                      (!plan.folder || chdir(plan.folder) == 0);
  if (is_set) {
    syscall(SYS_close_range, kEvents + 1, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(plan.words[0], plan.words, plan.environment);
  }
  plan.error = errno;
  _exit(127);
}

/// Starts the program as its own child and leaves it behind. Descriptors are shared with the host,
/// which so gets the one of the program.
int leave_orphan(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  if (clone(become_program, plan.inner_stack + kStack,
            CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, data, &plan.handle) < 0)
    plan.error = errno;
  _exit(0);
}

class Stacks {
 public:
  Stacks()
      : memory_(
            mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) fail("cannot start the program");
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() { munmap(memory_, 2 * kStack); }
  char* first() const { return static_cast<char*>(memory_); }
  char* second() const { return first() + kStack; }

 private:
  void* memory_;
};

/// While one exists, no signal is delivered to this thread.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Our environment, with the descriptor of the events.
std::vector<char*> environment_with(std::string& events) {
  std::vector<char*> out;
  for (char** variable = environ; variable && *variable; ++variable)
    if (std::strncmp(*variable, "HEDDLE_EVENTS=", 14) != 0) out.push_back(*variable);
  out.push_back(events.data());
  out.push_back(nullptr);
  return out;
}

/// A helper without an exit signal is waited for by those who ask for it alone.
void run_helper(Plan& plan, const Stacks& stacks) {
  const SignalsBlocked blocked;
  const pid_t helper =
      clone(leave_orphan, stacks.first() + kStack, CLONE_VM | CLONE_VFORK | CLONE_FILES, &plan);
  if (helper < 0) fail("cannot start the program");
  while (waitpid(helper, nullptr, __WALL) < 0 && errno == EINTR) continue;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

void Process::send(int signal) const {
  syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0);
}

Process start(const std::vector<std::string>& words, const std::string& folder) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  std::string events = "HEDDLE_EVENTS=" + std::to_string(kEvents);
  const std::vector<char*> environment = environment_with(events);
  Descriptor nothing = lifted(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe output = make_pipe(), errors = make_pipe(), told = make_pipe();
  const Stacks stacks;
  Plan plan{pointers.data(),      environment.data(),     folder.empty() ? nullptr : folder.c_str(),
            nothing.get(),        output.write_end.get(), errors.write_end.get(),
            told.write_end.get(), stacks.second()};
  run_helper(plan, stacks);
  Process process{Descriptor(plan.handle), std::move(output.read_end), std::move(errors.read_end),
                  std::move(told.read_end)};
  if (plan.error != 0) {
    errno = plan.error;
    fail(words[0].c_str());
  }
  fcntl(process.handle.get(), F_SETFD, FD_CLOEXEC);
  return process;
}

}  // namespace heddle::library
