/// Using the library leaves the calling program as it was: this compares before and after, with
/// answers of every sort in between.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstring>
#include <filesystem>
#include <heddle/heddle.hpp>
#include <thread>

namespace {

namespace fs = std::filesystem;

std::atomic<int> children_that_ended{0};
void on_child(int) { ++children_that_ended; }
void on_other(int) {}

/// All that the calling program may rely on.
struct HostState {
  struct sigaction handlers[NSIG]{};
  sigset_t mask{};
  std::string locale, folder;
  int rounding = 0;
  mode_t umask = 0;
  std::size_t descriptors = 0;
  std::vector<std::string> environment;

  HostState() {
    for (int number = 1; number < NSIG; ++number) sigaction(number, nullptr, &handlers[number]);
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    locale = std::setlocale(LC_ALL, nullptr);
    folder = fs::current_path().string();
    rounding = std::fegetround();
    umask = ::umask(0);
    ::umask(umask);
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
      (void)entry;
      ++descriptors;
    }
    for (char** variable = environ; *variable; ++variable) environment.emplace_back(*variable);
  }
};

void expect_same(const HostState& before, const HostState& after) {
  for (int number = 1; number < NSIG; ++number) {
    EXPECT_EQ(before.handlers[number].sa_handler, after.handlers[number].sa_handler) << number;
    EXPECT_EQ(before.handlers[number].sa_flags, after.handlers[number].sa_flags) << number;
  }
  for (int number = 1; number < NSIG; ++number)
    EXPECT_EQ(sigismember(&before.mask, number), sigismember(&after.mask, number)) << number;
  EXPECT_EQ(before.locale, after.locale);
  EXPECT_EQ(before.folder, after.folder);
  EXPECT_EQ(before.rounding, after.rounding);
  EXPECT_EQ(before.umask, after.umask);
  EXPECT_EQ(before.descriptors, after.descriptors);
  EXPECT_EQ(before.environment, after.environment);
}

heddle::Model lock() {
  auto model = heddle::Model::thread_system(2, 2);
  model.step(0, 0, 1, 1).step(1, 1, 0, 0);
  return model;
}

/// A proof, a run, a mistake, and a question that is cancelled.
void ask_everything() {
  heddle::Question safe, unsafe, cancelled;
  EXPECT_EQ(heddle::verify(lock(), safe.set("target", "1|1,1")).verdict, heddle::Verdict::Safe);
  EXPECT_EQ(heddle::verify(lock(), unsafe.set("target", "1|1")).verdict, heddle::Verdict::Unsafe);
  EXPECT_THROW(heddle::verify(heddle::Model::text("x.tts", "?")), heddle::Error);
  cancelled.set("target", "1|1,1").cancel();
  EXPECT_EQ(heddle::verify(lock(), cancelled).reason, "cancelled");
}

TEST(Host, IsLeftAlone) {
  struct sigaction child{}, other{};
  child.sa_handler = on_child;
  other.sa_handler = on_other;
  other.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaction(number, &other, nullptr);
  sigaction(SIGCHLD, &child, nullptr);
  signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::setlocale(LC_ALL, "C.UTF-8");
  std::fesetround(FE_UPWARD);
  fs::current_path("/tmp");
  ::umask(027);

  const HostState before;
  ask_everything();
  expect_same(before, HostState());
  // No child of ours was seen: no signal, and nobody to wait for.
  EXPECT_EQ(children_that_ended, 0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  std::fesetround(FE_TONEAREST);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD, SIGUSR1})
    signal(number, SIG_DFL);
}

/// A host that waits for any child gets its own one, and the library its answer.
TEST(Host, KeepsItsChildren) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    usleep(200'000);
    _exit(7);
  }
  pid_t reaped = 0;
  int status = 0;
  std::thread waiter([&] { reaped = wait(&status); });
  ask_everything();
  waiter.join();
  EXPECT_EQ(reaped, child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

/// Children that end are forgotten by a host that ignores SIGCHLD, as daemons do.
TEST(Host, MayIgnoreItsChildren) {
  signal(SIGCHLD, SIG_IGN);
  ask_everything();
  signal(SIGCHLD, SIG_DFL);
}

/// Orphans may become children of the host: then it reaps the program for which it has asked.
TEST(Host, MayBeTheReaperOfOrphans) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  ask_everything();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/// A host may run without standard streams.
TEST(Host, MayHaveClosedItsStreams) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(0);
    close(1);
    close(2);
    heddle::Question question;
    const auto answer = heddle::verify(lock(), question.set("target", "1|1,1"));
    _exit(answer.verdict == heddle::Verdict::Safe ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

bool is_alive(pid_t process) {
  std::string state;
  char buffer[256]{};
  const int file = open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY);
  if (file < 0) return false;
  const ssize_t size = read(file, buffer, sizeof buffer - 1);
  close(file);
  const char* const end = size > 0 ? std::strrchr(buffer, ')') : nullptr;
  return end && end[2] != 'Z';
}

/// Processes of the program that work in this folder.
std::vector<pid_t> programs_in(const fs::path& folder) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code error;
    const fs::path name = entry.path().filename();
    if (name.string().find_first_not_of("0123456789") != std::string::npos) continue;
    const fs::path here = fs::read_symlink(entry.path() / "cwd", error);
    if (!error && here.string().starts_with(folder.string())) found.push_back(std::stoi(name));
  }
  return found;
}

/// When the host is killed, the program that works for it ends.
TEST(Host, TakesTheProgramWithIt) {
  std::string pattern = (fs::temp_directory_path() / "host-XXXXXX").string();
  ASSERT_TRUE(mkdtemp(pattern.data()));
  const fs::path folder = pattern;
  const pid_t host = fork();
  ASSERT_GE(host, 0);
  if (host == 0) {
    setenv("TMPDIR", folder.c_str(), 1);
    auto net = heddle::Model::petri_net();  // a search that takes for ever
    const auto p = net.place("p"), q = net.place("q", 1);
    net.transition({{q, 1}}, {{q, 1}, {p, 1}});
    heddle::Question question;
    heddle::verify(net, question.set("target", "p>=2000000000").set("engine", "backward"));
    _exit(0);
  }
  std::vector<pid_t> programs;
  for (int i = 0; i < 200 && programs.empty(); ++i) {
    usleep(50'000);
    programs = programs_in(folder);
  }
  ASSERT_FALSE(programs.empty());
  usleep(200'000);
  EXPECT_TRUE(std::ranges::any_of(programs, is_alive));
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  for (int i = 0; i < 200 && std::ranges::any_of(programs, is_alive); ++i) usleep(50'000);
  for (const pid_t program : programs) EXPECT_FALSE(is_alive(program));
  fs::remove_all(folder);
}

}  // namespace
