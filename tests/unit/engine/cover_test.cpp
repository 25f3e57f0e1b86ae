/// The engine `cover` on small models whose covers are known.

#include "engine/cover/cover.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "support/builders.hpp"

namespace heddle::engine::cover {
namespace {

using answer::EvidenceStatus;
using answer::Safe;
using answer::Unknown;
using answer::Unsafe;
using answer::Verdict;
using base::Integer;
using Task = model::CountingTask;
using test::any_number;
using test::at_least;
using test::exactly;
using test::marking;
using test::move;
using test::net;
using test::rule;
using test::spawn;
using test::target;
using test::task;
using test::thread_system;
using test::transfer;
using test::update;

/// What the engine says; definite answers are confirmed by the checker.
Verdict solve(const Task& task, std::optional<std::uint64_t> steps = std::nullopt) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  Verdict verdict = row().run(task, {}, context);
  if (!answer::is_definite(verdict)) return verdict;
  base::RunContext checking;
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, EvidenceStatus::Confirmed) << checked.why;
  return verdict;
}

answer::OmegaConfiguration below(unsigned shared, const std::vector<unsigned>& amounts,
                                 const std::vector<unsigned>& unbounded) {
  answer::OmegaConfiguration result{model::SharedState(shared), test::counts(amounts), {}};
  for (const unsigned counter : unbounded) result.unbounded.emplace_back(counter);
  return result;
}

/// Two threads in local state i become one in i + 1; the other one is done.
Task doubling_chain(unsigned stages) {
  std::vector<model::ThreadTransition> transitions;
  for (unsigned i = 0; i < stages; ++i) {
    transitions.push_back(move(0, i, i + 1, stages + 1));
    transitions.push_back(move(i + 1, i, 0, i + 1));
  }
  return task(thread_system(stages + 1, stages + 2, std::move(transitions)), {any_number(0, {0})},
              {target(0, {stages})});
}

TEST(Cover, UnfoldsPumpingIntoRepetitionsOfAnyNumber) {
  const Verdict verdict = solve(doubling_chain(200));
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  ASSERT_TRUE(unsafe);
  Integer threads = 1;
  mpz_mul_2exp(threads.get_mpz_t(), threads.get_mpz_t(), 200);
  const auto& trace = std::get<answer::Trace>(unsafe->trace);
  EXPECT_EQ(trace.initial.counts.total(), threads);
  EXPECT_LE(trace.blocks.size(), 800U);
}

TEST(Cover, ALockHasACoverOfTwoElements) {
  const Task lock = task(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}),
                         {any_number(0, {0})}, {target(1, {1, 1})});
  const answer::ForwardCover expected{{below(0, {}, {0}), below(1, {0, 1}, {0})}};
  EXPECT_EQ(solve(lock), Verdict(Safe{expected}));
}

TEST(Cover, InnerCyclesSupplyWhatOuterOnesTake) {
  model::PetriNet works = net(4);
  works.transitions = {rule({1}, {update(1, {1}, 1)}),
                       rule({1, 3}, {update(1, {1}, -3), update(2, {2}, 1)}),
                       rule({1, 0, 5}, {update(2, {2}, -5), update(3, {3}, 1)})};
  const Verdict verdict = solve(task(works, {marking({1, 0, 0, 0})}, {at_least({0, 7, 7, 1000})}));
  EXPECT_TRUE(std::holds_alternative<Unsafe>(verdict));
}

TEST(Cover, AResetIsNotPumped) {
  model::PetriNet refilled = net(1);
  refilled.transitions = {rule({}, {update(0, {}, 1)})};
  const answer::ForwardCover expected{{below(0, {1}, {})}};
  EXPECT_EQ(solve(task(refilled, {marking({0})}, {at_least({2})})), Verdict(Safe{expected}));
}

/// Each round one thread more is in 1 than in the round before, but all are moved on to 2.
TEST(Cover, ATransferIsNotPumped) {
  const Task swept = task(thread_system(2, 3, {move(0, 0, 1, 1), transfer(1, 1, 0, 2)}),
                          {any_number(0, {0})}, {target(0, {1}), target(1, {1, 1})});
  const Verdict verdict = solve(swept, 10'000);
  EXPECT_FALSE(std::holds_alternative<Unsafe>(verdict));
}

TEST(Cover, PassiveThreadsChoose) {
  const auto system = thread_system(2, 4, {move(0, 0, 1, 1, {{2, 0}, {2, 3}, {3, 2}})});
  EXPECT_TRUE(std::holds_alternative<Unsafe>(
      solve(task(system, {exactly(0, {0, 2, 2, 2, 3})}, {target(1, {0, 1, 2, 3, 3})}))));
  EXPECT_TRUE(std::holds_alternative<Safe>(
      solve(task(system, {exactly(0, {0, 2, 2, 2, 3})}, {target(1, {0, 0, 3, 3})}))));
  EXPECT_TRUE(std::holds_alternative<Unsafe>(
      solve(task(system, {any_number(0, {0, 2})}, {target(1, {0, 0, 0, 3, 3, 3, 3})}))));
}

TEST(Cover, NumbersThatDoNotFitAreGoodForRunsOnly) {
  constexpr int kHalf = 2147483647;
  model::PetriNet flood = net(5);  // each of p0, p1, p2 leads to the next and floods p4
  for (unsigned i = 0; i < 3; ++i) {
    std::vector<unsigned> guard(5, 0);
    guard[i] = 1;
    flood.transitions.push_back(
        rule(guard, {update(i, {i}, -1), update(i + 1, {i + 1}, 1), update(4, {4}, kHalf)}));
  }
  EXPECT_TRUE(std::holds_alternative<Unsafe>(
      solve(task(flood, {marking({1, 0, 0, 0, 0})}, {at_least({0, 0, 0, 1, 4000000000U})}))));
  const Verdict verdict =
      solve(task(flood, {marking({1, 0, 0, 0, 0})}, {at_least({1, 0, 0, 1, 0})}));
  const auto* unknown = std::get_if<Unknown>(&verdict);
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->reason, answer::UnknownReason::CounterOverflow);
}

TEST(Cover, SpawnedThreadsArePumped) {
  const Task crew = task(thread_system(1, 3, {spawn(0, 0, 0, 1), move(0, 1, 0, 2)}),
                         {exactly(0, {0})}, {target(0, std::vector<unsigned>(500, 2))});
  EXPECT_TRUE(std::holds_alternative<Unsafe>(solve(crew, 20)));
}

/// No second thread ever comes to 0, whatever the first one does.
TEST(Cover, WhatDoesNotLeadToTheTargetIsLeftOut) {
  const Task crew = task(thread_system(1, 3, {spawn(0, 0, 0, 1), spawn(0, 0, 0, 2)}),
                         {exactly(0, {0})}, {target(0, {0, 0})});
  const answer::ForwardCover expected{{below(0, {1}, {})}};
  EXPECT_EQ(solve(crew), Verdict(Safe{expected}));
}

}  // namespace
}  // namespace heddle::engine::cover
