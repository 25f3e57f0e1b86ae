/// Random C programs: whenever a proof says that there is no data race, exploration finds none, and
/// the checker confirms the proof.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/compositional/race_freedom.hpp"
#include "engine/explore/explore.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::races_test {
namespace {

using engine::explore::ExploreVerdict;

TEST(RandomRaces, AreNotProvedAbsentWhereTheyAre) {
  unsigned proved = 0, racy = 0;
  const unsigned cases = random_cases(25);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(71'000'000 + i);
    const model::CTask task = random_race_task(random);
    base::RunContext exploring;
    const auto truth =
        engine::explore::explore(task.model, model::c::Property::NoDataRace, {}, exploring);
    const bool races = truth.verdict == ExploreVerdict::Unsafe;
    racy += races ? 1 : 0;
    base::Limits limits;
    limits.steps = 3'000;
    base::RunContext proving(limits);
    const auto result = engine::compositional::prove_race_freedom(task.model, proving);
    if (!result.proof) continue;
    ++proved;
    EXPECT_FALSE(races) << task_text(task);
    base::RunContext checking;
    const auto checked = check::check(task, answer::Safe{*result.proof}, checking);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << task_text(task);
  }
  EXPECT_GE(proved, cases / 8);
  EXPECT_GE(racy, cases / 8);
}

}  // namespace
}  // namespace heddle::test::races_test
