#include "engine/compositional/compositional.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "check/c/thread_proof.hpp"
#include "support/c_sources.hpp"
#include "transform/c_threads/threads_of_c.hpp"

namespace heddle::engine::compositional {
namespace {

using Answer = CompositionalResult::Answer;
using check::c::ProofCheck;

const std::string kHeaders = "#include <assert.h>\n#include <pthread.h>\n";

base::RunContext seconds(int limit) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(limit);
  return base::RunContext(limits);
}

/// Proves or refutes, and has the answer confirmed.
CompositionalResult answer(const model::c::Program& program, const ProveOptions& options = {}) {
  base::RunContext context = seconds(120);
  CompositionalResult result = prove(program, options, context);
  if (result.proof) {
    const ProofCheck check =
        check::c::check_thread_proof(result.prepared->program, *result.proof, seconds(120));
    EXPECT_EQ(check.status, ProofCheck::Status::Confirmed) << check.why;
    EXPECT_GT(check.formulas, 0U);
  }
  if (result.run) {
    const model::c::Interpreter interpreter(program);
    EXPECT_EQ(model::c::refute(interpreter, *result.run), std::nullopt);
  }
  return result;
}

class SafeExamples : public testing::TestWithParam<const char*> {};
TEST_P(SafeExamples, AreProvedAndConfirmed) {
  const CompositionalResult result = answer(test::c_example(GetParam()));
  EXPECT_EQ(result.answer, Answer::Safe) << result.why;
}
INSTANTIATE_TEST_SUITE_P(Compositional, SafeExamples,
                         testing::Values("counter", "locked-sums-p1-1", "locked-sums-p2-5", "stack",
                                         "two-stage", "wait-for-signal", "lazy-initialisation"));

class BrokenExamples : public testing::TestWithParam<const char*> {};
TEST_P(BrokenExamples, AreRefutedByARun) {
  const CompositionalResult result = answer(test::c_example(GetParam()));
  EXPECT_EQ(result.answer, Answer::Unsafe) << result.why;
}
INSTANTIATE_TEST_SUITE_P(Compositional, BrokenExamples,
                         testing::Values("counter-broken", "locked-sums-p1-1-broken",
                                         "two-stage-broken", "wait-for-signal-broken"));

/// The published rule calls this safe: the loop keeps the thread inside its block for ever.
TEST(Compositional, SaysWhatItTries) {
  std::set<std::string> heard;
  base::RunContext context = seconds(120);
  context.listen([&](const base::Event& event) {
    heard.insert(event.phase.substr(0, event.phase.find(':')));
  });
  EXPECT_EQ(prove(test::c_example("counter"), {}, context).answer, Answer::Safe);
  EXPECT_TRUE(heard.contains("looking for invariants"));
}

TEST(Compositional, ABlockThatNeverEndsHidesNothing) {
  const auto program = test::c_program(
      kHeaders +
      "int x; int a;\n"
      "void *t1(void *u) { x = 1; while (1) a++; return u; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, t1, 0); assert(x == 0); return 0; }\n");
  EXPECT_EQ(answer(program).answer, Answer::Unsafe);
}

TEST(Compositional, AnAssumptionBehindTheCommitHidesNothing) {
  const auto program = test::c_program(
      kHeaders +
      "extern void __VERIFIER_assume(int); int x;\n"
      "void *t1(void *u) { x = 1; __VERIFIER_assume(0); return u; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, t1, 0); assert(x == 0); return 0; }\n");
  EXPECT_EQ(answer(program).answer, Answer::Unsafe);
}

TEST(Compositional, ExitBehindTheCommitHidesNothing) {
  const auto program = test::c_program(
      "#include <stdlib.h>\n" + kHeaders +
      "int x;\n"
      "void *t1(void *u) { x = 1; exit(0); return u; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, t1, 0); assert(x == 0); return 0; }\n");
  EXPECT_EQ(answer(program).answer, Answer::Unsafe);
}

/// Safe only if signed arithmetic wraps as the interpreter's does.
TEST(Compositional, WrappingIsNotMistakenForUnboundedIntegers) {
  const auto program = test::c_program(
      kHeaders +
      "unsigned u = 4294967295u; int main(void) { u = u + 1; assert(u == 0); return 0; }\n");
  EXPECT_EQ(answer(program).answer, Answer::Safe);
  const auto overflow = test::c_program(
      kHeaders + "int x = 2147483647; int main(void) { x = x + 1; assert(x > 0); return 0; }\n");
  EXPECT_EQ(answer(overflow).answer, Answer::Unsafe);
}

const std::string kManyThreads =
    "extern int __VERIFIER_nondet_int(void);\n"
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;\n"
    "void *work(void *u) { LOCK x = 1; assert(x == 1); x = 0; UNLOCK return u; }\n"
    "int main(void) { while (__VERIFIER_nondet_int()) { pthread_t t;\n"
    "  pthread_create(&t, 0, work, 0); } return 0; }\n";

TEST(Compositional, AnyNumberOfThreadsIsProvedWithALock) {
  const auto program = test::c_program(
      "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK "
      "pthread_mutex_unlock(&m);\n" +
      kHeaders + kManyThreads);
  const CompositionalResult result = answer(program);
  EXPECT_EQ(result.answer, Answer::Safe) << result.why;
  ASSERT_TRUE(result.prepared);
  ASSERT_EQ(result.prepared->program.threads.size(), 2U);
  EXPECT_TRUE(result.prepared->program.threads[1].is_replicated);
}

TEST(Compositional, AnyNumberOfThreadsIsNotProvedWithoutALock) {
  const auto program = test::c_program("#define LOCK\n#define UNLOCK\n" + kHeaders + kManyThreads);
  base::RunContext context = seconds(10);
  EXPECT_NE(prove(program, {}, context).answer, Answer::Safe);
}

/// A lock made by hand: the cell of `m` is told apart by who set it.
const std::string kLockByHand =
    "extern void __VERIFIER_assume(int);\n"
    "int m, x;\n"
    "void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(m == 0); m = 1; }\n"
    "void __VERIFIER_atomic_release(void) { __VERIFIER_assume(m == 1); m = 0; }\n"
    "void plain_acquire(void) { while (m != 0) {} m = 1; }\n"
    "void *work(void *u) { ACQUIRE(); x = 1; assert(x == 1); x = 0;\n"
    "  __VERIFIER_atomic_release(); return u; }\n"
    "int main(void) { while (1) { pthread_t t; pthread_create(&t, 0, work, 0); } return 0; }\n";

TEST(Compositional, ALockMadeByHandIsALock) {
  const auto program =
      test::c_program("#define ACQUIRE __VERIFIER_atomic_acquire\n" + kHeaders + kLockByHand);
  const CompositionalResult result = answer(program);
  EXPECT_EQ(result.answer, Answer::Safe) << result.why;
  ASSERT_TRUE(result.prepared);
  const auto& cells = result.prepared->covering.cells;
  EXPECT_TRUE(std::ranges::any_of(cells, [](const auto& cell) { return cell.lock_value == 1; }));
}

TEST(Compositional, ALockThatIsNotTakenAtOnceIsNone) {
  const auto program = test::c_program("#define ACQUIRE plain_acquire\n" + kHeaders + kLockByHand);
  base::RunContext context = seconds(5);
  EXPECT_NE(prove(program, {}, context).answer, Answer::Safe);
}

/// `t` counts the threads behind its increment, `s` those behind the other one.
const std::string kCountedThreads =
    "extern int __VERIFIER_nondet_int(void);\n"
    "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n"
    "int s, t;\n"
    "void *work(void *u) {\n"
    "  __VERIFIER_atomic_begin(); t++; __VERIFIER_atomic_end();\n"
    "  assert(s RELATION t);\n"
    "  __VERIFIER_atomic_begin(); s++; __VERIFIER_atomic_end(); return u; }\n"
    "int main(void) { int n = __VERIFIER_nondet_int();\n"
    "  for (int i = 0; i < n; i++) { pthread_t id; pthread_create(&id, 0, work, 0); }\n"
    "  return 0; }\n";

TEST(Compositional, ThreadsAreCounted) {
  const auto program = test::c_program("#define RELATION <\n" + kHeaders + kCountedThreads);
  const CompositionalResult result = answer(program);
  EXPECT_EQ(result.answer, Answer::Safe) << result.why;
  ASSERT_TRUE(result.proof);
  EXPECT_NE(result.proof->lemma.op(), term::Operator::Boolean);
}

TEST(Compositional, ThreadsAreNotMiscounted) {
  const auto program = test::c_program("#define RELATION + 1 <\n" + kHeaders + kCountedThreads);
  base::RunContext context = seconds(5);
  EXPECT_NE(prove(program, {}, context).answer, Answer::Safe);
}

/// Tickets: that a thread is alone inside follows from their being different. With BETWEEN empty,
/// the proof is that of ForgedPairs (tests/unit/check/thread_proof_test.cpp).
const std::string kTickets =
    "extern void __VERIFIER_assume(int);\n"
    "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n"
    "unsigned next, serving; int inside;\n"
    "void *work(void *u) {\n"
    "  __VERIFIER_atomic_begin(); unsigned mine = next; __VERIFIER_assume(next != -1u);\n"
    "  BETWEEN next = mine + 1; __VERIFIER_atomic_end();\n"
    "  __VERIFIER_assume(mine == serving);\n"
    "  __VERIFIER_atomic_begin(); assert(inside == 0); inside = 1; __VERIFIER_atomic_end();\n"
    "  __VERIFIER_atomic_begin(); inside = 0; serving++; __VERIFIER_atomic_end(); return u; }\n"
    "int main(void) { while (1) { pthread_t id; pthread_create(&id, 0, work, 0); } }\n";

TEST(Compositional, TicketsThatAreTakenInTwoStepsAreNotProved) {
  const auto program =
      test::c_program("#define BETWEEN __VERIFIER_atomic_end(); __VERIFIER_atomic_begin();\n" +
                      kHeaders + kTickets);
  base::RunContext context = seconds(2);
  EXPECT_NE(prove(program, {}, context).answer, Answer::Safe);
}

/// As many threads as `n` says each add 1 to `x` at most.
const std::string kBoundedThreads =
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n"
    "int x, n;\n"
    "void *watch(void *u) { assert(x <= n - SLACK); return u; }\n"
    "void *work(void *u) { int t = x; x = t + 1; return u; }\n"
    "int main(void) { pthread_t id; n = __VERIFIER_nondet_int();\n"
    "  __VERIFIER_assume(n >= 20 && n < 40); pthread_create(&id, 0, watch, 0);\n"
    "  for (int i = 0; i < n; i++) pthread_create(&id, 0, work, 0);\n"
    "  return 0; }\n";

TEST(Compositional, ABoundThatIsOneTooSmallIsNotProved) {
  const auto program = test::c_program("#define SLACK 1\n" + kHeaders + kBoundedThreads);
  base::RunContext context = seconds(2);
  EXPECT_NE(prove(program, {}, context).answer, Answer::Safe);
}

TEST(Compositional, AgreesWithAndWithoutReduction) {
  ProveOptions plain;
  plain.reduction = false;
  for (const char* name : {"wait-for-signal", "wait-for-signal-broken"}) {
    const auto program = test::c_example(name);
    EXPECT_EQ(answer(program).answer, answer(program, plain).answer) << name;
  }
  // Without reduction the run is found late, but nothing else is claimed before.
  const auto broken = test::c_example("two-stage-broken");
  EXPECT_EQ(answer(broken).answer, Answer::Unsafe);
  base::RunContext context = seconds(5);
  EXPECT_NE(prove(broken, plain, context).answer, Answer::Safe);
}

/// A hundred mutexes, one of which is taken by a computed index: they are not told apart.
TEST(Compositional, ManyMutexesExcludeNobody) {
  const auto program = [](const std::string& claim) {
    return test::c_program(kHeaders +
                           "pthread_mutex_t m[100]; int n, inside;\n"
                           "extern int __VERIFIER_nondet_int(void);\n"
                           "void *work(void *u) {\n"
                           "  int i = __VERIFIER_nondet_int();\n"
                           "  if (i < 0 || i >= 100) return u;\n"
                           "  pthread_mutex_lock(&m[i]);\n"
                           "  inside = 1; n = i; assert(" +
                           claim +
                           "); inside = 0;\n"
                           "  pthread_mutex_unlock(&m[i]);\n"
                           "  return u;\n"
                           "}\n"
                           "int main(void) {\n"
                           "  pthread_t a, b;\n"
                           "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
                           "  return 0;\n"
                           "}\n");
  };
  EXPECT_EQ(answer(program("n >= 0 && n < 100")).answer, Answer::Safe);
  EXPECT_NE(answer(program("inside == 1")).answer, Answer::Safe);
}

/// Where the other thread stands is the reason: it has not passed its test yet, or x is 1.
TEST(Compositional, PredicatesSpeakAboutPlaces) {
  const auto program = test::c_program(kHeaders +
                                       "int x, y;\n"
                                       "void *work(void *u) { x = 1; y = 1; x = 2; return u; }\n"
                                       "int main(void) {\n"
                                       "  pthread_t t; int a, b;\n"
                                       "  pthread_create(&t, 0, work, 0);\n"
                                       "  a = y; b = x; assert(!a || b >= 1);\n"
                                       "  pthread_join(t, 0); assert(x == 2);\n"
                                       "  return 0;\n"
                                       "}\n");
  ProveOptions options;
  options.product = false;
  EXPECT_EQ(answer(program, options).answer, Answer::Safe);
}

TEST(Compositional, RefusesRecursionByName) {
  const auto program = test::c_program(
      "int f(int n) { return n == 0 ? 0 : f(n - 1); } int main(void) { return f(3); }\n");
  base::RunContext context;
  const CompositionalResult result = prove(program, {}, context);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_NE(result.why.find("recursive call of f"), std::string::npos) << result.why;
}

}  // namespace
}  // namespace heddle::engine::compositional
