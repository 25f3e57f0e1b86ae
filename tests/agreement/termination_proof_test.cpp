/// Random C programs with loops: whenever a proof says that every run ends, exploration finds no
/// run that goes on or waits for ever, and the checker confirms the proof.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/compositional/termination.hpp"
#include "engine/explore/explore.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::termination_proof_test {
namespace {

using engine::explore::ExploreVerdict;

TEST(RandomTermination, IsNotProvedWhereARunDoesNotEnd) {
  unsigned proved = 0, endless = 0, decided = 0;
  const unsigned cases = random_cases(30);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(72'000'000 + i);
    const model::CTask task = random_termination_task(random);
    base::Limits few;
    few.steps = 20'000;
    base::RunContext exploring(few);
    const auto truth =
        engine::explore::explore(task.model, model::c::Property::Termination, {}, exploring);
    const bool is_endless = truth.verdict == ExploreVerdict::Unsafe;
    endless += is_endless ? 1 : 0;
    base::Limits limits;
    limits.steps = 3'000;
    base::RunContext proving(limits);
    const auto result = engine::compositional::prove_termination(task.model, proving);
    if (!result.proof) continue;
    ++proved;
    decided += truth.verdict == ExploreVerdict::Safe ? 1 : 0;
    EXPECT_FALSE(is_endless) << task_text(task);
    base::RunContext checking;
    const auto checked = check::check(task, answer::Safe{*result.proof}, checking);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << task_text(task);
  }
  EXPECT_GE(proved, cases / 8);
  EXPECT_GE(decided, cases / 10);
  EXPECT_GE(endless, cases / 8);
}

}  // namespace
}  // namespace heddle::test::termination_proof_test
