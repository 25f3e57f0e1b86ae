/// Small models on which published tools, printed listings or earlier versions of our engines were
/// wrong. A conflict that the agreement tests find is shrunk, printed, and kept here.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/agreement.hpp"
#include "support/builders.hpp"
#include "support/shrink.hpp"

namespace heddle::test::kept_conflicts_test {
namespace {

using base::Integer;
using model::Counter;
using model::PetriNet;
using model::Region;
using Task = model::CountingTask;

/// The oracle's own limits, which are wider than those of the random tests.
const TruthLimits kFar{.counting = {}};

/// Every contestant that takes the task must give this verdict, confirmed, and the oracle must not
/// contradict.
void expect_verdict(const Task& task, std::string_view expected) {
  SCOPED_TRACE(task_text(task));
  const Truth truth = ask_truth(task, kFar);
  EXPECT_EQ(truth.reached.has_value(), expected == "unsafe");
  for (const Contestant& contestant : contestants(engine::registry())) {
    const Finding finding = examine(contestant, task, truth);
    if (finding.outcome == Outcome::Skipped) continue;
    EXPECT_EQ(finding.outcome, Outcome::Agree) << contestant.name << ": " << finding.what;
    EXPECT_EQ(finding.what, expected) << contestant.name;
  }
}

void expect_safe(const Task& task) { expect_verdict(task, "safe"); }
void expect_unsafe(const Task& task) { expect_verdict(task, "unsafe"); }

/// The real edge 0,0 → 0,2 must not swallow the expansion edge with the same ends.
TEST(KeptConflicts, ParallelRealAndExpansionEdges) {
  const auto system = thread_system(
      4, 5,
      {move(0, 0, 0, 2), move(0, 0, 1, 1), move(1, 1, 1, 2), move(1, 2, 2, 3), move(2, 1, 3, 4)});
  expect_unsafe(task(system, {any_number(0, {0})}, {target(3, {4})}));
  expect_unsafe(task(system, {exactly(0, {0, 0})}, {target(3, {4})}));
  expect_safe(task(system, {exactly(0, {0})}, {target(3, {4})}));
}

TEST(KeptConflicts, SpawnIntoATargetWithoutTheSpawner) {
  const auto system = thread_system(2, 2, {spawn(0, 0, 1, 1)});
  expect_unsafe(task(system, {exactly(0, {0})}, {target(1, {1})}));
  expect_unsafe(task(system, {exactly(0, {0})}, {target(1, {0})}));
  expect_unsafe(task(system, {exactly(0, {0})}, {target(1, {0, 1})}));
  expect_safe(task(system, {exactly(0, {0})}, {target(1, {1, 1})}));
}

TEST(KeptConflicts, SpawnerAndChildInTheSameLocalState) {
  const auto once = thread_system(2, 1, {spawn(0, 0, 1, 0)});
  expect_unsafe(task(once, {exactly(0, {0})}, {target(1, {0, 0})}));
  expect_safe(task(once, {exactly(0, {0})}, {target(1, {0, 0, 0})}));
  const auto often = thread_system(1, 1, {spawn(0, 0, 0, 0)});
  expect_unsafe(task(often, {exactly(0, {0})}, {target(0, {0, 0, 0})}));
}

TEST(KeptConflicts, BroadcastSplitsIntoReleasedAndAlreadyThere) {
  const auto system = thread_system(2, 3, {move(0, 0, 1, 0, {{1, 2}})});
  for (const auto& initial : {exactly(0, {0, 1, 1}), exactly(0, {0, 1, 2}), exactly(0, {0, 2, 2})})
    expect_unsafe(task(system, {initial}, {target(1, {2, 2})}));
  expect_safe(task(system, {exactly(0, {0, 2})}, {target(1, {2, 2})}));
}

TEST(KeptConflicts, AThreadThatStillWaitsExcludesTheBroadcast) {
  const auto system = thread_system(2, 3, {move(0, 0, 1, 0, {{1, 2}})});
  expect_safe(task(system, {any_number(0, {0, 1})}, {target(1, {1})}));
}

TEST(KeptConflicts, TheBroadcasterItselfMayArriveAtTheWait) {
  const auto system = thread_system(2, 3, {move(0, 0, 1, 1, {{1, 2}})});
  expect_unsafe(task(system, {any_number(0, {0, 1})}, {target(1, {1, 2})}));
  expect_safe(task(system, {any_number(0, {0, 1})}, {target(1, {1, 1})}));
}

TEST(KeptConflicts, TheBroadcasterMayLeaveAReleasedState) {
  const auto system = thread_system(2, 3, {move(0, 0, 1, 1, {{0, 2}})});
  expect_unsafe(task(system, {exactly(0, {0, 0, 0})}, {target(1, {1, 2, 2})}));
  expect_safe(task(system, {any_number(0, {0})}, {target(1, {1, 1})}));
  expect_safe(task(system, {any_number(0, {0})}, {target(1, {0})}));
}

/// wait; wait: after a broadcast all threads at the second wait come from the first.
TEST(KeptConflicts, ChainsOfPassiveMoves) {
  const auto system = thread_system(2, 4, {move(0, 0, 1, 0, {{1, 2}, {2, 3}})});
  expect_unsafe(task(system, {exactly(0, {0, 1, 2})}, {target(1, {2, 3})}));
  expect_safe(task(system, {any_number(0, {0, 2})}, {target(1, {2})}));
  expect_safe(task(system, {exactly(0, {0, 1})}, {target(1, {3})}));
}

/// The broadcast changes no shared state, yet it has to be looked at.
TEST(KeptConflicts, BroadcastThatKeepsTheSharedState) {
  const auto system =
      thread_system(1, 5, {spawn(0, 0, 0, 3), move(0, 0, 0, 1), move(0, 1, 0, 2, {{3, 4}})});
  expect_unsafe(task(system, {exactly(0, {0})}, {target(0, {4})}));
  expect_unsafe(task(system, {exactly(0, {0})}, {target(0, {2, 4, 4})}));
}

TEST(KeptConflicts, EveryPassiveThreadChoosesForItself) {
  const auto system = thread_system(2, 4, {move(0, 0, 1, 0, {{1, 2}, {1, 3}})});
  expect_unsafe(task(system, {exactly(0, {0, 1, 1})}, {target(1, {2, 3})}));
  expect_unsafe(task(system, {exactly(0, {0, 1, 1})}, {target(1, {3, 3})}));
  expect_safe(task(system, {exactly(0, {0, 1, 1})}, {target(1, {2, 2, 3})}));
  expect_safe(task(system, {any_number(0, {0, 1})}, {target(1, {1})}));
}

TEST(KeptConflicts, TargetsWithSeveralThreads) {
  const auto lock = thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)});
  expect_unsafe(task(lock, {any_number(0, {0})}, {target(1, {1})}));
  expect_unsafe(task(lock, {any_number(0, {0})}, {target(1, {0, 1})}));
  expect_safe(task(lock, {any_number(0, {0})}, {target(1, {1, 1})}));
}

