#include "transform/threads_to_net.hpp"

#include <gtest/gtest.h>

#include "support/agreement.hpp"
#include "support/builders.hpp"

namespace heddle::transform {
namespace {

using model::Counter;
using model::SharedState;
using model::TransitionId;
using Part = NetStepOrigin::Part;

/// Threads wait in 1; the first in 0 sends each of them to 2 or to 3, and goes to 2 itself.
model::CountingTask scatter() {
  auto system =
      test::thread_system(2, 4, {test::move(0, 0, 0, 1), test::move(0, 0, 1, 2, {{1, 2}, {1, 3}})});
  return test::task(system, {test::any_number(0, {0})}, {test::target(1, {2, 3, 3})});
}

const model::PetriNet& net_of(const ThreadsAsNet& translation) {
  return translation.translated.model;
}

TEST(ThreadsToNet, HasAPlaceForEveryState) {
  const auto net = threads_to_net(test::threads(test::thread_system(2, 3, {test::move(0, 1, 1, 2)}),
                                                {test::exactly(0, {1})}, {test::target(1, {2})}));
  EXPECT_EQ(net_of(net).places, (std::vector<std::string>{"l0", "l1", "l2", "s0", "s1"}));
  EXPECT_TRUE(net_of(net).transitions.at(0).same_step(
      test::rule({0, 1, 0, 1}, {test::update(1, {1}, -1), test::update(2, {2}, 1),
                                test::update(3, {3}, -1), test::update(4, {4}, 1)})));
  const model::CountingQuestion& asked = net.translated.question;
  EXPECT_EQ(asked.initial.at(0).bounds.back(), (model::CounterBound{Counter(3u), 1, 1}));
  EXPECT_EQ(asked.targets.at(0).bounds.back(), (model::CounterBound{Counter(4u), 1, {}}));
}

TEST(ThreadsToNet, SpawnsNeedTheirParentAndTransfersNobody) {
  const auto net = threads_to_net(test::threads(
      test::thread_system(1, 2, {test::spawn(0, 0, 0, 1), test::transfer(0, 0, 0, 1)}), {}, {}));
  const auto& found = net_of(net).transitions;
  EXPECT_TRUE(found.at(0).same_step(test::rule({1, 0, 1}, {test::update(1, {1}, 1)})));
  EXPECT_TRUE(
      found.at(1).same_step(test::rule({0, 0, 1}, {test::update(0, {}), test::update(1, {0, 1})})));
}

/// The active thread leaves 0 before the others follow to 1.
TEST(ThreadsToNet, TheActiveThreadIsNotPassive) {
  const auto net = threads_to_net(
      test::threads(test::thread_system(1, 3, {test::move(0, 0, 0, 2, {{0, 1}})}), {}, {}));
  EXPECT_TRUE(net_of(net).transitions.at(0).same_step(test::rule(
      {1, 0, 0, 1}, {test::update(0, {}), test::update(1, {0, 1}, -1), test::update(2, {2}, 1)})));
}

TEST(ThreadsToNet, ThreadsThatChooseAreSetAside) {
  const ThreadsAsNet net = threads_to_net(test::of_threads(scatter()));
  ASSERT_EQ(net.origins.size(), 5u);
  EXPECT_EQ(net.origins[1].part, Part::Begin);
  EXPECT_EQ(net.origins[2].part, Part::Choose);
  EXPECT_EQ(net.origins[3].choice, (model::PassiveMove{Counter(1u), Counter(3u)}));
  EXPECT_EQ(net.origins[4].part, Part::End);
  EXPECT_EQ(net_of(net).places.size(), 4u + 2 + 2);
}

answer::TraceBlock block(unsigned repetitions, unsigned transition) {
  return {repetitions, {{TransitionId(transition), {}, {}, {}}}};
}

/// Five threads: three wait, one dispatches. Two of the three choose 3 in time.
TEST(ThreadsToNet, ThreadsThatDidNotChooseTakeTheFirstChoice) {
  const model::CountingTask task = scatter();
  const ThreadsAsNet net = threads_to_net(test::of_threads(task));
  const answer::Trace trace{
      {SharedState(0u), {{Counter(0u), 5}, {net.place_of(SharedState(0u)), 1}}},
      {block(3, 0), block(1, 1), block(2, 3), block(1, 4)}};
  const auto back =
      translate_back(std::get<model::ThreadSystem>(task.model), net, answer::Unsafe{trace});
  const auto& found = std::get<answer::Trace>(std::get<answer::Unsafe>(back).trace);
  EXPECT_EQ(test::naive_replay(task, found), "");
  ASSERT_EQ(found.blocks.size(), 2u);
  const std::vector<model::PassiveFlow> flows{{Counter(1u), Counter(3u), 2},
                                              {Counter(1u), Counter(2u), 1}};
  EXPECT_EQ(found.blocks[1].body.at(0).flows, flows);
}

answer::Verdict basis_back(const model::CountingTask& task, answer::BackwardBasis basis) {
  return translate_back(std::get<model::ThreadSystem>(task.model),
                        threads_to_net(test::of_threads(task)), answer::Safe{std::move(basis)});
}

std::vector<model::Configuration> elements(const answer::Verdict& verdict) {
  return std::get<answer::BackwardBasis>(std::get<answer::Safe>(verdict).certificate).minimal;
}

TEST(ThreadsToNet, ElementsWithTwoControlTokensMeanNothing) {
  const auto back = basis_back(
      scatter(),
      {{test::configuration(0, {0, 0, 1, 2, 0, 1}), test::configuration(0, {1, 0, 0, 0, 1, 1}),
        test::configuration(0, {1, 0, 0, 0, 0, 2}), test::configuration(0, {1, 0, 0, 0, 0, 0, 1})},
       {}});
  EXPECT_EQ(elements(back), std::vector{test::configuration(1, {0, 0, 1, 2})});
}

TEST(ThreadsToNet, ElementsWithoutControlHoldInEverySharedState) {
  const auto back = basis_back(scatter(), {{test::configuration(0, {1})}, {}});
  EXPECT_EQ(elements(back),
            (std::vector{test::configuration(0, {1}), test::configuration(1, {1})}));
}

TEST(ThreadsToNet, PlacesThatAreNeverMarkedTogetherJoinTheBasis) {
  const model::CountingTask task =
      test::task(test::thread_system(1, 2, {}), {test::exactly(0, {0})}, {test::target(0, {1})});
  const Counter l0(0u), l1(1u), s0(2u);
  const auto back =
      basis_back(task, {{}, {answer::ConcurrentPlaces{{l0, l1, s0}, {{l0, s0}, {l1, s0}}}}});
  EXPECT_EQ(elements(back),
            (std::vector{test::configuration(0, {1, 1}), test::configuration(0, {2}),
                         test::configuration(0, {0, 2})}));
}

TEST(ThreadsToNet, OtherKindsOfProofDoNotCarryOver) {
  const model::CountingTask task = scatter();
  const auto back =
      translate_back(std::get<model::ThreadSystem>(task.model),
                     threads_to_net(test::of_threads(task)), answer::Safe{answer::PathwiseProof{}});
  EXPECT_TRUE(std::holds_alternative<answer::Unknown>(back));
}

TEST(ThreadsToNet, OneControlTokenGoesWithoutSaying) {
  const Counter s0(4u), s1(5u), between(7u);
  answer::LinearInvariant one{{{s0, 1}, {s1, 1}, {between, 1}}, {}, 1};
  EXPECT_TRUE(elements(basis_back(scatter(), {{}, {one}})).empty());
  one.weights[0].weight = 2;
  EXPECT_TRUE(std::holds_alternative<answer::Unknown>(basis_back(scatter(), {{}, {one}})));
}

}  // namespace
}  // namespace heddle::transform
