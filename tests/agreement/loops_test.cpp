#include <gtest/gtest.h>

#include "support/agreement.hpp"
#include "support/loop_models.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::loops_test {
namespace {

/// What each engine that accepts the task says, without options: all must say the same.
void expect_one_verdict(const model::CountingTask& task) {
  std::string_view first;
  for (const engine::EngineRow& row : engine::registry()) {
    if (!row.accepts(task).yes() || !row.complete) continue;
    base::RunContext context;
    const std::string_view verdict = verdict_name(row.run(task, {}, context));
    if (first.empty()) first = verdict;
    EXPECT_EQ(verdict, first) << row.name << "\n" << task_text(task);
  }
}

TEST(Loops, EnginesAgreeWithEachOther) {
  for (unsigned i = 0; i < random_cases(1'500); ++i) {
    Random random(21'000'000 + i);
    expect_one_verdict(random_loop_task(random));
  }
}

TEST(Loops, EnginesAgreeOnCountsBeyondTheOracle) {
  for (const unsigned count : {1u, 2u, 17u, 40u})
    for (const unsigned length : {2u, 3u, 5u}) expect_one_verdict(counting_loop(length, count));
  for (const unsigned loops : {1u, 2u, 3u, 4u}) expect_one_verdict(doubling_chain(loops));
}

}  // namespace
}  // namespace heddle::test::loops_test
