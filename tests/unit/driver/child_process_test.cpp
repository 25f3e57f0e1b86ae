#include "driver/child_process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/integer.hpp"
#include "base/invariant.hpp"
#include "support/sanitized.hpp"

namespace heddle::driver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// The sanitizer's shadow memory alone exceeds any data limit.
constexpr bool kSanitized = test::kAddressSanitizer;

ChildOutcome run(const ChildJob& job, ChildLimits limits = {}) {
  const InterruptWatch interrupts;
  ChildProcess child(job, limits);
  EXPECT_EQ(wait_for_end(child, interrupts), std::nullopt);
  return child.outcome();
}

ChildJob says(std::string text) {
  return [text](const SendEvent&) { return text; };
}

[[noreturn]] void sleep_for_ever() {
  while (true) pause();
}

TEST(ChildProcess, HandsOverItsResult) {
  const ChildOutcome outcome = run(says("hello"));
  EXPECT_EQ(outcome.end, ChildEnd::Result);
  EXPECT_EQ(outcome.text, "hello");
  EXPECT_GT(outcome.peak_memory_mb, 0);
}

TEST(ChildProcess, HandsOverAnEmptyResult) {
  const ChildOutcome outcome = run(says(""));
  EXPECT_EQ(outcome.end, ChildEnd::Result);
  EXPECT_EQ(outcome.text, "");
}

