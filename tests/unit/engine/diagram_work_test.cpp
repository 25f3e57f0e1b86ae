#include "engine/context/diagram_work.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace heddle::engine::context {
namespace {

using namespace std::chrono_literals;

/// Pairs of equal variables, in the worst order: a diagram of 2^pairs nodes.
solver::Bdd equal_pairs(const solver::BddSpace& space, std::uint32_t pairs) {
  solver::Bdd out = space.constant(true);
  for (std::uint32_t i = 0; i < pairs; ++i) out &= space.variable(i).iff(space.variable(pairs + i));
  return out;
}

TEST(DiagramWork, CountsTheNodesOfLongOperations) {
  const solver::BddSpace space(30);
  DiagramWork work(space);
  base::RunContext context;
  const std::uint64_t before = space.nodes_made();
  EXPECT_FALSE(equal_pairs(space, 13).is_false());
  const std::uint64_t made = space.nodes_made() - before;
  ASSERT_GT(made, 8'000U);
  EXPECT_FALSE(work.step(context));
  EXPECT_EQ(context.steps(), 1 + made / 1000);
  EXPECT_FALSE(work.step(context));
  EXPECT_EQ(context.steps(), 2 + made / 1000) << "counted twice";
}

TEST(DiagramWork, EndsAtTheLimitOfSteps) {
  const solver::BddSpace space(30);
  DiagramWork work(space);
  base::Limits limits;
  limits.steps = 5;
  base::RunContext context(limits);
  EXPECT_FALSE(work.step(context));
  EXPECT_FALSE(equal_pairs(space, 13).is_false());
  EXPECT_EQ(work.step(context), base::StopReason::StepLimit);
}

TEST(SmallPart, IsOfTheTimeThatWasComputed) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + 2s;
  const base::RunContext context(limits);
  const auto start = cpu_time();
  std::this_thread::sleep_for(300ms);  // as if paused
  EXPECT_TRUE(is_small_part(start, 40, context));
  while (cpu_time() - start < 100ms) continue;
  EXPECT_FALSE(is_small_part(start, 40, context));
  EXPECT_TRUE(is_small_part(start, 2, context));
  EXPECT_TRUE(is_small_part(start, 40, base::RunContext()));
}

}  // namespace
}  // namespace heddle::engine::context
