#include "driver/launch.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "driver/interrupt_watch.hpp"

namespace heddle::driver {

namespace {

void set_limit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = std::min(value, limit.rlim_max);
  limit.rlim_max = limit.rlim_cur;
  setrlimit(resource, &limit);
}

/// In the child.
[[noreturn]] void become(const ProgramStart& start, pid_t parent) {
  if (!settle_in(parent, start.group, start.memory_mb)) _exit(kCannotStart);
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(kCannotStart);
  dup2(start.input < 0 ? open("/dev/null", O_RDONLY) : start.input, STDIN_FILENO);
  dup2(start.output, STDOUT_FILENO);
  dup2(start.errors, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : start.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(kCannotStart);
}

}  // namespace

bool settle_in(pid_t parent, ChildGroup group, std::optional<std::uint64_t> memory_mb) {
  if (group == ChildGroup::Own) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return false;  // it died before the line above
  if (group == ChildGroup::Own) let_interrupts_through();
  set_limit(RLIMIT_CORE, 0);
  if (memory_mb) set_limit(RLIMIT_DATA, *memory_mb << 20);
  return true;
}

pid_t start_program(const ProgramStart& start) {
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) become(start, parent);
  if (id < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  // also here, so that it holds before the child's first line
  if (start.group == ChildGroup::Own) setpgid(id, id);
  return id;
}

}  // namespace heddle::driver
