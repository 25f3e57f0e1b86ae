/// Random C programs with loops, and with threads that wait for each other: whenever a proof says
/// that every run ends, exploration finds no run that goes on or waits for ever, and the checker
/// confirms the proof. Likewise for deadlocks.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/compositional/no_waiting.hpp"
#include "engine/compositional/termination.hpp"
#include "engine/explore/explore.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::termination_proof_test {
namespace {

using engine::explore::ExploreVerdict;

struct Counts {
  unsigned proved = 0, decided = 0, violated = 0;
};

/// Explores the program, and checks the proof if there is one.
template <class Prove>
void compare(const model::CTask& task, const Prove& prove, Counts& counts) {
  base::Limits few;
  few.steps = 20'000;
  base::RunContext exploring(few);
  const auto truth =
      engine::explore::explore(task.model, task.question.targets.front(), {}, exploring);
  const bool is_violated = truth.verdict == ExploreVerdict::Unsafe;
  counts.violated += is_violated ? 1 : 0;
  base::Limits limits;
  limits.steps = 3'000;
  base::RunContext proving(limits);
  const auto result = prove(task.model, proving);
  if (!result.proof) return;
  ++counts.proved;
  counts.decided += truth.verdict == ExploreVerdict::Safe ? 1 : 0;
  EXPECT_FALSE(is_violated) << task_text(task);
  base::RunContext checking;
  const auto checked = check::check(task, answer::Safe{*result.proof}, checking);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                               << task_text(task);
}

TEST(RandomTermination, IsNotProvedWhereARunDoesNotEnd) {
  Counts counts;
  const unsigned cases = random_cases(30);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(72'000'000 + i);
    compare(random_termination_task(random), engine::compositional::prove_termination, counts);
  }
  EXPECT_GE(counts.proved, cases / 8);
  EXPECT_GE(counts.decided, cases / 10);
  EXPECT_GE(counts.violated, cases / 8);
}

TEST(RandomWaiting, NoDeadlockIsProvedWhereThereIsOne) {
  Counts counts;
  const unsigned cases = random_cases(60);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(73'000'000 + i);
    compare(random_waiting_task(random, model::c::Property::NoDeadlock),
            engine::compositional::prove_deadlock_freedom, counts);
  }
  EXPECT_GE(counts.decided, cases / 10);
  EXPECT_GE(counts.violated, cases / 8);
}

TEST(RandomWaiting, TerminationIsNotProvedWhereThreadsWaitForEver) {
  Counts counts;
  const unsigned cases = random_cases(60);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(74'000'000 + i);
    compare(random_waiting_task(random, model::c::Property::Termination),
            engine::compositional::prove_termination, counts);
  }
  EXPECT_GE(counts.decided, cases / 10);
  EXPECT_GE(counts.violated, cases / 8);
}

}  // namespace
}  // namespace heddle::test::termination_proof_test