TEST(KeptConflicts, EdgesThatKeepTheLocalState) {
  const auto system = thread_system(3, 2, {move(0, 0, 1, 0), move(1, 0, 2, 1)});
  expect_unsafe(task(system, {exactly(0, {0})}, {target(2, {1})}));
  expect_unsafe(task(system, {exactly(0, {0, 0})}, {target(2, {0, 1})}));
}

TEST(KeptConflicts, EdgesThatKeepTheSharedState) {
  const auto system = thread_system(2, 3, {move(0, 0, 0, 1), move(0, 1, 1, 2)});
  expect_unsafe(task(system, {exactly(0, {0})}, {target(1, {2})}));
}

TEST(KeptConflicts, TransferFromAnEmptySource) {
  const auto system = thread_system(2, 3, {transfer(0, 1, 1, 2)});
  expect_unsafe(task(system, {exactly(0, {0})}, {target(1, {0})}));
  expect_unsafe(task(system, {exactly(0, {0, 1, 1})}, {target(1, {0, 2, 2})}));
  expect_safe(task(system, {any_number(0, {0, 1})}, {target(1, {1})}));
  expect_safe(task(system, {any_number(0, {0})}, {target(1, {2})}));
}

TEST(KeptConflicts, OneOrAnyNumberOfInitialThreads) {
  const auto system = thread_system(2, 3, {move(0, 0, 1, 1), move(1, 0, 1, 2)});
  expect_safe(task(system, {exactly(0, {0})}, {target(1, {2})}));
  expect_unsafe(task(system, {any_number(0, {0})}, {target(1, {2})}));
}