TEST(ChildProcess, HandsOverAResultMuchLargerThanAPipe) {
  std::string large(10'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); i += 7) large[i] = static_cast<char>(i);
  const ChildOutcome outcome = run(says(large));
  EXPECT_EQ(outcome.end, ChildEnd::Result);
  EXPECT_TRUE(outcome.text == large);
}

TEST(ChildProcess, SendsEventsBeforeItsResult) {
  const InterruptWatch interrupts;
  ChildProcess child(
      [](const SendEvent& send) {
        send("one");
        send("two");
        return std::string("done");
      },
      {});
  std::vector<std::string> events;
  ChildProcess* const only[] = {&child};
  while (!child.ended()) {
    wait_for_activity(only, interrupts);
    for (std::string& event : child.receive()) events.push_back(std::move(event));
  }
  EXPECT_EQ(events, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(child.outcome().text, "done");
}

TEST(ChildProcess, ReportsACrash) {
  const ChildOutcome outcome = run([](const SendEvent&) -> std::string {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(outcome.end, ChildEnd::Crash);
  EXPECT_EQ(outcome.text, "killed by signal 11 (SIGSEGV)");
}

TEST(ChildProcess, ReportsAnAbort) {
  const ChildOutcome outcome = run([](const SendEvent&) -> std::string {
    signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  EXPECT_EQ(outcome.end, ChildEnd::Crash);
  EXPECT_EQ(outcome.text, "killed by signal 6 (SIGABRT)");
}

TEST(ChildProcess, ReportsAnExitBehindItsBack) {
  const ChildOutcome outcome = run([](const SendEvent&) -> std::string { _exit(0); });
  EXPECT_EQ(outcome.end, ChildEnd::Crash);
  EXPECT_EQ(outcome.text, "exited with status 0 and without a result");
}

TEST(ChildProcess, ReportsExceptionsWithTheirMessage) {
  const ChildOutcome standard =
      run([](const SendEvent&) -> std::string { throw std::runtime_error("it rains"); });
  EXPECT_EQ(standard.end, ChildEnd::Exception);
  EXPECT_EQ(standard.text, "it rains");

  const ChildOutcome internal = run([](const SendEvent&) -> std::string {
    HEDDLE_INVARIANT(1 + 1 == 3, "arithmetic should be exotic");
    return "";
  });
  EXPECT_EQ(internal.end, ChildEnd::Exception);
  EXPECT_NE(internal.text.find("arithmetic should be exotic"), std::string::npos);

  const ChildOutcome odd = run([](const SendEvent&) -> std::string { throw 42; });
  EXPECT_EQ(odd.end, ChildEnd::Exception);
  EXPECT_EQ(odd.text, "an exception of unknown type");
}

TEST(ChildProcess, ReportsBadAlloc) {
  const ChildOutcome outcome = run([](const SendEvent&) -> std::string { throw std::bad_alloc(); });
  EXPECT_EQ(outcome.end, ChildEnd::OutOfMemory);
}

TEST(ChildProcess, HitsTheMemoryLimit) {
  if (kSanitized) GTEST_SKIP() << "data limits do not go together with address sanitizing";
  const ChildOutcome outcome = run(
      [](const SendEvent&) -> std::string {
        std::vector<std::string> hoard;
        while (true) hoard.emplace_back(1'000'000, 'x');
      },
      {std::nullopt, 100});
  EXPECT_EQ(outcome.end, ChildEnd::OutOfMemory);
  EXPECT_LT(outcome.peak_memory_mb, 200);
}

TEST(ChildProcess, HitsTheMemoryLimitWithStacksOfThreads) {
  if (kSanitized) GTEST_SKIP() << "data limits do not go together with address sanitizing";
  const ChildOutcome outcome = run(
      [](const SendEvent&) -> std::string {
        std::vector<std::jthread> crowd;
        for (int i = 0; i < 1000; ++i)
          crowd.emplace_back([](const std::stop_token& end) {
            while (!end.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          });
        return "8 GB are there";
      },
      {std::nullopt, 100});
  EXPECT_EQ(outcome.end, ChildEnd::OutOfMemory);
}

TEST(ChildProcess, HitsTheMemoryLimitInsideGmp) {
  if (kSanitized) GTEST_SKIP() << "data limits do not go together with address sanitizing";
  const ChildOutcome outcome = run(
      [](const SendEvent&) -> std::string {
        base::Integer number = 1;
        number <<= 4'000'000'000u;
        return "500 MB are there";
      },
      {std::nullopt, 100});
  EXPECT_EQ(outcome.end, ChildEnd::OutOfMemory);
}

TEST(ChildProcess, AResultThatDoesNotFitIntoOurMemoryCostsTheChildOnly) {
  if (kSanitized) GTEST_SKIP() << "data limits do not go together with address sanitizing";
  const auto parent = [](const SendEvent&) -> std::string {
    std::string hoard(100'000'000, 'x');
    const auto sends_much = [&](const SendEvent&) {
      std::string().swap(hoard);
      return std::string(80'000'000, 'y');
    };
    const ChildOutcome outcome = run(sends_much);
    return outcome.end == ChildEnd::OutOfMemory ? outcome.text : "it fits";
  };
  const ChildOutcome outcome = run(parent, {std::nullopt, 150});
  EXPECT_EQ(outcome.end, ChildEnd::Result);
  EXPECT_EQ(outcome.text, "no memory for its result");
}

TEST(ChildProcess, ASleepingChildThatIsStoppedHasEnded) {
  ChildProcess child([](const SendEvent&) -> std::string { sleep_for_ever(); }, {});
  ASSERT_GT(child.id(), 1);
  kill(child.id(), SIGSTOP);
  child.stop();
  EXPECT_EQ(child.outcome().end, ChildEnd::Stopped);
  reap_departed();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "there should be no child left to wait for";
}

TEST(ChildProcess, IsKilledAtItsTimeLimit) {
  const ChildOutcome outcome = run([](const SendEvent&) -> std::string { sleep_for_ever(); },
                                   {steady_clock::now() + milliseconds(50), std::nullopt});
  EXPECT_EQ(outcome.end, ChildEnd::Overdue);
}

TEST(ChildProcess, KeepsAResultThatArrivedBeforeTheLimit) {
  const ChildOutcome outcome = run(says("in time"), {steady_clock::now() + seconds(600), {}});
  EXPECT_EQ(outcome.end, ChildEnd::Result);
}

TEST(ChildProcess, CanBeStopped) {
  ChildProcess child([](const SendEvent&) -> std::string { sleep_for_ever(); }, {});
  child.stop();
  EXPECT_TRUE(child.ended());
  EXPECT_EQ(child.outcome().end, ChildEnd::Stopped);
}

TEST(ChildProcess, LeavesNothingBehind) {
  pid_t id = 0;
  {
    const ChildProcess child([](const SendEvent&) -> std::string { sleep_for_ever(); }, {});
    id = child.id();
  }
  reap_departed();
  EXPECT_EQ(kill(id, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "there should be no child left to wait for";
}

/// A process that dies without a word takes its children along.
TEST(ChildProcess, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    close(ends[0]);
    const InterruptWatch interrupts;
    ChildProcess child(
        [](const SendEvent& send) -> std::string {
          send("settled in");
          sleep_for_ever();
        },
        {});
    ChildProcess* const only[] = {&child};
    wait_for_activity(only, interrupts);
    kill(getpid(), SIGKILL);
  }
  close(ends[1]);
  waitpid(parent, nullptr, 0);
  pollfd end{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 60'000), 1) << "the pipe should end with the last process that holds it";
  close(ends[0]);
}

TEST(ChildProcess, RunsNoExitHandlersOfItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  static int handler_end = -1;
  handler_end = ends[1];
  std::atexit([] {
    if (handler_end >= 0) [[maybe_unused]]
      const ssize_t ignored = write(handler_end, "!", 1);
  });
  run(says("quiet"));
  run([](const SendEvent&) -> std::string { throw std::runtime_error("quiet, too"); });
  close(ends[1]);
  handler_end = -1;
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(ChildProcess, PassesASignalOnAsAnInterrupt) {
  const InterruptWatch interrupts;
  ChildProcess child(
      [](const SendEvent&) -> std::string {
        kill(getppid(), SIGTERM);
        sleep_for_ever();
      },
      {});
  EXPECT_EQ(wait_for_end(child, interrupts), SIGTERM);
  EXPECT_EQ(child.outcome().end, ChildEnd::Stopped);
}

TEST(FrameReader, PutsPiecesTogether) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_TRUE(write_frame(ends[1], FrameKind::Event, "abc"));
  ASSERT_TRUE(write_frame(ends[1], FrameKind::Result, ""));
  close(ends[1]);
  FrameReader reader;
  std::vector<Frame> frames;
  for (char byte; read(ends[0], &byte, 1) == 1;) {
    reader.append({&byte, 1});
    while (auto frame = reader.next()) frames.push_back(*frame);
  }
  close(ends[0]);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].kind, FrameKind::Event);
  EXPECT_EQ(frames[0].payload, "abc");
  EXPECT_EQ(frames[1].kind, FrameKind::Result);
  EXPECT_EQ(frames[1].payload, "");
}

}  // namespace
}  // namespace heddle::driver
