#include <gtest/gtest.h>

#include "support/agreement.hpp"
#include "support/metamorphosis.hpp"
#include "support/random_models.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test {
namespace {

using model::Task;

/// The verdict; of a refusal only that it is one, since its words may name a transition's number.
std::string verdict_name(const Contestant& contestant, const Task& task) {
  if (!contestant.engine->accepts(task).yes()) return "refused";
  return examine(contestant, task, model::NotReached{"the oracle was not asked"}).what;
}

/// The verdict of every contestant on every change of the task.
void expect_verdict_follows(const Task& task, Random& random) {
  for (const Contestant& contestant : contestants(engine::registry())) {
    const std::string before = verdict_name(contestant, task);
    for (const Metamorphosis& metamorphosis : metamorphoses()) {
      const Task changed = metamorphosis.change(task, random);
      EXPECT_EQ(verdict_name(contestant, changed), before) << contestant.name << "\n"
                                                           << task_text(task) << "\n"
                                                           << metamorphosis.name << ":\n"
                                                           << task_text(changed);
    }
  }
}

TEST(Metamorphic, VerdictsOfThreadSystemsFollow) {
  for (unsigned seed = 0; seed < random_cases(2'000); ++seed) {
    Random random(5'000'000 + seed);
    const Task task = random_thread_task(random);
    expect_verdict_follows(task, random);
    if (HasFailure()) return;
  }
}

TEST(Metamorphic, VerdictsOfNetsFollow) {
  for (unsigned seed = 0; seed < random_cases(2'000); ++seed) {
    Random random(6'000'000 + seed);
    const Task task =
        random_net_task(random, {.ordinary = seed % 2 == 0, .conserving = seed % 3 == 0});
    expect_verdict_follows(task, random);
    if (HasFailure()) return;
  }
}

/// The changes themselves, judged by the oracle: what it finds before it must find after.
TEST(Metamorphic, TheOracleFollowsToo) {
  unsigned reached = 0;
  for (unsigned seed = 0; seed < random_cases(300); ++seed) {
    Random random(7'000'000 + seed);
    const Task task = random_thread_task(random);
    model::OracleLimits limits;
    limits.max_configurations = 200;
    if (!std::holds_alternative<model::Reached>(model::ask_oracle(task, limits))) continue;
    ++reached;
    limits.max_configurations = 2'000;
    for (const Metamorphosis& metamorphosis : metamorphoses())
      EXPECT_TRUE(std::holds_alternative<model::Reached>(
          model::ask_oracle(metamorphosis.change(task, random), limits)))
          << metamorphosis.name << "\n"
          << task_text(task);
  }
  EXPECT_GT(reached, 0u);
}

}  // namespace
}  // namespace heddle::test
