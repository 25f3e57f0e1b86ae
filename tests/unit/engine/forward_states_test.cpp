/// Runs that are found by going forward: threads are sorted in between, and idle ones are left out.

#include "engine/onthefly/forward_states.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "support/threads_task.hpp"

namespace heddle::engine::onthefly::forward_states_test {
namespace {

const std::vector<model::ThreadsInMain> kAnyNumber = {{0, std::nullopt}};
constexpr std::size_t kManyStates = 10'000;

/// Four threads have to count before two of them can fail.
const std::string kFourFail =
    "decl c0 := 0, c1 := 0, c2 := 0, x := 0;\nvoid main() begin\n decl mine := *;\n"
    " c0, c1, c2 := !c0, c1 ^ c0, c2 | (c0 & c1);\n assume(c2); x := !x; assert(x | !mine); end";
/// One waits, one starts another one, and a signal, which may go to any of those that wait.
const std::string kSignals =
    "decl ready := 0, count := 0;\nvoid main() begin\n decl mine;\n goto a, b;\n"
    " a: mine := *; wait c; assert(!(count & mine)); goto end_of;\n"
    " b: assume(!ready); ready := 1; start_thread goto child; signal c; goto end_of;\n"
    " child: count := 1; signal c;\n end_of: skip; end";

/// How many threads in main the confirmed run has, or 0.
std::size_t threads_of_run(const std::string& text, std::size_t threads,
                           std::size_t most_states = kManyStates,
                           const std::vector<model::ThreadsInMain>& initial = kAnyNumber) {
  const model::ProgramTask task = test::any_threads_task(text);
  base::RunContext context;
  const auto run =
      failing_run(*model::boolean::unfold(task.model), initial, threads, most_states, context);
  if (!run) return 0;
  const auto checked = check::check(task, answer::Unsafe{*run}, context);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  return run->initial.threads.size();
}

TEST(ForwardStates, FindsARunOfSoManyThreads) {
  EXPECT_EQ(threads_of_run(kFourFail, 4), 4u);
  EXPECT_EQ(threads_of_run(kFourFail, 3), 0u);
  EXPECT_EQ(threads_of_run(kSignals, 2), 2u);
  EXPECT_EQ(threads_of_run(kSignals, 1), 0u);
}

TEST(ForwardStates, LeavesOutThreadsThatDoNothing) {
  EXPECT_EQ(threads_of_run(kFourFail, 6), 4u);
  EXPECT_EQ(threads_of_run(kSignals, 4), 2u);
  EXPECT_EQ(threads_of_run(kFourFail, 6, kManyStates, {{6, std::nullopt}}), 6u);
}

TEST(ForwardStates, EndsWithTheNumberOfStates) { EXPECT_EQ(threads_of_run(kFourFail, 4, 10), 0u); }

}  // namespace
}  // namespace heddle::engine::onthefly::forward_states_test
