#include "base/run_context.hpp"

#include <gtest/gtest.h>

#include "base/invariant.hpp"

namespace heddle::base {
namespace {

TEST(RunContext, RunsForEverWithoutLimits) {
  RunContext context;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(context.step(), std::nullopt);
  EXPECT_EQ(context.stopped(), std::nullopt);
  EXPECT_EQ(context.steps(), 1000u);
}

TEST(RunContext, AllowsExactlyTheGivenSteps) {
  RunContext context(Limits{.deadline = {}, .steps = 3, .memory_mb = {}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(context.step(), std::nullopt);
  EXPECT_EQ(context.stopped(), std::nullopt);
  EXPECT_EQ(context.step(), StopReason::StepLimit);
  EXPECT_EQ(context.stopped(), StopReason::StepLimit);
}

TEST(RunContext, ZeroStepsAreALimitToo) {
  RunContext context(Limits{.deadline = {}, .steps = 0, .memory_mb = {}});
  EXPECT_EQ(context.step(), StopReason::StepLimit);
}

TEST(RunContext, SeesAPastDeadlineAtOnceWhenAsked) {
  Limits limits;
  limits.deadline = std::chrono::steady_clock::time_point::min();
  RunContext context(limits);
  EXPECT_EQ(context.stopped(), StopReason::TimeLimit);
  EXPECT_EQ(context.steps(), 0u);
}

TEST(RunContext, StepsSeeAPastDeadlineAfterAWhile) {
  Limits limits;
  limits.deadline = std::chrono::steady_clock::time_point::min();
  RunContext context(limits);
  int taken = 1;
  while (!context.step() && taken < 10'000) ++taken;
  EXPECT_EQ(taken, 256);
}

TEST(RunContext, AStopRequestGoesFirst) {
  std::stop_source source;
  Limits limits;
  limits.steps = 0;
  RunContext context(limits, 0, source.get_token());
  (void)context.step();
  EXPECT_EQ(context.stopped(), StopReason::StepLimit);
  source.request_stop();
  EXPECT_EQ(context.stopped(), StopReason::Cancelled);
}

TEST(RunContext, KeepsItsSeed) { EXPECT_EQ(RunContext({}, 42).seed(), 42u); }

TEST(RunContext, EventsGoToTheListenerIfThereIsOne) {
  RunContext context;
  EXPECT_FALSE(context.wants_event());
  context.emit({"unheard", {}});
  std::vector<std::string> heard;
  context.listen([&](const Event& event) { heard.push_back(event.phase); });
  EXPECT_TRUE(context.wants_event());
  context.emit({"search", {{"basis", 3}}});
  EXPECT_EQ(heard, std::vector<std::string>{"search"});
}

TEST(Statistics, KeepsTheOrderOfFirstMention) {
  Statistics statistics;
  statistics.set("steps", 1);
  statistics.set("basis", 2);
  statistics.set("steps", 3);
  const std::vector<std::pair<std::string, double>> expected = {{"steps", 3}, {"basis", 2}};
  EXPECT_EQ(statistics.entries(), expected);
  EXPECT_EQ(statistics.get("basis"), 2);
  EXPECT_EQ(statistics.get("never set"), 0);
}

TEST(StopReason, HasWords) {
  EXPECT_EQ(to_string(StopReason::Cancelled), "cancelled");
  EXPECT_EQ(to_string(StopReason::TimeLimit), "time limit");
  EXPECT_EQ(to_string(StopReason::StepLimit), "step limit");
  EXPECT_EQ(to_string(StopReason::MemoryLimit), "memory limit");
}

TEST(Invariant, ThrowsWithConditionAndExpectation) {
  EXPECT_NO_THROW(HEDDLE_INVARIANT(1 + 1 == 2, "sums should add up"));
  try {
    HEDDLE_INVARIANT(1 + 1 == 3, "sums should add up");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("sums should add up (1 + 1 == 3)"), std::string::npos) << what;
    EXPECT_NE(what.find("run_context_test.cpp:"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace heddle::base
