/// Children that are paused: they make no step, and can still be received from, killed and left.

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "driver/child_process.hpp"

namespace heddle::driver {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kAWhile{100};

[[noreturn]] std::string compute_for_ever(const SendEvent& send) {
  send("settled in");
  volatile bool for_ever = true;
  while (for_ever) continue;
  std::abort();
}

/// Once its first event has arrived.
void wait_for_first_event(ChildProcess& child, const InterruptWatch& interrupts) {
  ChildProcess* const only[] = {&child};
  while (child.receive().empty()) wait_for_activity(only, interrupts);
}

/// Has the child's state changed in one of these ways, soon?
bool has_become(pid_t id, int ways) {
  const auto give_up = steady_clock::now() + std::chrono::seconds(20);
  siginfo_t info{};
  while (info.si_pid == 0 && steady_clock::now() < give_up) {
    if (waitid(P_PID, static_cast<id_t>(id), &info, ways | WNOWAIT | WNOHANG) != 0) return false;
    if (info.si_pid == 0) std::this_thread::sleep_for(milliseconds(1));
  }
  return info.si_pid == id;
}

bool is_stopped(pid_t id) { return has_become(id, WSTOPPED); }

TEST(PausedChild, UsesNoProcessorTime) {
  const InterruptWatch interrupts;
  ChildProcess child(compute_for_ever, {});
  wait_for_first_event(child, interrupts);
  child.pause();
  ASSERT_TRUE(is_stopped(child.id()));
  const auto before = child.processor_time();
  ASSERT_TRUE(before);
  std::this_thread::sleep_for(kAWhile);
  EXPECT_EQ(child.processor_time(), before);

  child.resume();
  const auto give_up = steady_clock::now() + std::chrono::seconds(20);
  while (child.processor_time() == before && steady_clock::now() < give_up)
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_GT(child.processor_time(), before);
}

TEST(PausedChild, GoesOnWhereItWas) {
  const InterruptWatch interrupts;
  ChildProcess child(
      [](const SendEvent& send) -> std::string {
        send("half of it");
        std::this_thread::sleep_for(kAWhile);
        return "all of it";
      },
      {});
  wait_for_first_event(child, interrupts);
  child.pause();
  ASSERT_TRUE(is_stopped(child.id()));
  std::this_thread::sleep_for(3 * kAWhile);
  child.receive();
  EXPECT_FALSE(child.ended());
  child.resume();
  wait_for_end(child, interrupts);
  EXPECT_EQ(child.outcome().end, ChildEnd::Result);
  EXPECT_EQ(child.outcome().text, "all of it");
}

TEST(PausedChild, IsKilledWhenItsTimeIsOver) {
  const InterruptWatch interrupts;
  ChildProcess child(compute_for_ever, {steady_clock::now() + 3 * kAWhile, std::nullopt});
  child.pause();
  wait_for_end(child, interrupts);
  EXPECT_EQ(child.outcome().end, ChildEnd::Overdue);
}

TEST(PausedChild, CanBeStopped) {
  ChildProcess child(compute_for_ever, {});
  child.pause();
  const pid_t id = child.id();
  child.stop();
  EXPECT_TRUE(has_become(id, WEXITED)) << "it should be gone";
  EXPECT_EQ(child.outcome().end, ChildEnd::Stopped);
  EXPECT_EQ(child.processor_time(), std::nullopt);
  child.resume();  // nothing happens
}

/// How many bytes wait in the pipe.
int bytes_waiting(const ChildProcess& child) {
  int bytes = 0;
  return ioctl(child.descriptor(), FIONREAD, &bytes) == 0 ? bytes : -1;
}

/// The pause comes between the child's last word and its end. Most of the attempts meet that
/// moment.
TEST(PausedChild, EndsOnceItsResultHasArrived) {
  const ChildJob job = [](const SendEvent&) -> std::string { return "done"; };
  ChildProcess first(job, {});
  ASSERT_TRUE(has_become(first.id(), WEXITED));
  const int whole_message = bytes_waiting(first);
  for (int attempt = 0; attempt < 200; ++attempt) {
    ChildProcess child(job, {});
    while (bytes_waiting(child) < whole_message) continue;
    child.pause();
    const pid_t id = child.id();
    child.receive();
    ASSERT_TRUE(child.ended());
    ASSERT_TRUE(has_become(id, WEXITED)) << "paused for ever, attempt " << attempt;
  }
  reap_departed();
}

TEST(PausedChild, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    close(ends[0]);
    const InterruptWatch interrupts;
    ChildProcess child(compute_for_ever, {});
    wait_for_first_event(child, interrupts);
    child.pause();
    if (is_stopped(child.id())) kill(getpid(), SIGKILL);
    _exit(1);
  }
  close(ends[1]);
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child should have been paused";
  pollfd end{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 60'000), 1) << "the pipe should end with the last process that holds it";
  close(ends[0]);
}

TEST(PausedChild, DoesNotKeepAnybodyWaitingBeyondTheGivenTime) {
  const InterruptWatch interrupts;
  ChildProcess child(compute_for_ever, {});
  wait_for_first_event(child, interrupts);
  child.pause();
  ChildProcess* const only[] = {&child};
  const auto until = steady_clock::now() + kAWhile;
  EXPECT_EQ(wait_for_activity(only, interrupts, {}, until), std::nullopt);
  EXPECT_GE(steady_clock::now(), until);
  EXPECT_FALSE(child.ended());
}

}  // namespace
}  // namespace heddle::driver
