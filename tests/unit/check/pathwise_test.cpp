#include "check/certificates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "check/pathwise/shared_graph.hpp"
#include "check/pathwise/spaghetti_slice.hpp"
#include "support/builders.hpp"

namespace heddle::check::pathwise_test {
namespace {

using answer::BackwardBasis;
using answer::EvidenceStatus;
using answer::PathwiseProof;
using base::Integer;
using testing::HasSubstr;
using namespace heddle::test;
using Kind = SharedGraph::Kind;

/// The worked example of papers/cutr.txt: a loop over 1, 2, 3.
model::CountingTask figure_1(model::Region target) {
  return task(thread_system(7, 5,
                            {move(0, 0, 1, 1), move(1, 0, 2, 1), move(2, 0, 3, 1), move(3, 1, 1, 2),
                             move(3, 2, 4, 3), move(4, 2, 5, 4), move(5, 4, 6, 3)}),
              {any_number(0, {0})}, {std::move(target)});
}

answer::CheckResult checked(const model::CountingTask& task, const BackwardBasis& basis = {}) {
  base::RunContext context;
  return check(task, answer::Safe{PathwiseProof{basis}}, context);
}

TEST(Pathwise, TheWorkedExampleIsProvedByItsFormulaAlone) {
  const auto result = checked(figure_1(target(6, {4})));
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  EXPECT_EQ(result.why, "no path through 1 simple loop is a run; no other paths");
}

TEST(Pathwise, TheReachableTargetOfTheWorkedExampleIsNotProved) {
  const auto result = checked(figure_1(target(6, {3})));
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_THAT(result.why, HasSubstr("a path through simple loops leads"));
}

/// An edge that keeps the shared state has the same ends as an expansion edge; as a set the diagram
/// would lose one of them, and the proof would pass.
TEST(Pathwise, AnEdgeThatKeepsTheSharedStateDoesNotHideAnExpansion) {
  const model::CountingTask crossing =
      task(thread_system(4, 5,
                         {move(0, 0, 0, 2), move(0, 0, 1, 1), move(1, 1, 1, 2), move(1, 2, 2, 3),
                          move(2, 1, 3, 4)}),
           {any_number(0, {0})}, {target(3, {4})});
  EXPECT_EQ(checked(crossing).status, EvidenceStatus::Refuted);
}

/// Every round takes a thread from 0 to 1; the last step wants `wanted` of them.
model::CountingTask counting(const Integer& wanted, const Integer& threads) {
  model::CountingTask task =
      test::task(thread_system(3, 4, {move(0, 0, 1, 1), move(1, 1, 0, 2), move(0, 2, 2, 3)}),
                 {exactly(0, {0})}, {target(2, {3, 2})});
  task.question.initial[0].bounds[0].lower = threads;
  task.question.initial[0].bounds[0].upper = threads;
  task.question.targets[0].bounds[0].lower = wanted - 1;
  return task;
}

TEST(Pathwise, RoundsAreCountedExactlyHoweverManyThereAre) {
  for (const Integer& n : {Integer(2), Integer(10), Integer(1000), Integer(Integer(1) << 80)}) {
    EXPECT_EQ(checked(counting(n, n)).status, EvidenceStatus::Refuted) << n;
    EXPECT_EQ(checked(counting(n, n - 1)).status, EvidenceStatus::Confirmed) << n;
  }
}

/// Loop i turns two threads in local i into one in i + 1: the target needs 2^length threads.
model::CountingTask doubling(unsigned length, const Integer& threads) {
  std::vector<model::ThreadTransition> moves;
  const unsigned waste = length + 1;
  for (unsigned i = 0; i < length; ++i) {
    moves.push_back(move(2 * i, i, 2 * i + 1, waste));
    moves.push_back(move(2 * i + 1, i, 2 * i, i + 1));
    moves.push_back(move(2 * i, i + 1, 2 * i + 2, i + 1));
  }
  model::CountingTask task = test::task(thread_system(2 * length + 1, waste + 1, std::move(moves)),
                                        {exactly(0, {0})}, {target(2 * length, {length})});
  task.question.initial[0].bounds[0].lower = threads;
  task.question.initial[0].bounds[0].upper = threads;
  return task;
}

TEST(Pathwise, ChainsOfLoopsAddUp) {
  for (const unsigned length : {1u, 3u, 30u}) {
    const Integer needed = Integer(1) << length;
    EXPECT_EQ(checked(doubling(length, needed)).status, EvidenceStatus::Refuted) << length;
    EXPECT_EQ(checked(doubling(length, needed - 1)).status, EvidenceStatus::Confirmed) << length;
  }
}

/// In each stage one thread chooses between a loop that takes threads from 1 to 2 and one that
/// takes them back: 2^stages paths, none of which makes one thread more than there were.
TEST(Pathwise, ManyPathsAreOneFormula) {
  const unsigned stages = 40;
  std::vector<model::ThreadTransition> moves;
  for (unsigned i = 0; i < stages; ++i) {
    const unsigned here = 3 * i, one = here + 1, other = here + 2, next = here + 3;
    moves.insert(moves.end(),
                 {move(here, 0, one, 0), move(here, 0, other, 0), move(one, 1, one, 2),
                  move(other, 2, other, 1), move(one, 0, next, 0), move(other, 0, next, 0)});
  }
  const auto ladder = [&](std::vector<unsigned> wanted) {
    return task(thread_system(3 * stages + 1, 3, moves), {exactly(0, {0, 1, 1, 1, 1})},
                {target(3 * stages, wanted)});
  };
  EXPECT_EQ(checked(ladder({1, 1, 2, 2, 2})).status, EvidenceStatus::Confirmed);
  EXPECT_EQ(checked(ladder({1, 1, 2, 2})).status, EvidenceStatus::Refuted);
}

/// A lock that is given back in two ways, one of which leaves a mark.
model::CountingTask lock_with_choice() {
  return task(
      thread_system(3, 3, {move(0, 0, 1, 1), move(1, 1, 0, 0), move(1, 1, 0, 2), move(0, 2, 2, 2)}),
      {any_number(0, {0})}, {target(1, {1, 1}), target(2, {1})});
}

const BackwardBasis& lock_basis() {
  static const BackwardBasis basis{{configuration(1, {0, 2}), configuration(0, {1, 1}),
                                    configuration(0, {0, 1, 1}), configuration(2, {0, 1})},
                                   {}};
  return basis;
}

TEST(Pathwise, SpaghettiNeedsABasis) {
  const auto result = checked(lock_with_choice(), lock_basis());
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  EXPECT_THAT(result.why,
              HasSubstr("on the other paths (4 transitions), the set contains every target, "
                        "no initial state, and all its predecessors (4 minimal elements)"));
  const auto without = checked(lock_with_choice());
  EXPECT_EQ(without.status, EvidenceStatus::Refuted);
  EXPECT_THAT(without.why, HasSubstr("on the spaghetti slice"));
}

TEST(Pathwise, ABasisWithoutOneOfItsElementsIsRefuted) {
  for (std::size_t i = 0; i < lock_basis().minimal.size(); ++i) {
    BackwardBasis basis = lock_basis();
    basis.minimal.erase(basis.minimal.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(checked(lock_with_choice(), basis).status, EvidenceStatus::Refuted) << i;
  }
}

TEST(Pathwise, ABasisIsRefutedThatAnInitialConfigurationCovers) {
  BackwardBasis basis = lock_basis();
  basis.minimal.push_back(configuration(0, {7}));
  EXPECT_EQ(checked(lock_with_choice(), basis).status, EvidenceStatus::Refuted);
  EXPECT_EQ(checked(figure_1(target(6, {4})), {{configuration(0, {7})}, {}}).status,
            EvidenceStatus::Refuted);
}

/// Broadcasts and transfers are spaghetti even where they are on no loop.
TEST(Pathwise, StepsWithoutConstantEffectAreSpaghetti) {
  for (const auto& special : {move(0, 0, 1, 1, {{2, 1}}), transfer(0, 0, 1, 1)}) {
    const model::ThreadSystem system = thread_system(2, 3, {special, move(0, 0, 1, 2)});
    const model::CountingQuestion question{{any_number(0, {0})}, {target(1, {1})}};
    const Slices found = slices(SharedGraph(system, question), question);
    EXPECT_EQ(found.spaghetti, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(found.ends_spaghetti, (std::vector<bool>{true}));
    EXPECT_EQ(checked({system, question}).status, EvidenceStatus::Refuted);
  }
}

TEST(Pathwise, LimitsEndInNoAnswer) {
  base::Limits past;
  past.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  base::RunContext late(past);
  const auto timed_out = check_certificate(test::of_threads(doubling(3, 7)), PathwiseProof(), late);
  EXPECT_EQ(timed_out.status, EvidenceStatus::NotChecked);
  EXPECT_EQ(timed_out.why, base::to_string(base::StopReason::TimeLimit));
  base::Limits few;
  few.steps = 2;
  base::RunContext hasty(few);
  EXPECT_EQ(check_certificate(test::of_threads(doubling(3, 7)), PathwiseProof(), hasty).status,
            EvidenceStatus::NotChecked);
}

TEST(Pathwise, NetsHaveNoSuchProofs) {
  EXPECT_EQ(checked(task(net(1), {marking({0})}, {at_least({1})})).status, EvidenceStatus::Refuted);
}

struct Shape {
  const char* name;
  std::vector<model::ThreadTransition> transitions;
  std::vector<Kind> kinds;  ///< of the components of 0, 1 and 2
};

class SharedGraphOf : public testing::TestWithParam<Shape> {};

TEST_P(SharedGraphOf, HasComponentsOfTheRightKind) {
  const model::ThreadSystem system = thread_system(3, 2, GetParam().transitions);
  const model::CountingQuestion question{{any_number(0, {0, 1})}, {target(1, {0}), target(2, {0})}};
  const SharedGraph graph(system, question);
  for (std::uint32_t s = 0; s < 3; ++s)
    EXPECT_EQ(graph.components()[graph.component_of(graph.node_of(model::SharedState(s)))].kind,
              GetParam().kinds[s])
        << s;
  for (const SharedGraph::Arc& arc : graph.arcs())
    EXPECT_GE(graph.component_of(arc.from), graph.component_of(arc.to));
}

constexpr Kind kTrivial = Kind::Trivial, kLoop = Kind::SimpleLoop, kSpaghetti = Kind::Spaghetti;

INSTANTIATE_TEST_SUITE_P(
    Shapes, SharedGraphOf,
    testing::Values(Shape{"chain",
                          {move(0, 0, 1, 1), move(1, 0, 2, 1), move(0, 1, 2, 1)},
                          {kTrivial, kTrivial, kTrivial}},
                    Shape{"loop", {move(0, 0, 1, 1), move(1, 0, 0, 1)}, {kLoop, kLoop, kTrivial}},
                    Shape{"loop of three",
                          {move(0, 0, 1, 1), spawn(1, 0, 2, 1), move(2, 0, 0, 1)},
                          {kLoop, kLoop, kLoop}},
                    Shape{
                        "within one shared state", {move(0, 0, 0, 1)}, {kLoop, kTrivial, kTrivial}},
                    Shape{"two within one",
                          {move(0, 0, 0, 1), move(0, 1, 0, 0)},
                          {kSpaghetti, kTrivial, kTrivial}},
                    Shape{"parallel",
                          {move(0, 0, 1, 1), move(0, 1, 1, 1), move(1, 0, 0, 1)},
                          {kSpaghetti, kSpaghetti, kTrivial}},
                    Shape{"eight",
                          {move(0, 0, 1, 1), move(1, 0, 0, 1), move(1, 1, 2, 0), move(2, 0, 1, 1)},
                          {kSpaghetti, kSpaghetti, kSpaghetti}},
                    Shape{"loop with a transfer",
                          {move(0, 0, 1, 1), transfer(1, 0, 0, 1)},
                          {kSpaghetti, kSpaghetti, kTrivial}},
                    Shape{"loop with passive moves",
                          {move(0, 0, 1, 1, {{1, 0}}), move(1, 0, 0, 1)},
                          {kSpaghetti, kSpaghetti, kTrivial}},
                    Shape{"moves to nowhere",
                          {move(0, 0, 0, 0), move(0, 1, 0, 1), move(0, 0, 1, 1)},
                          {kTrivial, kTrivial, kTrivial}}),
    [](const auto& shape) {
      std::string name = shape.param.name;
      std::ranges::replace(name, ' ', '_');
      return name;
    });

/// 2|1 is never reached, so what starts there is no arc and makes no loop.
TEST(SharedGraph, WhatNeverHappensIsLeftOut) {
  const model::ThreadSystem system =
      thread_system(3, 2, {move(0, 0, 1, 0), move(1, 0, 2, 0), move(2, 1, 0, 0)});
  const SharedGraph graph(system, {{any_number(0, {0})}, {target(2, {0})}});
  EXPECT_EQ(graph.arcs().size(), 2u);
  EXPECT_EQ(graph.components().size(), 3u);
}

}  // namespace
}  // namespace heddle::check::pathwise_test
