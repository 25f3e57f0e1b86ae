/// Random C programs through `bounded` and `explore`: one finds a violation if and only if the
/// other does, a bound on contexts that covers the run of one is enough for both, and what
/// `bounded` claims up to a bound is what the checker finds by its search.

#include <gtest/gtest.h>

#include "check/check.hpp"
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

// ---- Other properties

/// How often programs had a violation, and how often they had none.
struct Counts {
  unsigned violating = 0, safe = 0;
};

/// Both find a violation, whose run can be executed, or neither does.
void compare(const model::CTask& task, Counts& counts) {
  const Property property = task.question.targets.front();
  base::Limits limits;
  limits.steps = 3'000;
  base::RunContext exploring, solving(limits);
  const auto truth = engine::explore::explore(task.model, property, {}, exploring);
  if (truth.verdict == ExploreVerdict::Unknown) return;
  const bool violates = truth.verdict == ExploreVerdict::Unsafe;
  const Found found = deepen(task.model, property, std::nullopt, solving);
  if (!found.run && solving.stopped()) return;
  ++(violates ? counts.violating : counts.safe);
  EXPECT_EQ(found.run.has_value(), violates) << found.why << "\n" << task_text(task);
  EXPECT_FALSE(violates && found.is_safe) << task_text(task);
  if (!found.run) return;
  const model::c::Interpreter interpreter(task.model);
  EXPECT_EQ(refute(interpreter, *found.run), std::nullopt) << task_text(task);
}

TEST(RandomCPrograms, RaceWithinBoundsIfTheyRace) {
  Counts counts;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(64'000'000 + i);
    compare(random_race_task(random), counts);
  }
  EXPECT_GE(counts.violating, cases / 10);
  EXPECT_GE(counts.safe, cases / 10);
}

TEST(RandomCPrograms, UseFreedMemoryWithinBoundsIfTheyDo) {
  for (const Property property : {Property::Memory, Property::NoDataRace}) {
    Counts counts;
    const unsigned cases = random_cases(30);
    for (unsigned i = 0; i < cases; ++i) {
      Random random(65'000'000 + i);
      compare(random_heap_task(random, property), counts);
    }
    EXPECT_GE(counts.violating, cases / 10);
    EXPECT_GE(counts.safe, cases / 10);
  }
}

TEST(RandomCPrograms, DeadlockWithinBoundsIfTheyDo) {
  Counts counts;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(66'000'000 + i);
    model::CTask task = random_termination_task(random);
    task.question.targets = {Property::NoDeadlock};
    compare(task, counts);
  }
  EXPECT_GE(counts.violating, cases / 20);
  EXPECT_GE(counts.safe, cases / 10);
}

// ---- Bounds

answer::CheckResult check_up_to(const model::CTask& task, std::uint32_t contexts) {
  base::RunContext context;
  const answer::SafeUpTo claim{answer::context_bound(contexts), answer::Exploration{}};
  return check::check(task, claim, context);
}

/// The bound that `bounded` needs is the one up to which the checker finds nothing, plus one.
TEST(RandomCPrograms, AreSafeUpToTheSameContexts) {
  unsigned compared = 0, many = 0;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(67'000'000 + i);
    const model::CTask task = random_c_task(random);
    base::RunContext whole;
    if (deepen(task.model, Property::Reach, std::nullopt, whole).is_safe) {
      base::RunContext context;
      const auto checked = check::check(task, answer::Safe{answer::Exploration{}}, context);
      EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                   << task_text(task);
    }
    for (std::uint32_t contexts = 1; contexts <= 4; ++contexts) {
      base::RunContext solving;
      const Found found = deepen(task.model, Property::Reach, contexts, solving);
      if (!found.run && !found.is_safe && !found.safe_contexts) break;
      const auto checked = check_up_to(task, contexts);
      EXPECT_EQ(checked.status,
                found.run ? answer::EvidenceStatus::Refuted : answer::EvidenceStatus::Confirmed)
          << contexts << " contexts: " << checked.why << "\n"
          << task_text(task);
      ++compared;
      many += found.run && contexts > 1 ? 1 : 0;
      if (found.run) break;
    }
  }
  EXPECT_GE(compared, cases);
  EXPECT_GE(many, cases / 20);
}

}  // namespace
}  // namespace heddle::test::bounded_test
