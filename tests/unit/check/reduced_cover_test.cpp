/// Forward covers that are closed under enough steps only: confirmed where stubborn sets say so.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "support/builders.hpp"

namespace heddle::check::reduced_cover_test {
namespace {

using answer::EvidenceStatus;
using answer::ForwardCover;
using model::CountingTask;
using test::at_least;
using test::marking;
using test::rule;
using test::update;

answer::OmegaConfiguration at(const std::vector<unsigned>& tokens) {
  return {model::SharedState(0u), test::counts(tokens), {}};
}

EvidenceStatus judge(const CountingTask& task, std::vector<answer::OmegaConfiguration> elements) {
  base::RunContext context;
  return check(task, answer::Safe{ForwardCover{std::move(elements)}}, context).status;
}

/// Two processes, p0 → p1 and p2 → p3. The target asks for p0 and p1 marked together, which the
/// second process does not matter for.
CountingTask two_processes() {
  model::PetriNet net = test::net(4);
  net.transitions = {rule({1}, {update(0, {0}, -1), update(1, {1}, 1)}),
                     rule({0, 0, 1}, {update(2, {2}, -1), update(3, {3}, 1)})};
  return test::task(net, {marking({1, 0, 1, 0})}, {at_least({1, 1, 0, 0})});
}

TEST(ReducedCovers, IndependentStepsMayBeLeftOut) {
  EXPECT_EQ(judge(two_processes(), {at({1, 0, 1, 0}), at({0, 1, 1, 0})}),
            EvidenceStatus::Confirmed);
}

TEST(ReducedCovers, StepsTowardsTheTargetMayNot) {
  EXPECT_EQ(judge(two_processes(), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
}

/// The second process could fill p0 again: what it does is not independent.
TEST(ReducedCovers, StepsThatEnableOthersMayNotBeLeftOut) {
  CountingTask task = two_processes();
  auto& net = std::get<model::PetriNet>(task.model);
  net.transitions[1].updates.insert(net.transitions[1].updates.begin(), update(0, {0}, 1));
  EXPECT_EQ(judge(task, {at({1, 0, 1, 0}), at({0, 1, 1, 0})}), EvidenceStatus::Refuted);
}

/// Two processes that need the same token: only one of them can go on.
TEST(ReducedCovers, StepsThatCompeteMayNotBeLeftOut) {
  model::PetriNet net = test::net(5);
  net.transitions = {
      rule({1, 0, 0, 0, 1}, {update(0, {0}, -1), update(1, {1}, 1), update(4, {4}, -1)}),
      rule({0, 0, 1, 0, 1}, {update(2, {2}, -1), update(3, {3}, 1), update(4, {4}, -1)}),
      rule({1, 0, 0, 1}, {update(0, {0}, -1), update(1, {1}, 2)})};
  const CountingTask task =
      test::task(net, {marking({1, 0, 1, 0, 1})}, {at_least({0, 2, 0, 0, 0})});
  EXPECT_EQ(judge(task, {at({1, 0, 1, 0, 1}), at({0, 1, 1, 0, 0})}), EvidenceStatus::Refuted);
}

/// A reset does not commute with what it removes.
TEST(ReducedCovers, AreAboutConstantEffectsOnly) {
  CountingTask task = two_processes();
  auto& net = std::get<model::PetriNet>(task.model);
  net.transitions.push_back(rule({0, 0, 0, 5}, {update(3, {})}));
  EXPECT_EQ(judge(task, {at({1, 0, 1, 0}), at({0, 1, 1, 0})}), EvidenceStatus::Refuted);
}

TEST(ReducedCovers, SharedStatesAreTokens) {
  const auto system = test::thread_system(
      2, 3, {test::move(0, 0, 0, 1), test::move(0, 0, 1, 2), test::move(1, 0, 1, 1)});
  const CountingTask task =
      test::task(system, {test::exactly(0, {0, 0})}, {test::target(1, {0, 1, 2})});
  const answer::OmegaConfiguration start{model::SharedState(0u), test::counts({2}), {}};
  EXPECT_EQ(judge(task, {start}), EvidenceStatus::Refuted);
}

/// An upper bound in a guard keeps the second process from starting; a reduced cover does not
/// count on it.
TEST(ReducedCovers, DoNotCountOnUpperBoundsOfGuards) {
  CountingTask task = two_processes();
  auto& net = std::get<model::PetriNet>(task.model);
  net.transitions[0].guard[0].upper = 3;
  EXPECT_EQ(judge(task, {at({1, 0, 1, 0}), at({0, 1, 1, 0})}), EvidenceStatus::Confirmed);
}

/// p0 has two tokens that go to p1 one by one; the target asks for exactly `tokens` in p1.
CountingTask exactly(unsigned tokens) {
  model::PetriNet net = test::net(2);
  net.transitions = {rule({1}, {update(0, {0}, -1), update(1, {1}, 1)})};
  model::Region target = at_least({0, 1});
  target.bounds[0] = {model::Counter(1u), tokens, base::Integer(tokens)};
  return test::task(net, {marking({2, 0})}, {target});
}

TEST(ExactCovers, AreAboutTheConfigurationsThemselves) {
  EXPECT_EQ(judge(exactly(3), {at({2, 0}), at({1, 1}), at({0, 2})}), EvidenceStatus::Confirmed);
  // Below the elements there is a target, but it is not reached.
  CountingTask none = exactly(0);
  none.question.targets[0].bounds.insert(none.question.targets[0].bounds.begin(),
                                         {model::Counter(0u), 0, base::Integer(1)});
  EXPECT_EQ(judge(none, {at({2, 0}), at({1, 1}), at({0, 2})}), EvidenceStatus::Confirmed);
}

TEST(ExactCovers, ContainTheStartTheStepsAndNoTarget) {
  CountingTask none = exactly(0);
  none.question.targets[0].bounds.insert(none.question.targets[0].bounds.begin(),
                                         {model::Counter(0u), 0, base::Integer(1)});
  EXPECT_EQ(judge(none, {at({1, 1}), at({0, 2})}), EvidenceStatus::Refuted);
  EXPECT_EQ(judge(none, {at({2, 0})}), EvidenceStatus::Refuted);
  // Once p1 is marked, nothing takes the token away again: further steps do not matter.
  EXPECT_EQ(judge(none, {at({2, 0}), at({1, 1})}), EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(exactly(1), {at({2, 0}), at({1, 1}), at({0, 2})}), EvidenceStatus::Refuted);
}

/// Where a target is exceeded, the transitions that decrease the place matter.
TEST(ExactCovers, StepsThatDecreaseMayNotBeLeftOut) {
  model::PetriNet net = test::net(3);
  net.transitions = {rule({1}, {update(0, {0}, -1), update(1, {1}, 1)})};
  model::Region target{model::SharedState(0u), {{model::Counter(0u), 0, base::Integer(0)}}};
  const CountingTask task = test::task(net, {marking({1, 0, 0})}, {target});
  EXPECT_EQ(judge(task, {at({1, 0, 0})}), EvidenceStatus::Refuted);
}

TEST(ExactCovers, NeedFixedInitialConfigurations) {
  CountingTask none = exactly(3);
  none.question.initial[0].bounds[0].lower = 1;
  none.question.targets[0].bounds[0] = {model::Counter(1u), 2, base::Integer(2)};
  EXPECT_EQ(judge(none, {at({1, 0}), at({0, 1})}), EvidenceStatus::Refuted);
}

}  // namespace
}  // namespace heddle::check::reduced_cover_test