/// The same edge twice, with other passive moves: two transitions, none overwrites the other.
TEST(KeptConflicts, EdgesThatDifferInTheirPassiveMovesOnly) {
  const auto system = thread_system(2, 4, {move(0, 0, 1, 0, {{1, 2}}), move(0, 0, 1, 0, {{1, 3}})});
  expect_unsafe(task(system, {exactly(0, {0, 1})}, {target(1, {2})}));
  expect_unsafe(task(system, {exactly(0, {0, 1})}, {target(1, {3})}));
  expect_safe(task(system, {exactly(0, {0, 1, 1})}, {target(1, {2, 3})}));
}

/// States as concatenated digits would take 1,12 for 11,2.
TEST(KeptConflicts, StatesOfSeveralDigits) {
  const auto system = thread_system(12, 13, {move(0, 0, 1, 12), move(11, 2, 0, 1)});
  expect_safe(task(system, {any_number(0, {0})}, {target(0, {1})}));
  expect_safe(task(system, {any_number(0, {0})}, {target(11, {2})}));
}

TEST(KeptConflicts, CountsBeyondSixteenBits) {
  PetriNet giving = net(2);
  add_transition(giving, "", counts({1, 0}), counts({0, 70'000}));
  expect_unsafe(task(giving, {marking({1, 0})}, {at_least({0, 70'000})}));
  expect_safe(task(giving, {marking({1, 0})}, {at_least({0, 70'001})}));
}

TEST(KeptConflicts, CopiesCountInEveryTarget) {
  PetriNet copying = net(3);
  copying.transitions.push_back(rule({}, {update(1, {0}), update(2, {0})}));
  expect_unsafe(task(copying, {marking({2, 0, 0})}, {at_least({2, 2, 2})}));
  expect_safe(task(copying, {marking({2, 0, 0})}, {at_least({0, 3, 0})}));
}

TEST(KeptConflicts, SwapsAndResetsReadTheMarkingBefore) {
  PetriNet swapping = net(2);
  swapping.transitions.push_back(rule({1, 0}, {update(0, {1}), update(1, {0})}));
  expect_unsafe(task(swapping, {marking({2, 1})}, {at_least({1, 2})}));
  expect_safe(task(swapping, {marking({0, 2})}, {at_least({1, 0})}));
  PetriNet resetting = net(2);
  resetting.transitions.push_back(rule({2, 0}, {update(0, {}, 1), update(1, {1}, 1)}));
  expect_unsafe(task(resetting, {marking({3, 0})}, {at_least({1, 1})}));
  expect_safe(task(resetting, {marking({3, 0})}, {at_least({0, 2})}));
}

TEST(KeptConflicts, SumsWithANegativeRestAreGuards) {
  PetriNet summing = net(2);
  summing.transitions.push_back(rule({}, {update(1, {0, 1}, -2)}));
  expect_unsafe(task(summing, {marking({1, 2})}, {at_least({1, 1})}));
  expect_safe(task(summing, {marking({0, 1})}, {at_least({1, 0})}));
  expect_safe(task(summing, {marking({1, 2})}, {at_least({0, 3})}));
}

/// A zero test is dropped by the relaxation; what is decided must still be about the original. An
/// engine that accelerates nothing may give up on numbers that grow; `forward` knows the test.
TEST(KeptConflicts, ZeroTestsDecideOnlyWhatIsSound) {
  PetriNet testing = net(2);
  testing.transitions.push_back(rule({}, {update(1, {1}, 1)}));
  testing.transitions[0].guard = {{Counter(0u), 0, Integer(0)}};
  expect_unsafe(task(testing, {marking({0, 0})}, {at_least({0, 1})}));
  const auto outcomes = [](const Task& asked) {
    std::map<std::string, Outcome> out;
    const Truth truth = ask_truth(asked);
    for (const Contestant& contestant : contestants(engine::registry()))
      out[std::string(contestant.engine->name)] = examine(contestant, asked, truth).outcome;
    return out;
  };
  const auto growing = outcomes(task(testing, {marking({0, 0})}, {at_least({1, 0})}));
  EXPECT_EQ(growing.at("backward"), Outcome::Agree);
  const auto blocked = outcomes(task(testing, {marking({1, 0})}, {at_least({0, 1})}));
  EXPECT_EQ(blocked.at("forward"), Outcome::Agree);
  EXPECT_EQ(blocked.at("backward"), Outcome::Unknown);
  for (const auto& found : {growing, blocked})
    for (const auto& [name, outcome] : found) EXPECT_NE(outcome, Outcome::Conflict) << name;
}

}  // namespace
}  // namespace heddle::test::kept_conflicts_test
