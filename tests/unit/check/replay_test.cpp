#include "check/counting/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::check::replay_test {
namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::ThreadId;
using answer::Trace;
using answer::TraceStep;
using base::Integer;
using model::LocalState;
using model::TransitionId;
using testing::HasSubstr;
using namespace heddle::test;

TraceStep fire(unsigned transition) { return {TransitionId(transition), {}, std::nullopt, {}}; }
TraceStep by(unsigned thread, unsigned transition) {
  return {TransitionId(transition), {}, ThreadId(thread), {}};
}

Trace steps(model::Configuration initial, std::vector<TraceStep> list) {
  return {std::move(initial), {{1, std::move(list)}}};
}

CheckResult run(const model::CountingTask& task, const Trace& trace) {
  base::RunContext context;
  return replay(task, trace, context);
}

void expect_refuted(const CheckResult& result, const std::string& part) {
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_THAT(result.why, HasSubstr(part));
}

/// 0: a new worker; 1: it takes the lock; 2: it gives it back, done.
model::CountingTask workers(unsigned done) {
  return task(thread_system(2, 3, {spawn(0, 0, 0, 1), move(0, 1, 1, 2), move(1, 2, 0, 2)}),
              {exactly(0, {0})}, {target(0, std::vector<unsigned>(done, 2))});
}

TEST(Replay, ConfirmsAnInterleaving) {
  const auto result = run(workers(1), steps(configuration(0, {1}), {fire(0), fire(1), fire(2)}));
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed);
  EXPECT_EQ(result.why, "replayed 3 steps");
}

TEST(Replay, RefutesAWrongStartStepOrEnd) {
  const auto task = workers(1);
  expect_refuted(run(task, steps(configuration(0, {2}), {fire(0), fire(1), fire(2)})),
                 "which is not an initial configuration");
  expect_refuted(run(task, steps(configuration(0, {1}), {fire(1)})),
                 "step 1 of the replay, transition 1: no thread is in local state 1");
  expect_refuted(run(task, steps(configuration(0, {1}), {fire(0), fire(1)})),
                 "which is not a target");
  expect_refuted(run(task, steps(configuration(0, {1}), {fire(7)})), "there is no transition 7");
  expect_refuted(run(task, steps(configuration(5, {1}), {})), "shared state 5");
  expect_refuted(run(task, steps(configuration(0, {1, 0, 0, 1}), {})), "counter 3");
}

TEST(Replay, RunsAHugeBlockInTheTimeOfItsBody) {
  const Integer huge("1180591620717411303424");  // 2^70
  model::CountingTask pump = workers(1);
  pump.question.targets[0].bounds[0].lower = huge;
  Trace trace{configuration(0, {1}), {{huge, {fire(0), fire(1), fire(2)}}}};
  base::RunContext context;
  EXPECT_EQ(replay(pump, trace, context).status, EvidenceStatus::Confirmed);
  EXPECT_EQ(context.steps(), 6u);
  trace.blocks[0].repetitions = huge - 1;
  expect_refuted(run(pump, trace), "which is not a target");
}

TEST(Replay, ABlockMustBePossibleUntilItsLastRepetition) {
  model::PetriNet drain = net(2);
  drain.transitions = {rule({2, 0}, {update(0, {0}, -1), update(1, {1}, 1)})};
  for (unsigned times = 1; times <= 8; ++times) {
    const auto result = run(task(drain, {marking({6, 0})}, {at_least({0, 1})}),
                            {configuration(0, {6}), {{times, {fire(0)}}}});
    EXPECT_EQ(result.status == EvidenceStatus::Confirmed, times <= 5) << times;
  }
}

TEST(Replay, ABlockHonoursUpperBoundsOfGuards) {
  model::PetriNet fill = net(1);
  fill.transitions = {rule({0}, {update(0, {0}, 1)})};
  fill.transitions[0].guard = {{model::PlaceId(0u), 0, Integer(4)}};
  for (unsigned times = 1; times <= 8; ++times) {
    const auto result = run(task(fill, {marking({0})}, {at_least({1})}),
                            {configuration(0, {}), {{times, {fire(0)}}}});
    EXPECT_EQ(result.status == EvidenceStatus::Confirmed, times <= 5) << times;
  }
}

TEST(Replay, ABlockMustReturnToItsSharedState) {
  const auto crowd =
      task(thread_system(2, 2, {move(0, 0, 1, 1)}), {any_number(0, {0})}, {target(1, {1, 1})});
  expect_refuted(run(crowd, {configuration(0, {2}), {{2, {fire(0)}}}}),
                 "does not return to the shared state");
}

TEST(Replay, BlocksWithTransfersAreUnrolledUpToALimit) {
  const auto broom = task(thread_system(1, 3, {spawn(0, 0, 0, 1), transfer(0, 1, 0, 2)}),
                          {exactly(0, {0})}, {target(0, {2, 2, 2})});
  Trace trace{configuration(0, {1}), {{3, {fire(0), fire(1)}}}};
  EXPECT_EQ(run(broom, trace).status, EvidenceStatus::Confirmed);
  trace.blocks[0].repetitions = kMostUnrolledSteps;
  expect_refuted(run(broom, trace), "too long to replay");
}

TEST(Replay, BlocksWithOtherUpdatesThanShiftsAreUnrolled) {
  model::PetriNet doubling = net(1);
  doubling.transitions = {rule({0}, {update(0, {0, 0})})};
  const Trace trace{configuration(0, {1}), {{3, {fire(0)}}}};
  EXPECT_EQ(run(task(doubling, {marking({1})}, {at_least({8})}), trace).status,
            EvidenceStatus::Confirmed);
  expect_refuted(run(task(doubling, {marking({1})}, {at_least({9})}), trace), "not a target");
}

