/// Evidence about pushdown systems, right and corrupted. The engine and an oracle with real stacks
/// say what is true; a corruption that is confirmed must still be true evidence.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "check/pushdown/pushdown_replay.hpp"
#include "engine/engine.hpp"
#include "support/mutator.hpp"
#include "support/pushdown_task.hpp"

namespace heddle::check::pushdown_test {
namespace {

using answer::EvidenceStatus;
using answer::PushdownInvariant;
using answer::Safe;
using answer::SafeUpTo;
using answer::Unsafe;

/// Thread 1 pushes a's under a b and may pop them again; thread 2 lets it go on step by step.
model::PushdownTask ladder(const std::string& target) {
  return test::pushdown_task(
      "4\nPDA 0 2\n0 0 -> 1 0 1\n0 0 -> 3 -\n3 1 -> 2 -\nPDA 5 6\n1 5 -> 0 5\n2 5 -> 3 5\n",
      "0|0,5", target);
}

/// Calls and returns of thread 1 hold a lock; thread 2 wants it.
model::PushdownTask lock(const std::string& target) {
  return test::pushdown_task(
      "2\nPDA 0 3\n0 0 -> 1 1\n1 1 -> 1 1 2\n1 1 -> 1 -\n1 2 -> 1 -\n1 - -> 0 0\n"
      "PDA 4 5\n0 4 -> 1 5\n1 5 -> 0 4\n",
      "0|0,4", target);
}

answer::Verdict solved(const model::PushdownTask& task) {
  base::RunContext context;
  return engine::find_engine("pushdown")->run(task, {}, context);
}

answer::CheckResult checked(const model::PushdownTask& task, const answer::Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context);
}

model::PushdownTask within(model::PushdownTask task, std::uint32_t contexts) {
  task.question.contexts = contexts;
  return task;
}

TEST(PushdownEvidence, OfTheEngineIsConfirmed) {
  for (const auto& [task, name] :
       {std::pair(lock("1|1,5"), "safe"), std::pair(ladder("3|-,5"), "unsafe"),
        std::pair(within(ladder("3|-,6"), 2), "safe"), std::pair(ladder("2|-,*"), "unsafe"),
        std::pair(within(ladder("2|-,*"), 1), "safe_up_to")}) {
    const auto verdict = solved(task);
    EXPECT_EQ(verdict_name(verdict), name);
    const auto result = checked(task, verdict);
    EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  }
}

TEST(PushdownEvidence, ATraceKeepsToItsContexts) {
  const model::PushdownTask task = ladder("2|-,*");
  const auto verdict = solved(task);
  EXPECT_EQ(checked(within(task, 2), verdict).status, EvidenceStatus::Confirmed);
  EXPECT_EQ(checked(within(task, 1), verdict).why, "the trace needs 2 contexts per thread");
}

TEST(PushdownEvidence, RoundsAreCountedInTheOrderOfThreads) {
  using Threads = std::vector<std::uint32_t>;
  EXPECT_EQ(rounds_of(Threads{}), 0U);
  EXPECT_EQ(rounds_of(Threads{1, 1, 2}), 1U);
  EXPECT_EQ(rounds_of(Threads{1, 0}), 2U);
  EXPECT_EQ(rounds_of(Threads{0, 2, 1, 1, 2, 0}), 3U);
}

/// The corrupted text is read and checked; `visit` is told what was confirmed.
template <class Visit>
unsigned corrupt(const model::PushdownTask& task, const answer::Verdict& verdict, Visit visit) {
  unsigned tried = 0;
  const auto original = answer::verdict_to_json(verdict);
  test::Mutator(original, [&](const nlohmann::json& document) {
    ++tried;
    const auto read = answer::verdict_from_json(document, model::Tag<model::PushdownSystem>());
    if (!read || *read == verdict || !answer::is_definite(*read)) return;
    const auto result = checked(task, *read);
    if (result.status == EvidenceStatus::Confirmed) visit(*read);
  }).run();
  return tried;
}

/// Whatever is confirmed of a corrupted invariant must not speak of an unsafe task as safe: each
/// mutant is tried on a task whose target is reachable.
TEST(PushdownEvidence, NoCorruptionOfAnInvariantProvesWhatIsFalse) {
  const auto safe = solved(lock("1|1,5"));
  EXPECT_GT(corrupt(lock("1|1,4"), safe, [](const auto&) { ADD_FAILURE(); }), 500U);
  const auto bounded = solved(within(ladder("2|-,*"), 1));
  EXPECT_GT(corrupt(within(ladder("2|-,*"), 2), bounded,
                    [](const answer::Verdict& verdict) {
                      const auto* claim = std::get_if<SafeUpTo>(&verdict);
                      EXPECT_TRUE(claim && claim->bound.value <= 1);
                    }),
            500U);
}

/// On its own task, a mutant may be confirmed only if it is no smaller in what it claims: dropping
/// or changing a needed state, edge or product must be noticed.
TEST(PushdownEvidence, WhatIsNeededCannotBeTakenAway) {
  const model::PushdownTask task = lock("1|1,5");
  const auto verdict = solved(task);
  const auto& invariant = std::get<PushdownInvariant>(std::get<Safe>(verdict).certificate);
  for (std::size_t i = 0; i < invariant.products.size(); ++i) {
    PushdownInvariant fewer = invariant;
    fewer.products.erase(fewer.products.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(checked(task, Safe{fewer}).status, EvidenceStatus::Refuted);
    PushdownInvariant later = invariant;
    later.products[i].turn = 1;
    EXPECT_EQ(checked(task, Safe{later}).status, EvidenceStatus::Refuted);
  }
}

/// Up to a bound, a product that is there later than it must be, or not at all, is missed.
TEST(PushdownEvidence, TurnsAreKept) {
  const model::PushdownTask task = within(ladder("0|-,*"), 4);
  engine::Options blind;
  set_option(blind, "invariants", "off");
  base::RunContext context;
  const auto verdict =
      std::get<SafeUpTo>(engine::find_engine("pushdown")->run(task, blind, context));
  const auto& invariant = std::get<PushdownInvariant>(verdict.certificate);
  ASSERT_GT(invariant.products.size(), 3U);
  for (std::size_t i = 0; i < invariant.products.size(); ++i) {
    SCOPED_TRACE("product " + std::to_string(i));
    for (const std::uint32_t late : {1U, 2U}) {
      PushdownInvariant later = invariant;
      later.products[i].turn += late;
      EXPECT_EQ(checked(task, SafeUpTo{verdict.bound, later}).status, EvidenceStatus::Refuted);
    }
    PushdownInvariant fewer = invariant;
    fewer.products.erase(fewer.products.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(checked(task, SafeUpTo{verdict.bound, fewer}).status, EvidenceStatus::Refuted);
  }
}

TEST(PushdownEvidence, EveryCorruptionOfATraceIsRefutedOrATrace) {
  const model::PushdownTask task = ladder("2|-,*");
  const auto verdict = solved(task);
  const auto& run = std::get<answer::PushdownRun>(std::get<Unsafe>(verdict).trace);
  corrupt(task, verdict, [&](const answer::Verdict& mutant) {
    // A thread that is not named is no lie; all else must be the same steps.
    const auto* unsafe = std::get_if<Unsafe>(&mutant);
    ASSERT_TRUE(unsafe);
    const auto& changed = std::get<answer::PushdownRun>(unsafe->trace);
    ASSERT_EQ(changed.steps.size(), run.steps.size());
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      const answer::PushdownStep& step = changed.steps[i];
      const answer::PushdownStep& original = run.steps[i];
      EXPECT_EQ(step.rule, original.rule);
      EXPECT_TRUE(!step.thread || step.thread == original.thread);
    }
  });
}

TEST(PushdownEvidence, OfAnotherKindIsRefuted) {
  const model::PushdownTask task = lock("1|1,5");
  EXPECT_EQ(checked(task, Safe{answer::BackwardBasis{}}).status, EvidenceStatus::Refuted);
  EXPECT_EQ(checked(task, SafeUpTo{answer::context_bound(1), answer::BackwardBasis{}}).status,
            EvidenceStatus::Refuted);
  model::PushdownTask elsewhere = task;
  elsewhere.question.targets[0].tops[0].thread = 7;
  EXPECT_EQ(checked(elsewhere, solved(task)).why,
            "the question names counter 7, which the model does not have");
}

}  // namespace
}  // namespace heddle::check::pushdown_test
