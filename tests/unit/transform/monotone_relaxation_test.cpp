#include "transform/monotone_relaxation.hpp"

#include <gtest/gtest.h>

#include "base/invariant.hpp"
#include "support/builders.hpp"

namespace heddle::transform {
namespace {

using answer::TraceStep;
using answer::Unknown;
using answer::UnknownReason;
using answer::Unsafe;
using base::Integer;
using model::Counter;
using model::Region;
using model::SharedState;
using model::TransitionId;
using test::at_least;
using test::marking;
using test::rule;
using test::update;

const Counter p0(0u), p1(1u);

/// p0 and p1 grow; rule 1 fires with p0 at most 3 and makes the target p2 ≥ 1 true.
model::CountingTask guarded() {
  model::PetriNet net = test::net(3);
  net.transitions.push_back(rule({}, {update(0, {0}, 1), update(1, {1}, 1)}));
  net.transitions.push_back(rule({}, {update(2, {2}, 1)}));
  net.transitions[1].guard = {{p0, 0, Integer(3)}, {p1, 2, std::nullopt}};
  net.transitions[1].line = 12;
  return test::task(net, {marking({0, 0, 0})}, {at_least({0, 0, 1})});
}

/// A trace that grows `rounds` times, in one block, and then fires rule 1.
answer::Verdict grow_then_fire(const Integer& rounds) {
  const TraceStep grow{TransitionId(0u), {}, std::nullopt, {}};
  const TraceStep fire{TransitionId(1u), {}, std::nullopt, {}};
  return Unsafe{answer::Trace{{SharedState(0u), {}}, {{rounds, {grow}}, {1, {fire}}}}};
}

answer::Verdict back(const model::CountingTask& task, const answer::Verdict& verdict) {
  return translate_back(task, relax_to_monotone(task), verdict);
}

std::string detail(const answer::Verdict& verdict) {
  const auto* unknown = std::get_if<Unknown>(&verdict);
  if (!unknown) return std::string(answer::verdict_name(verdict));
  EXPECT_EQ(unknown->reason, UnknownReason::NotMonotone);
  return unknown->detail;
}

TEST(MonotoneRelaxation, DropsConditionsOfTargets) {
  model::CountingTask task = relax_to_monotone(guarded()).relaxed;
  task.question.targets[0].condition =
      model::Condition::at_least({{p0, -1}, {p1, 1}}, 1);  // p1 >= p0 + 1: never
  ASSERT_TRUE(needs_monotone_relaxation(task));
  const auto relaxation = relax_to_monotone(task);
  EXPECT_TRUE(model::is_upward_closed(relaxation.relaxed.question.targets[0]));
  ASSERT_EQ(relaxation.dropped.size(), 1u);
  EXPECT_EQ(relaxation.dropped[0], "target 1: p1 >= p0 + 1");
  EXPECT_NE(detail(back(task, grow_then_fire(3))).find("violates its condition"),
            std::string::npos);
  task.question.targets[0].condition = model::Condition::at_least({{p0, 1}, {p1, 1}}, 6);
  EXPECT_EQ(detail(back(task, grow_then_fire(3))), "unsafe");
}

TEST(MonotoneRelaxation, IsNeededForUpperBoundsOnly) {
  EXPECT_TRUE(needs_monotone_relaxation(guarded()));
  EXPECT_FALSE(needs_monotone_relaxation(relax_to_monotone(guarded()).relaxed));
  model::CountingTask bounded_target = relax_to_monotone(guarded()).relaxed;
  bounded_target.question.targets.push_back(marking({1}));
  EXPECT_TRUE(needs_monotone_relaxation(bounded_target));
}

TEST(MonotoneRelaxation, UpperBoundsOfInitialRegionsStay) {
  const model::CountingTask relaxed = relax_to_monotone(guarded()).relaxed;
  EXPECT_EQ(relaxed.question.initial, guarded().question.initial);
}

TEST(MonotoneRelaxation, KeepsLowerBoundsThatSaySomething) {
  const model::CountingTask relaxed = relax_to_monotone(guarded()).relaxed;
  const auto& guard = std::get<model::PetriNet>(relaxed.model).transitions[1].guard;
  EXPECT_EQ(guard, (std::vector<model::CounterBound>{{p1, 2, std::nullopt}}));
}

TEST(MonotoneRelaxation, NamesWhatItDropped) {
  model::CountingTask task = guarded();
  auto& net = std::get<model::PetriNet>(task.model);
  net.transitions.push_back(rule({}, {}));
  net.transitions[2].name = "clean";
  net.transitions[2].guard = {{p0, 0, Integer(0)}, {p1, 1, Integer(2)}};
  task.question.targets.push_back(marking({1}));
  EXPECT_EQ(relax_to_monotone(task).dropped,
            (std::vector<std::string>{"rule 1 (line 12): p0 in [0, 3]", "rule 2 'clean': p0 = 0",
                                      "rule 2 'clean': p1 in [1, 2]", "target 2: p0 = 1"}));
}

TEST(MonotoneRelaxation, AStepThatWantsExactlySoManyTokensRemovesTheOthers) {
  model::PetriNet net = test::net(3);
  net.transitions.push_back(rule({}, {update(0, {0}, -1), update(1, {0, 1}, 4)}));
  net.transitions[0].guard = {{p0, 2, Integer(2)}, {Counter(2u), 0, Integer(0)}};
  net.transitions.push_back(rule({}, {update(0, {0}, -3)}));
  net.transitions[1].guard = {{p0, 2, Integer(2)}};
  const model::CountingTask task = test::task(net, {marking({0})}, {at_least({1})});
  const auto relaxed = std::get<model::PetriNet>(relax_to_monotone(task).relaxed.model);
  EXPECT_EQ(relaxed.transitions[0].guard, (std::vector<model::CounterBound>{{p0, 2, {}}}));
  EXPECT_EQ(relaxed.transitions[0].updates,
            (std::vector{update(0, {}, 1), update(1, {1}, 6), update(2, {}, 0)}));
  EXPECT_EQ(relaxed.transitions[1].updates, net.transitions[1].updates) << "it is never taken";
}

TEST(MonotoneRelaxation, RelaxesTargetsOfThreadSystems) {
  const auto system = test::thread_system(1, 2, {});
  const model::CountingTask task =
      test::task(system, {test::exactly(0, {0})}, {test::exactly(0, {0}), test::target(0, {1})});
  const MonotoneRelaxation relaxation = relax_to_monotone(task);
  EXPECT_EQ(relaxation.relaxed.question.targets[0], test::target(0, {0}));
  EXPECT_EQ(relaxation.dropped, std::vector<std::string>{"target 1: 0 = 1"});
}

TEST(TranslateBack, PassesSafeBoundsAndUnknown) {
  const answer::Verdict safe = answer::Safe{answer::BackwardBasis{}};
  EXPECT_EQ(back(guarded(), safe), safe);
  const answer::Verdict up_to = answer::SafeUpTo{answer::context_bound(2), answer::BackwardBasis{}};
  EXPECT_EQ(back(guarded(), up_to), up_to);
  const answer::Verdict unknown = Unknown{UnknownReason::StepLimit, "after 3 steps"};
  EXPECT_EQ(back(guarded(), unknown), unknown);
}

TEST(TranslateBack, KeepsATraceThatReplays) {
  EXPECT_EQ(back(guarded(), grow_then_fire(2)), grow_then_fire(2));
  EXPECT_EQ(back(guarded(), grow_then_fire(3)), grow_then_fire(3));
}

TEST(TranslateBack, ATraceThatBreaksAnUpperGuardBecomesUnknown) {
  EXPECT_EQ(detail(back(guarded(), grow_then_fire(4))),
            "the trace found is not one of the original net (dropped: rule 1 (line 12): p0 in "
            "[0, 3]): place p0 holds 4, the guard asks for at most 3");
}

TEST(TranslateBack, RepetitionsCostTheirBodyOnly) {
  const Integer huge("100000000000000000000000000000");
  EXPECT_NE(detail(back(guarded(), grow_then_fire(huge))).find("holds " + huge.get_str() + ","),
            std::string::npos);
}

/// Rule 2 inside a repeated block: it stays enabled as long as p0 stays at most 3.
TEST(TranslateBack, ChecksTheLastRoundOfABlockToo) {
  model::CountingTask task = guarded();
  task.question.initial = {marking({0, 5, 0})};
  const TraceStep fire{TransitionId(1u), {}, std::nullopt, {}};
  const TraceStep grow{TransitionId(0u), {}, std::nullopt, {}};
  const auto rounds = [&](int n) -> answer::Verdict {
    return Unsafe{answer::Trace{test::configuration(0, {0, 5}), {{n, {fire, grow}}}}};
  };
  EXPECT_EQ(detail(back(task, rounds(0))).find("the trace found is not one"), 0u);
  EXPECT_EQ(back(task, rounds(1)), rounds(1));
  EXPECT_EQ(back(task, rounds(2)), rounds(2));
  EXPECT_EQ(back(task, rounds(4)), rounds(4));
  EXPECT_NE(detail(back(task, rounds(5))).find("p0 holds 4"), std::string::npos);
}

TEST(TranslateBack, ABlockCannotTakeMoreThanThereIs) {
  model::PetriNet net = test::net(1);
  net.transitions.push_back(rule({}, {update(0, {0}, -2)}));
  const model::CountingTask task = test::task(net, {marking({9})}, {marking({1})});
  const TraceStep take{TransitionId(0u), {}, std::nullopt, {}};
  const auto rounds = [&](int n) -> answer::Verdict {
    return Unsafe{answer::Trace{test::configuration(0, {9}), {{n, {take}}}}};
  };
  EXPECT_EQ(back(task, rounds(4)), rounds(4));
  EXPECT_NE(detail(back(task, rounds(5))).find("negative"), std::string::npos);
  EXPECT_NE(detail(back(task, rounds(50))).find("more often than it can run"), std::string::npos);
}

TEST(TranslateBack, TheLastConfigurationMustBeInTheOriginalTarget) {
  model::CountingTask task = guarded();
  task.question.targets = {Region{SharedState(0u), {{p1, 2, Integer(2)}}}};
  EXPECT_EQ(back(task, grow_then_fire(2)), grow_then_fire(2));
  EXPECT_NE(detail(back(task, grow_then_fire(3))).find("exceeds the target's upper bounds"),
            std::string::npos);
}

TEST(TranslateBack, RepeatedStepsMustHaveAConstantEffect) {
  model::CountingTask task = guarded();
  std::get<model::PetriNet>(task.model).transitions[0].updates = {update(0, {}, 1)};
  EXPECT_THROW(back(task, grow_then_fire(2)), base::InternalError);
}

TEST(TranslateBack, ReplaysThreadSystemsWithTheirFlows) {
  const auto system = test::thread_system(2, 3, {test::move(0, 0, 1, 0, {{1, 1}, {1, 2}})});
  model::CountingTask task =
      test::task(system, {test::exactly(0, {0, 1, 1})}, {test::target(1, {1})});
  task.question.targets[0].bounds[0].upper = 1;
  const auto split = [&](int stay) {
    const std::vector<model::PassiveFlow> flows = {{p1, p1, stay}, {p1, Counter(2u), 2 - stay}};
    return Unsafe{test::trace(test::configuration(0, {1, 2}), {{TransitionId(0u), flows}})};
  };
  EXPECT_EQ(back(task, split(1)), answer::Verdict(split(1)));
  EXPECT_EQ(detail(back(task, split(2))).find("the trace found is not one"), 0u);
}

}  // namespace
}  // namespace heddle::transform