TEST(Replay, ABlockIsRunAtLeastOnce) {
  expect_refuted(run(workers(1), {configuration(0, {1}), {{0, {fire(0)}}}}), "0 times");
}

TEST(Replay, FollowsNamesOfThreads) {
  const auto task = workers(2);
  const auto start = configuration(0, {1});
  EXPECT_EQ(
      run(task, steps(start, {by(0, 0), by(0, 0), by(2, 1), by(2, 2), by(1, 1), by(1, 2)})).status,
      EvidenceStatus::Confirmed);
  expect_refuted(run(task, steps(start, {by(0, 0), by(0, 1)})),
                 "thread 0 is in local state 0, not 1");
  expect_refuted(run(task, steps(start, {by(0, 0), by(2, 1)})), "there is no thread 2 yet");
  expect_refuted(run(task, steps(start, {by(0, 0), by(1, 1), fire(2), by(0, 0)})),
                 "names of threads come back");
  expect_refuted(run(task, {start, {{1, {by(0, 0)}}, {2, {by(0, 0)}}}}),
                 "a block that is repeated names threads");
}

TEST(Replay, NamesMayEnd) {
  EXPECT_EQ(run(workers(1), steps(configuration(0, {1}), {by(0, 0), fire(1), fire(2)})).status,
            EvidenceStatus::Confirmed);
}

TEST(Replay, NamedChoicesMustMakeUpTheFlows) {
  const auto task = test::task(thread_system(1, 3, {move(0, 0, 0, 0, {{1, 1}, {1, 2}})}),
                               {exactly(0, {0, 1, 1})}, {target(0, {1, 2})});
  TraceStep step = by(0, 0);
  step.flows = {{LocalState(1u), LocalState(1u), 1}, {LocalState(1u), LocalState(2u), 1}};
  const auto with = [&](std::vector<answer::NamedMove> chosen) {
    step.chosen = std::move(chosen);
    return run(task, steps(configuration(0, {1, 2}), {step}));
  };
  const LocalState stay(1u), go(2u);
  EXPECT_EQ(with({{ThreadId(1u), go}, {ThreadId(2u), stay}}).status, EvidenceStatus::Confirmed);
  expect_refuted(with({{ThreadId(1u), go}, {ThreadId(2u), go}}), "disagree with the flows");
  expect_refuted(with({{ThreadId(1u), go}}), "thread 2 does not say where it goes");
  expect_refuted(with({{ThreadId(1u), go}, {ThreadId(1u), stay}}), "thread 1 chooses twice");
  expect_refuted(with({{ThreadId(0u), go}, {ThreadId(1u), go}, {ThreadId(2u), stay}}),
                 "thread 0 has nothing to choose");
}

TEST(Replay, TheActiveThreadDoesNotChooseAsAPassiveOne) {
  const auto task = test::task(thread_system(1, 3, {move(0, 1, 0, 0, {{1, 1}, {1, 2}})}),
                               {exactly(0, {1, 1})}, {target(0, {0, 2})});
  TraceStep step = by(1, 0);
  step.flows = {{LocalState(1u), LocalState(2u), 1}};
  step.chosen = {{ThreadId(0u), LocalState(2u)}};
  EXPECT_EQ(run(task, steps(configuration(0, {0, 2}), {step})).status, EvidenceStatus::Confirmed);
  step.chosen = {{ThreadId(1u), LocalState(2u)}};
  expect_refuted(run(task, steps(configuration(0, {0, 2}), {step})),
                 "thread 0 does not say where it goes");
}

TEST(Replay, TransfersKeepNamesButHaveNoActor) {
  const auto task = test::task(thread_system(1, 2, {transfer(0, 0, 0, 1), move(0, 1, 0, 0)}),
                               {exactly(0, {0, 0})}, {target(0, {0, 1})});
  const auto start = configuration(0, {2});
  EXPECT_EQ(run(task, steps(start, {fire(0), by(1, 1)})).status, EvidenceStatus::Confirmed);
  expect_refuted(run(task, steps(start, {by(0, 0), by(1, 1)})), "a transfer has no active thread");
  expect_refuted(run(task, {start, {{2, {fire(0)}}, {1, {by(1, 1)}}}}),
                 "names of threads come back");
}

TEST(Replay, NetsHaveNeitherThreadsNorFlows) {
  model::PetriNet one = net(1);
  one.transitions = {rule({0}, {update(0, {0}, 1)})};
  const auto grow = task(one, {marking({0})}, {at_least({1})});
  expect_refuted(run(grow, steps(configuration(0, {}), {by(0, 0)})), "a Petri net has none");
  TraceStep step = fire(0);
  step.flows = {{LocalState(0u), LocalState(0u), 1}};
  expect_refuted(run(grow, steps(configuration(0, {}), {step})), "a Petri net has no flows");
}

TEST(Replay, StopsAtTheStepLimit) {
  base::Limits limits;
  limits.steps = 2;
  base::RunContext context(limits);
  const auto result =
      replay(workers(1), steps(configuration(0, {1}), {fire(0), fire(1), fire(2)}), context);
  EXPECT_EQ(result.status, EvidenceStatus::NotChecked);
  EXPECT_EQ(result.why, "step limit");
}

}  // namespace
}  // namespace heddle::check::replay_test
