/// Real processes, and how they end.

#include "driver/bench/process_runner.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace heddle::driver::bench {
namespace {

Command shell(const std::string& script) { return {{"/bin/sh", "-c", script}, {}, {}}; }

TEST(ProcessRunner, ACaseThatIsKilledIsAResult) {
  ProcessRunner runner;
  runner.start(7, shell("kill -KILL $$"));
  const auto finished = runner.next();
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->id, 7u);
  EXPECT_EQ(finished->end.signal, SIGKILL);
  EXPECT_FALSE(runner.interrupted_by());
}

/// The case first, and this process a moment later: so a scheduler ends a job.
TEST(ProcessRunner, ACaseThatIsKilledTogetherWithItsJobIsNone) {
  ProcessRunner runner;
  runner.start(0, shell("setsid sh -c \"sleep 0.3; kill -TERM $PPID\" >/dev/null 2>&1 &\n"
                        "sleep 0.1; kill -KILL $$"));
  EXPECT_FALSE(runner.next());
  EXPECT_EQ(runner.interrupted_by(), SIGTERM);
}

}  // namespace
}  // namespace heddle::driver::bench
