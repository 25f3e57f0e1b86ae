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

using model::Condition;

Condition sum_at_least(const std::vector<int>& weights, int least) {
  std::vector<model::WeightedPlace> terms;
  for (unsigned p = 0; p < weights.size(); ++p)
    if (weights[p] != 0) terms.push_back({model::Counter(p), weights[p]});
  return Condition::at_least(std::move(terms), least);
}

/// Of the two processes, under a condition in place of bounds.
CountingTask under(Condition condition) {
  CountingTask task = two_processes();
  task.question.targets = {{model::SharedState(0u), {}, std::move(condition)}};
  return task;
}

const Condition kNever = sum_at_least({1, 1}, 2);               // p0 + p1 does not change
const Condition kSecondWent = sum_at_least({0, 0, -1, 1}, 1);   // p3 >= p2 + 1
const Condition kSecondLeads = sum_at_least({0, -1, 0, 1}, 2);  // p3 >= p1 + 2

TEST(ExactCovers, WhatDoesNotRaiseASumMayBeLeftOut) {
  EXPECT_EQ(judge(under(kNever), {at({1, 0, 1, 0})}), EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(under(kSecondLeads), {at({1, 0, 1, 0}), at({1, 0, 0, 1})}),
            EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(under(kSecondLeads), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
  EXPECT_EQ(judge(under(kSecondWent), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
  EXPECT_EQ(judge(under(kSecondWent), {at({1, 0, 1, 0}), at({0, 1, 1, 0})}),
            EvidenceStatus::Refuted);
}

TEST(ExactCovers, EitherPartOfADisjunctionMatters) {
  const auto either = [](const Condition& a, const Condition& b) {
    return under(Condition::any({a, b}));
  };
  EXPECT_EQ(judge(either(kNever, kSecondLeads), {at({1, 0, 1, 0}), at({1, 0, 0, 1})}),
            EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(either(kNever, kSecondLeads), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
  EXPECT_EQ(judge(either(kSecondWent, kNever), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
}

TEST(ExactCovers, OnePartOfAConjunctionIsEnough) {
  const auto all = [](const Condition& a, const Condition& b) {
    return under(Condition::all({a, b}));
  };
  EXPECT_EQ(judge(all(kNever, kSecondWent), {at({1, 0, 1, 0})}), EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(all(kSecondWent, kNever), {at({1, 0, 1, 0})}), EvidenceStatus::Confirmed);
  // A part that holds already guards nothing.
  EXPECT_EQ(judge(all(sum_at_least({1, 1}, 1), kSecondWent), {at({1, 0, 1, 0})}),
            EvidenceStatus::Refuted);
}

TEST(ExactCovers, DoNotContainWhatSatisfiesTheCondition) {
  EXPECT_EQ(judge(under(sum_at_least({1, 1}, 1)), {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
  EXPECT_EQ(judge(under(kSecondWent),
                  {at({1, 0, 1, 0}), at({0, 1, 1, 0}), at({1, 0, 0, 1}), at({0, 1, 0, 1})}),
            EvidenceStatus::Refuted);
}

TEST(ForwardCovers, ContainEverythingIfTheTargetIsNowhere) {
  const answer::OmegaConfiguration everything{
      model::SharedState(0u),
      {},
      {model::Counter(0u), model::Counter(1u), model::Counter(2u), model::Counter(3u)}};
  CountingTask task = under(Condition::any({}));
  EXPECT_EQ(judge(task, {everything}), EvidenceStatus::Confirmed);
  task.question.targets.push_back({model::SharedState(0u), {}, kNever});
  EXPECT_EQ(judge(task, {everything}), EvidenceStatus::Refuted);
}

TEST(Questions, HaveConditionsOfPlacesThatExistOnTargetsOnly) {
  EXPECT_EQ(judge(under(sum_at_least({0, 0, 0, 0, 1}, 1)), {at({1, 0, 1, 0}), at({0, 1, 1, 0})}),
            EvidenceStatus::Refuted);
  CountingTask task = under(kNever);
  task.question.initial[0].condition = Condition::any({});
  EXPECT_EQ(judge(task, {at({1, 0, 1, 0})}), EvidenceStatus::Refuted);
}

TEST(ExactCovers, NeedFixedInitialConfigurations) {
  CountingTask none = exactly(3);
  none.question.initial[0].bounds[0].lower = 1;
  none.question.targets[0].bounds[0] = {model::Counter(1u), 2, base::Integer(2)};
  EXPECT_EQ(judge(none, {at({1, 0}), at({0, 1})}), EvidenceStatus::Refuted);
}

}  // namespace
}  // namespace heddle::check::reduced_cover_test
