#include "model/thread_system.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::configuration;
using test::move;
using test::spawn;
using test::transfer;

const LocalState l0(0u), l1(1u), l2(2u), l3(3u);

/// The step of the only transition of a system.
std::expected<Configuration, std::string> fire(const ThreadTransition& t, const Configuration& from,
                                               const std::vector<PassiveFlow>& flows = {}) {
  return step(test::thread_system(4, 4, {t}), from, TransitionId(0u), flows);
}

std::string why_not(const ThreadTransition& t, const Configuration& from,
                    const std::vector<PassiveFlow>& flows = {}) {
  const auto after = fire(t, from, flows);
  return after ? "it is possible" : after.error();
}

std::size_t choices(const ThreadTransition& t, const Configuration& from) {
  std::set<Configuration> successors;
  std::size_t visited = 0;
  const ThreadSystem system = test::thread_system(4, 4, {t});
  for_each_flow(system, from, TransitionId(0u), [&](const std::vector<PassiveFlow>& flows) {
    const auto after = step(system, from, TransitionId(0u), flows);
    EXPECT_TRUE(after) << after.error();
    if (after) successors.insert(*after);
    ++visited;
  });
  EXPECT_EQ(successors.size(), visited) << "each flow should be visited once";
  return visited;
}

TEST(ThreadMove, TakesOneThreadAlong) {
  EXPECT_EQ(fire(move(0, 0, 1, 2), configuration(0, {3, 1})), configuration(1, {2, 1, 1}));
}

TEST(ThreadMove, MayChangeTheSharedOrTheLocalStateAlone) {
  EXPECT_EQ(fire(move(0, 1, 2, 1), configuration(0, {0, 1})), configuration(2, {0, 1}));
  EXPECT_EQ(fire(move(0, 1, 0, 2), configuration(0, {0, 1})), configuration(0, {0, 0, 1}));
  EXPECT_EQ(fire(move(0, 1, 0, 1), configuration(0, {0, 1})), configuration(0, {0, 1}));
}

TEST(ThreadMove, SaysWhyItIsImpossible) {
  EXPECT_EQ(why_not(move(0, 0, 1, 2), configuration(1, {1})), "shared state is 1, not 0");
  EXPECT_EQ(why_not(move(0, 0, 1, 2), configuration(0, {0, 5})), "no thread is in local state 0");
  EXPECT_EQ(step(test::thread_system(1, 1, {}), {}, TransitionId(2u), {}).error(),
            "there is no transition 2");
}

TEST(ThreadMove, CountsAreExactBeyondMachineWords) {
  const Integer large("18446744073709551616");  // 2^64
  Configuration from{SharedState(0u), {{l0, large}, {l1, large}}};
  Configuration expected{SharedState(0u), {{l0, large - 1}, {l1, large + 1}}};
  EXPECT_EQ(fire(move(0, 0, 0, 1), from), expected);
}

TEST(Spawn, KeepsTheSpawner) {
  EXPECT_EQ(fire(spawn(0, 0, 1, 2), configuration(0, {1})), configuration(1, {1, 0, 1}));
  EXPECT_EQ(fire(spawn(0, 1, 0, 1), configuration(0, {0, 1})), configuration(0, {0, 2}));
}

TEST(Spawn, NeedsASpawner) {
  EXPECT_EQ(why_not(spawn(0, 0, 1, 2), configuration(0, {0, 1})), "no thread is in local state 0");
  EXPECT_EQ(why_not(spawn(0, 0, 1, 2), configuration(2, {1})), "shared state is 2, not 0");
}

TEST(Transfer, MovesAllThreadsOfTheSource) {
  EXPECT_EQ(fire(transfer(0, 0, 1, 2), configuration(0, {3, 1, 1})), configuration(1, {0, 1, 4}));
}

TEST(Transfer, IsEnabledWithAnEmptySource) {
  EXPECT_EQ(fire(transfer(0, 0, 1, 2), configuration(0, {0, 1})), configuration(1, {0, 1}));
  EXPECT_EQ(fire(transfer(0, 0, 1, 2), configuration(0, {})), configuration(1, {}));
}

TEST(Transfer, MayKeepTheLocalState) {
  EXPECT_EQ(fire(transfer(0, 1, 1, 1), configuration(0, {1, 2})), configuration(1, {1, 2}));
}

TEST(Transfer, NeedsTheSharedState) {
  EXPECT_EQ(why_not(transfer(0, 0, 1, 2), configuration(3, {1})), "shared state is 3, not 0");
}

TEST(Passive, AllOthersMoveAndTheActiveThreadDoesNotMoveTwice) {
  EXPECT_EQ(fire(move(0, 0, 1, 1, {{1, 2}}), configuration(0, {1, 3})),
            configuration(1, {0, 1, 3}));
  EXPECT_EQ(fire(move(0, 0, 1, 1, {{0, 2}}), configuration(0, {3})), configuration(1, {0, 1, 2}));
}

