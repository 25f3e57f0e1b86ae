/// Random C programs without loops through `bounded` and `explore`: one finds a failure if and only
/// if the other does, and a bound on contexts that covers the run of one is enough for both.

#include <gtest/gtest.h>

#include "engine/bounded/deepening.hpp"
#include "engine/explore/explore.hpp"
#include "model/c/run_rounds.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::bounded_test {
namespace {

using engine::bounded::deepen;
using engine::bounded::Found;
using engine::explore::ExploreVerdict;
using model::c::Property;

TEST(RandomCPrograms, FailWithinBoundsIfTheyFail) {
  unsigned failing = 0, decided = 0;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(63'000'000 + i);
    const model::CTask task = random_c_task(random);
    base::RunContext exploring, solving;
    const auto truth = engine::explore::explore(task.model, Property::Reach, {}, exploring);
    if (truth.verdict == ExploreVerdict::Unknown) continue;
    ++decided;
    const bool fails = truth.verdict == ExploreVerdict::Unsafe;
    const Found found = deepen(task.model, Property::Reach, std::nullopt, solving);
    EXPECT_EQ(found.run.has_value(), fails) << found.why << "\n" << task_text(task);
    if (!fails) continue;
    ++failing;
    const std::uint32_t rounds = rounds_of(*truth.run);
    base::RunContext within;
    const Found again = deepen(task.model, Property::Reach, rounds, within);
    EXPECT_TRUE(again.run) << rounds << " rounds: " << again.why << "\n" << task_text(task);
    EXPECT_LE(again.run ? rounds_of(*again.run) : 0, rounds);
  }
  EXPECT_GE(failing, cases / 10);
  EXPECT_GE(decided - failing, cases / 10);
}

}  // namespace
}  // namespace heddle::test::bounded_test
