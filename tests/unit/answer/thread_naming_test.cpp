#include "answer/thread_naming.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::answer {
namespace {

using model::LocalState;
using model::SharedState;
using model::TransitionId;
using namespace heddle::test;

TraceStep fire(unsigned transition, std::vector<model::PassiveFlow> flows = {}) {
  return {TransitionId(transition), std::move(flows), std::nullopt, {}};
}

Trace steps(model::Configuration initial, std::vector<TraceStep> list) {
  Trace trace{std::move(initial), {}};
  for (TraceStep& step : list) trace.blocks.push_back({1, {std::move(step)}});
  return trace;
}

/// The acting thread of each block's first step, -1 where there is none.
std::vector<int> actors(const Trace& trace) {
  std::vector<int> list;
  for (const TraceBlock& block : trace.blocks) {
    const auto& thread = block.body.front().thread;
    list.push_back(thread ? static_cast<int>(thread->value) : -1);
  }
  return list;
}

TEST(ThreadNaming, StaysWithTheThreadThatActedLast) {
  const auto system = thread_system(1, 3, {move(0, 0, 0, 1), move(0, 1, 0, 2), move(0, 2, 0, 0)});
  const Trace trace = with_thread_names(
      system, steps(configuration(0, {2}), {fire(0), fire(0), fire(1), fire(2), fire(1), fire(0)}));
  EXPECT_EQ(actors(trace), (std::vector<int>{0, 1, 1, 1, 0, 1}));
}

TEST(ThreadNaming, NumbersInitialThreadsByLocalStateAndThenSpawnedOnes) {
  const auto system = thread_system(1, 3, {spawn(0, 1, 0, 2), move(0, 2, 0, 0)});
  const Trace trace =
      with_thread_names(system, steps(configuration(0, {1, 1}), {fire(0), fire(0), fire(1)}));
  EXPECT_EQ(actors(trace), (std::vector<int>{1, 1, 2}));
  const auto told = named_steps(system, trace);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].active, (ThreadMove{ThreadId(1u), LocalState(1u), LocalState(1u)}));
  EXPECT_EQ(told[1].spawned, (ThreadMove{ThreadId(3u), LocalState(2u), LocalState(2u)}));
  EXPECT_EQ(told[2].active, (ThreadMove{ThreadId(2u), LocalState(2u), LocalState(0u)}));
  EXPECT_EQ(told[2].spawned, std::nullopt);
}

TEST(ThreadNaming, NamesPassiveThreadsThatChoose) {
  const auto system =
      thread_system(2, 4, {move(0, 1, 1, 0, {{1, 2}, {1, 3}, {0, 1}}), move(1, 3, 1, 3)});
  const Trace trace = with_thread_names(
      system,
      steps(configuration(0, {1, 4}),
            {fire(0, {{LocalState(1u), LocalState(2u), 2}, {LocalState(1u), LocalState(3u), 1}}),
             fire(1)}));
  EXPECT_EQ(actors(trace), (std::vector<int>{1, 4}));
  EXPECT_EQ(trace.blocks[0].body[0].chosen,
            (std::vector<NamedMove>{{ThreadId(2u), LocalState(2u)},
                                    {ThreadId(3u), LocalState(2u)},
                                    {ThreadId(4u), LocalState(3u)}}));
  const auto told = named_steps(system, trace);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].shared_before, SharedState(0u));
  EXPECT_EQ(told[0].shared_after, SharedState(1u));
  EXPECT_EQ(told[0].passive.size(), 4u);
  EXPECT_EQ(told[0].passive[0], (ThreadMove{ThreadId(0u), LocalState(0u), LocalState(1u)}));
}

TEST(ThreadNaming, TransfersHaveNoActorButMoveThreads) {
  const auto system = thread_system(1, 2, {transfer(0, 0, 0, 1), move(0, 1, 0, 0)});
  const Trace trace =
      with_thread_names(system, steps(configuration(0, {2}), {fire(0), fire(1), fire(0)}));
  EXPECT_EQ(actors(trace), (std::vector<int>{-1, 0, -1}));
  const auto told = named_steps(system, trace);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_FALSE(told[0].active);
  EXPECT_EQ(told[0].passive.size(), 2u);
  EXPECT_EQ(told[2].passive.size(), 1u);
}

TEST(ThreadNaming, NamesEndAtARepeatedBlock) {
  const auto system = thread_system(1, 2, {spawn(0, 0, 0, 1)});
  Trace trace = steps(configuration(0, {1}), {fire(0), fire(0), fire(0)});
  trace.blocks[1].repetitions = 5;
  trace.blocks[2].body[0].thread = ThreadId(0u);
  const Trace named = with_thread_names(system, trace);
  EXPECT_EQ(actors(named), (std::vector<int>{0, -1, -1}));
  EXPECT_EQ(named_steps(system, named).size(), 1u);
}

TEST(ThreadNaming, ImpossibleStepsAndCrowdsAreLeftAlone) {
  const auto system = thread_system(1, 2, {move(0, 0, 0, 1)});
  EXPECT_EQ(actors(with_thread_names(system, steps(configuration(0, {1}), {fire(0), fire(0)}))),
            (std::vector<int>{0, -1}));
  EXPECT_EQ(actors(with_thread_names(system, steps(configuration(0, {1}), {fire(9)}))),
            (std::vector<int>{-1}));
  EXPECT_EQ(actors(with_thread_names(system,
                                     steps(configuration(0, {kMostNamedThreads + 1}), {fire(0)}))),
            (std::vector<int>{-1}));
}

TEST(NamedThreads, FireRefusesWrongNames) {
  const auto system = thread_system(2, 2, {move(0, 0, 1, 1), transfer(1, 1, 0, 0)});
  NamedThreads threads(configuration(0, {2}));
  TraceStep step = fire(0);
  EXPECT_EQ(threads.fire(system, step).error(), "the active thread is not named");
  step.thread = ThreadId(2u);
  EXPECT_EQ(threads.fire(system, step).error(), "thread 2 is not in local state 0");
  step.thread = ThreadId(1u);
  ASSERT_TRUE(threads.fire(system, step));
  EXPECT_EQ(threads.locals(), (std::vector{LocalState(0u), LocalState(1u)}));
  EXPECT_EQ(threads.shared(), SharedState(1u));
  EXPECT_EQ(threads.fire(system, step).error(), "shared state is 1, not 0");
  step = fire(1);
  step.thread = ThreadId(1u);
  EXPECT_EQ(threads.fire(system, step).error(), "a transfer has no active thread");
}

}  // namespace
}  // namespace heddle::answer
