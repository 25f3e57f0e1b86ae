/// Random programs with fixed threads and recursive procedures: `stacks`, `context-lazy`, the naive
/// interpreter under a bound on rounds, and the naive oracle on the pushdown system of the program
/// must not contradict each other, and every answer must pass the check.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "model/pushdown_oracle.hpp"
#include "support/random_threads.hpp"
#include "support/sample.hpp"
#include "support/threads_task.hpp"
#include "transform/program_to_pushdown.hpp"

namespace heddle::test::stacks_test {
namespace {

using answer::Safe;
using answer::SafeUpTo;
using answer::Verdict;
using Task = model::ProgramTask;

struct Score {
  unsigned safe = 0, unsafe = 0;                      ///< within the bound
  unsigned unbounded_safe = 0, unbounded_unsafe = 0;  ///< without one
  unsigned interpreter_exact = 0, oracle_exact = 0;   ///< have seen all within the bound
};

/// The pushdown system fails in as many rounds, as far as the naive search sees all of it.
void compare_system(const Task& task, const std::optional<std::size_t>& lazy,
                    const std::string& text, Score& score) {
  const auto system = transform::program_to_pushdown(task, 50'000);
  ASSERT_TRUE(system) << system.error() << "\n" << text;
  const std::uint32_t rounds = *task.question.contexts;
  const auto oracle = ask_pushdown_oracle(
      system->translated, {.max_height = 6, .max_configurations = 1'500, .max_rounds = rounds});
  if (oracle.rounds) {
    EXPECT_EQ(lazy, *oracle.rounds) << text;
  } else if (oracle.exact_rounds >= rounds) {
    EXPECT_FALSE(lazy) << text;
  }
  score.oracle_exact += oracle.exact_rounds >= rounds;
}

/// Without a bound, automata of stacks say what holds in more rounds, too.
void compare_without_bound(Task task, const std::optional<std::size_t>& lazy,
                           const std::string& text, Score& score) {
  const std::uint32_t more = *task.question.contexts + 1;
  task.question.contexts.reset();
  const Verdict verdict = verdict_of("stacks", task, 3'000);
  if (std::holds_alternative<answer::Unknown>(verdict)) return;
  const auto fails = failing_rounds("stacks", task, verdict, text);
  if (lazy) {
    EXPECT_EQ(fails, lazy) << text;
  }
  score.unbounded_unsafe += fails.has_value();
  score.unbounded_safe += std::holds_alternative<Safe>(verdict);
  task.question.contexts = static_cast<std::uint32_t>(fails.value_or(more));
  if (std::holds_alternative<SafeUpTo>(verdict)) return;
  EXPECT_EQ(failing_rounds("context-lazy", task, text), fails) << text;
}

void compare(const std::string& text, std::uint32_t rounds, Score& score) {
  const Task task = threads_task(text, rounds);
  const auto lazy = failing_rounds("context-lazy", task, text);
  ++(lazy ? score.unsafe : score.safe);
  EXPECT_EQ(failing_rounds("stacks", task, text), lazy) << text;
  const auto agrees = oracle_agrees(task, lazy.has_value());
  EXPECT_NE(agrees, false) << rounds << " rounds\n" << text;
  score.interpreter_exact += agrees.has_value();
  compare_system(task, lazy, text, score);
  compare_without_bound(task, lazy, text, score);
}

Score play(unsigned cases, std::uint64_t first_seed, const ThreadsFlavour& flavour) {
  Score score;
  for (unsigned i = 0; i < std::max(random_cases(cases), cases / 3); ++i) {
    Random random(first_seed + i);
    const std::string text = random_threads(random, flavour);
    compare(text, random.between(1, flavour.threads < 3 ? 3 : 2), score);
    if (::testing::Test::HasFailure()) break;
  }
  std::cout << score.safe << " safe, " << score.unsafe << " unsafe within the bound; "
            << score.unbounded_safe << " safe, " << score.unbounded_unsafe << " unsafe without; "
            << score.interpreter_exact << " programs and " << score.oracle_exact
            << " pushdown systems seen\n";
  return score;
}

TEST(RandomStacks, OneRecursiveThread) {
  const Score score = play(60, 7'800'000, {.threads = 1, .recursion = true});
  EXPECT_EQ(score.safe, score.unbounded_safe);
  EXPECT_EQ(score.unsafe, score.unbounded_unsafe);
  EXPECT_GT(score.unsafe, 0U);
}

TEST(RandomStacks, TwoRecursiveThreads) {
  const Score score = play(90, 7'100'000, {.threads = 2, .recursion = true});
  EXPECT_GT(score.unbounded_safe, 15U);
  EXPECT_GT(score.unbounded_unsafe, 3U);
  EXPECT_GT(score.oracle_exact, 15U);
}

TEST(RandomStacks, ThreeRecursiveThreads) {
  const Score score = play(45, 7'600'000, {.threads = 3, .recursion = true});
  EXPECT_GT(score.unbounded_safe, 3U);
  EXPECT_GT(score.unbounded_unsafe, 0U);
}

/// Statements that random programs do not have, each where it decides the verdict or nearly does.
TEST(RandomStacks, CornersOfTheLanguage) {
  Score score;
  const std::string other = "void thread2() begin g := !g; g := !g; end\n";
  const std::string texts[] = {
      // a choice within a constraint, over old and new values
      "decl g := 0, h := 0;\nvoid r() begin g, h := *, * constrain ('g != g) & ('h | g);\n"
      "  if * then r(); fi; assert(g | h); end\nvoid thread1() begin r(); end\n" +
          other,
      "decl g := 0;\nvoid r(a) begin constrain('a = g); if * then r(a); fi; assert(!a | g); end\n"
      "void thread1() begin r(1); end\n" +
          other,
      "decl g := 0;\nbool r(a) begin a := schoose[g, !a]; if * then a := r(a); fi; return a; "
      "end\n"
      "void thread1() begin decl b := 0; b := r(b); assert(!b | g); end\n" +
          other,
      // variables without a value, anew at each call; dead ones
      "decl g := 0;\nbool r() begin decl l; if * then g := r(); fi; return l; end\n"
      "void thread1() begin decl k; k := r(); assert(k | !g); end\n" +
          other,
      "decl g := 0;\nvoid r() begin decl l := 0; if * then r(); fi; assert(!l); dead l; g := l; "
      "end\n"
      "void thread1() begin r(); end\n" +
          other,
      // calls inside of atomic sections, and sections that block inside
      "decl g := 0, h := 0;\nvoid r() begin h := g; if * then r(); fi; assert(h = g); end\n"
      "void thread1() begin atomic { r(); } r(); end\n" +
          other,
      "decl g := 0;\nvoid r() begin atomic { g := 1; assume(!g); } r(); end\n"
      "void thread1() begin r(); end\nvoid thread2() begin assert(!g); r(); assert(!g); end\n",
      // threads that end and results that nobody wants, or that are shared
      "decl g := 0, h := 0;\nbool<3> r(a) begin if * then g, h, a := r(!a); fi; return a, !a, g; "
      "end\n"
      "void thread1() begin g, _, h := r(1); if g then return; fi; assert(h); end\n" +
          other,
      // swapped by the call itself, and a start that waits for init
      "decl g, h;\nvoid init() begin g := 0; h := 1; end\n"
      "bool<2> r(a, b) begin if * then a, b := r(b, a); fi; return b, a; end\n"
      "void thread1() begin g, h := r(g, h); assert(g | h); end\n" +
          other};
  for (const std::string& text : texts)
    for (const std::uint32_t rounds : {1U, 2U, 3U}) compare(text, rounds, score);
  EXPECT_GT(score.safe, 3U);
  EXPECT_GT(score.unsafe, 5U);
  EXPECT_GT(score.unbounded_safe + score.unbounded_unsafe, 20U);
}

}  // namespace
}  // namespace heddle::test::stacks_test