TEST(Passive, ChainsMoveEachThreadOnce) {
  EXPECT_EQ(fire(move(0, 0, 0, 0, {{1, 2}, {2, 3}}), configuration(0, {1, 2, 3})),
            configuration(0, {1, 0, 2, 3}));
  EXPECT_EQ(fire(move(0, 0, 0, 0, {{1, 2}, {2, 1}}), configuration(0, {1, 2, 3})),
            configuration(0, {1, 3, 2}));
}

TEST(Passive, SeveralTargetsSplitByFlows) {
  const auto t = move(0, 0, 0, 0, {{1, 2}, {1, 3}});
  EXPECT_EQ(fire(t, configuration(0, {1, 3}), {{l1, l2, 1}, {l1, l3, 2}}),
            configuration(0, {1, 0, 1, 2}));
  EXPECT_EQ(fire(t, configuration(0, {1, 3}), {{l1, l3, 3}}), configuration(0, {1, 0, 0, 3}));
  EXPECT_EQ(fire(t, configuration(0, {1})), configuration(0, {1}));
}

TEST(Passive, AListedSourceStaysOnlyIfItIsItsOwnTarget) {
  const auto t = move(0, 0, 0, 0, {{1, 1}, {1, 2}});
  EXPECT_EQ(fire(t, configuration(0, {1, 2}), {{l1, l1, 1}, {l1, l2, 1}}),
            configuration(0, {1, 1, 1}));
}

TEST(Passive, SaysWhyFlowsAreWrong) {
  const auto t = move(0, 0, 0, 0, {{1, 2}, {1, 3}});
  const Configuration from = configuration(0, {1, 3});
  EXPECT_EQ(why_not(t, from), "the flows move 0 of 3 passive threads in local state 1");
  EXPECT_EQ(why_not(t, from, {{l1, l2, 4}}),
            "the flows move 4 of 3 passive threads in local state 1");
  EXPECT_EQ(why_not(t, from, {{l1, l0, 3}}), "no passive move from local state 1 to local state 0");
  EXPECT_EQ(why_not(t, from, {{l1, l2, -1}, {l1, l3, 4}}), "a flow has a negative count");
  EXPECT_EQ(why_not(t, from, {{l2, l3, 1}}), "local state 2 has no passive move");
}

TEST(Passive, FlowsOfSingleTargetsMayBeGivenButMustBeRight) {
  const auto t = move(0, 0, 0, 0, {{1, 2}});
  EXPECT_EQ(fire(t, configuration(0, {1, 3}), {{l1, l2, 3}}), configuration(0, {1, 0, 3}));
  EXPECT_EQ(why_not(t, configuration(0, {1, 3}), {{l1, l2, 2}}),
            "the flows move 2 of 3 passive threads in local state 1");
}

TEST(Passive, TargetsOfEachLocalState) {
  const auto t = move(0, 0, 0, 0, {{1, 2}, {1, 3}});
  EXPECT_EQ(passive_targets(t, l1), (std::vector{l2, l3}));
  EXPECT_EQ(passive_targets(t, l2), std::vector{l2});
  EXPECT_EQ(passive_targets(transfer(0, 1, 0, 3), l1), std::vector{l3});
  EXPECT_EQ(passive_targets(spawn(0, 1, 0, 3), l1), std::vector{l1});
}

TEST(ForEachFlow, VisitsEverySplit) {
  EXPECT_EQ(choices(move(0, 0, 0, 0, {{1, 2}, {1, 3}}), configuration(0, {1, 3})), 4u);
  EXPECT_EQ(choices(move(0, 0, 0, 0, {{1, 0}, {1, 1}, {1, 2}}), configuration(0, {1, 3})), 10u);
  EXPECT_EQ(choices(move(0, 0, 0, 3, {{1, 1}, {1, 2}, {0, 0}, {0, 3}}), configuration(0, {3, 2})),
            9u);
}

TEST(ForEachFlow, OneFlowWithoutChoiceNoneIfDisabled) {
  EXPECT_EQ(choices(move(0, 0, 1, 1), configuration(0, {2})), 1u);
  EXPECT_EQ(choices(move(0, 0, 1, 1, {{1, 2}, {1, 3}}), configuration(0, {2})), 1u);
  EXPECT_EQ(choices(transfer(0, 0, 1, 1), configuration(0, {})), 1u);
  EXPECT_EQ(choices(move(0, 0, 1, 1), configuration(0, {0, 1})), 0u);
  EXPECT_EQ(choices(move(0, 0, 1, 1), configuration(1, {1})), 0u);
}

TEST(ThreadTransition, SameStepIgnoresNotesAndLines) {
  ThreadTransition a = move(0, 0, 1, 1, {{1, 2}});
  ThreadTransition b = a;
  b.note = "line 7 of main.c";
  b.line = 12;
  EXPECT_TRUE(a.same_step(b));
  EXPECT_FALSE(a.same_step(move(0, 0, 1, 1)));
  EXPECT_FALSE(spawn(0, 0, 1, 1).same_step(move(0, 0, 1, 1)));
}

}  // namespace
}  // namespace heddle::model
