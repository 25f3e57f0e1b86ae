#include "transform/net_to_threads.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::transform {
namespace {

using model::Counter;
using model::SharedState;
using model::TransitionId;

/// p0 + p1 → p2 in two steps; p2 → p0 in one.
model::CountingTask join() {
  model::PetriNet net = test::net(3);
  add_transition(net, "join", {{Counter(0u), 1}, {Counter(1u), 1}}, {{Counter(2u), 1}});
  add_transition(net, "again", {{Counter(2u), 1}}, {{Counter(0u), 1}});
  return test::task(net, {test::marking({2, 1, 0})}, {test::at_least({0, 0, 2})});
}

TEST(NetToThreads, ChainsGoThroughFreshSharedStates) {
  const auto threads = net_to_threads(test::of_net(join()));
  ASSERT_TRUE(threads.has_value());
  const auto& system = threads->translated.model;
  EXPECT_EQ(system.local_count, 4u);
  EXPECT_EQ(system.shared_count, 2u);
  ASSERT_EQ(system.transitions.size(), 3u);
  EXPECT_TRUE(system.transitions[0].same_step(test::move(0, 0, 1, 2)));
  EXPECT_TRUE(system.transitions[1].same_step(test::move(1, 1, 0, 3)));
  EXPECT_TRUE(system.transitions[2].same_step(test::move(0, 2, 0, 0)));
  const std::vector<std::optional<TransitionId>> completes{std::nullopt, TransitionId(0u),
                                                           TransitionId(1u)};
  EXPECT_EQ(threads->completes, completes);
}

TEST(NetToThreads, AnyNumberOfThreadsStartInThePool) {
  const auto threads = net_to_threads(test::of_net(join()));
  const model::CounterBound* pool =
      threads->translated.question.initial.at(0).find(threads->pool());
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->lower, 0);
  EXPECT_FALSE(pool->upper.has_value());
}

/// A repeated block that begins in the middle of a chain is the same run of whole chains.
TEST(NetToThreads, TracesAreTheirWholeChains) {
  const auto threads = net_to_threads(test::of_net(join()));
  const auto step = [](unsigned t) { return answer::TraceStep{TransitionId(t), {}, {}, {}}; };
  answer::Trace trace{{SharedState(0u), {{Counter(0u), 9}, {Counter(1u), 9}, {Counter(3u), 4}}},
                      {{1, {step(0)}}, {5, {step(1), step(0)}}, {1, {step(1)}}}};
  const auto back = translate_back(*threads, answer::Unsafe{trace});
  const auto& found = std::get<answer::Trace>(std::get<answer::Unsafe>(back).trace);
  EXPECT_EQ(found.initial.counts, (model::Counts{{Counter(0u), 9}, {Counter(1u), 9}}));
  ASSERT_EQ(found.blocks.size(), 2u);
  EXPECT_EQ(found.blocks[0].repetitions, 5);
  EXPECT_EQ(found.blocks[0].body, std::vector{step(0)});
  EXPECT_EQ(found.blocks[1].repetitions, 1);
}

TEST(NetToThreads, ABasisIsWhatItHasInTheBase) {
  const auto threads = net_to_threads(test::of_net(join()));
  answer::BackwardBasis basis;
  basis.minimal = {test::configuration(0, {0, 0, 2, 1}), test::configuration(0, {0, 0, 2}),
                   test::configuration(1, {1})};
  const auto back = translate_back(*threads, answer::Safe{basis});
  const auto& found = std::get<answer::BackwardBasis>(std::get<answer::Safe>(back).certificate);
  EXPECT_EQ(found.minimal, std::vector{test::configuration(0, {0, 0, 2})});
}

TEST(NetToThreads, PlacesOutsideClosedThreadStatesJoinTheBasis) {
  const auto threads = net_to_threads(test::of_net(join()));
  answer::ClosedThreadStates closed{{SharedState(0u)}, {}};
  for (const unsigned l : {0u, 1u, 3u}) closed.states.push_back({SharedState(0u), Counter(l)});
  for (const answer::Certificate& proof :
       {answer::Certificate(answer::BackwardBasis{{}, {closed}}), answer::Certificate(closed)}) {
    const auto back = translate_back(*threads, answer::Safe{proof});
    const auto& found = std::get<answer::BackwardBasis>(std::get<answer::Safe>(back).certificate);
    EXPECT_EQ(found.minimal, std::vector{test::configuration(0, {0, 0, 1})});
    EXPECT_TRUE(found.relative_to.empty());
  }
}

TEST(NetToThreads, OtherInvariantsAndBoundsDoNotCarryOver) {
  const auto threads = net_to_threads(test::of_net(join()));
  const answer::LinearInvariant linear{{{Counter(0u), 1}}, {}, 1};
  for (const answer::Verdict& verdict :
       {answer::Verdict(answer::Safe{answer::BackwardBasis{{}, {linear}}}),
        answer::Verdict(answer::Safe{answer::PathwiseProof{}}),
        answer::Verdict(answer::SafeUpTo{answer::context_bound(2), answer::BackwardBasis{}})}) {
    const auto back = translate_back(*threads, verdict);
    ASSERT_TRUE(std::holds_alternative<answer::Unknown>(back));
    EXPECT_EQ(std::get<answer::Unknown>(back).reason, answer::UnknownReason::Unsupported);
  }
}

TEST(NetToThreads, NamesTheRuleOrTargetThatItRefuses) {
  model::CountingTask copying = join();
  auto& net = std::get<model::PetriNet>(copying.model);
  net.transitions.push_back(test::rule({}, {test::update(1, {0, 1})}));
  net.transitions.back().line = 7;
  EXPECT_EQ(net_to_threads(test::of_net(copying)).error(),
            "rule 2 (line 7): it copies the tokens of place p0");
  model::CountingTask bounded = join();
  bounded.question.targets.push_back(test::marking({1}));
  EXPECT_EQ(net_to_threads(test::of_net(bounded)).error(), "target 2: it has an upper bound");
}

}  // namespace
}  // namespace heddle::transform
