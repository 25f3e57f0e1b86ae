/// Evidence that every run ends: what is proved and confirmed, and that forgeries are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "engine/compositional/termination.hpp"
#include "support/c_sources.hpp"

namespace heddle::check::termination_proof_test {
namespace {

using answer::EvidenceStatus;
using answer::TerminationProof;
using model::threads::Rank;

model::CTask termination_of(model::c::Program program) {
  return {std::move(program), {{model::EntryCall()}, {model::c::Property::Termination}, {}}};
}

answer::CheckResult judge_termination(const model::CTask& task, const TerminationProof& claim) {
  base::RunContext context;
  return check(task, answer::Safe{claim}, context);
}

std::optional<TerminationProof> termination_proof(const model::c::Program& program) {
  base::RunContext context;
  return engine::compositional::prove_termination(program, context).proof;
}

const std::string kInput = "extern int __VERIFIER_nondet_int(void);\n";

std::string sequential(const std::string& body) {
  return kInput +
         "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); " + body +
         " return 0; }\n";
}

/// A thread with a body of its own beside main, which joins it.
std::string with_thread(const std::string& work, const std::string& main) {
  return "#include <pthread.h>\n#include <stdlib.h>\n" + kInput + R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int g;
void *work(void *unused) { int i = __VERIFIER_nondet_int(); )" +
         work + R"( return 0; }
int main(void) { pthread_t t; int i = __VERIFIER_nondet_int(); g = __VERIFIER_nondet_int();
  pthread_create(&t, 0, work, 0); )" +
         main + " pthread_join(t, 0); return 0; }\n";
}

const std::string kLocked =
    "for (int on = 1; on;) { pthread_mutex_lock(&m); if (g > 0) g = g - 1; else on = 0; "
    "pthread_mutex_unlock(&m); }";

const std::string kTwoPhases = "while (x > 0) { x = x + y; y = y - 1; }";

/// One way takes 1 from x, which y takes over; the other one exchanges them.
std::string choice(const std::string& exchanged) {
  return "while (x > 0 && y > 0) { int old = x; if (__VERIFIER_nondet_int()) { x = x - 1; y = old; "
         "} else { x = " +
         exchanged + "; y = old + 1; } }";
}

/// The same by two threads.
std::string take_over(const std::string& exchanged) {
  const auto loop = [](const std::string& body) {
    return "for (int on = 1; on;) { pthread_mutex_lock(&m); if (g > 0 && h > 0) { " + body +
           " } else on = 0; pthread_mutex_unlock(&m); }";
  };
  return "static int h;\n" +
         with_thread(loop("h = g; g = g - 1;"),
                     "h = i; " + loop("int old = g; g = " + exchanged + "; h = old + 1;"));
}

struct TerminationRow {
  const char* name;
  std::string text;
  bool is_proved;
};

class Termination : public testing::TestWithParam<TerminationRow> {};
TEST_P(Termination, IsProvedAndConfirmedOrNot) {
  const model::CTask task = termination_of(test::c_program(GetParam().text));
  const auto proof = termination_proof(task.model);
  ASSERT_EQ(proof.has_value(), GetParam().is_proved);
  if (!proof) return;
  const auto result = judge_termination(task, *proof);
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
}

INSTANTIATE_TEST_SUITE_P(
    Sequential, Termination,
    testing::Values(
        TerminationRow{"NoLoop", sequential("x = y;"), true},
        TerminationRow{"Down", sequential("while (x > 0) x--;"), true},
        TerminationRow{"UpToY", sequential("while (x < y) x++;"), true},
        TerminationRow{"NotByOneStep", sequential("while (x != y) x++;"), false},
        TerminationRow{"ByNothing", sequential("while (x > 0) y--;"), false},
        TerminationRow{"ForEver", sequential("for (;;) {}"), false},
        TerminationRow{"Wraps", sequential("while (x <= 2147483647) x++;"), false},
        TerminationRow{"Lexicographic",
                       sequential("while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) "
                                  "x--; else { y--; x = __VERIFIER_nondet_int(); }"),
                       true},
        TerminationRow{"Nested",
                       sequential("for (int i = 0; i < x; i++) "
                                  "for (int j = 0; j < y; j++) {}"),
                       true},
        TerminationRow{"WithAnInvariant",
                       sequential("if (y < 1) return 0; while (x > 0) x = x - y;"), true},
        TerminationRow{"WithoutIt", sequential("while (x > 0) x = x - y;"), false},
        TerminationRow{"WrapsInTheLastRound", sequential(kTwoPhases), true},
        TerminationRow{"TowardsZero", sequential("while (x != 0) if (x > 0) x--; else x++;"), true},
        TerminationRow{"OverZero", sequential("while (x != 0) if (x > 0) x -= 2; else x += 2;"),
                       false},
        TerminationRow{"GreaterOfTwo", sequential(choice("y - 2")), true},
        TerminationRow{"NeitherOfTwo", sequential(choice("y - 1")), false}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Threads, Termination,
    testing::Values(
        TerminationRow{"Apart", with_thread("while (i > 0) i--;", "while (i > 0) i--;"), true},
        TerminationRow{"Together", with_thread(kLocked, kLocked), true},
        TerminationRow{"ResetSometimes",
                       with_thread("for (; i > 0; i--) { pthread_mutex_lock(&m); g = "
                                   "__VERIFIER_nondet_int(); pthread_mutex_unlock(&m); }",
                                   kLocked),
                       true},
        TerminationRow{"ResetForEver",
                       with_thread("for (;;) { pthread_mutex_lock(&m); g = 5; "
                                   "pthread_mutex_unlock(&m); }",
                                   kLocked),
                       false},
        TerminationRow{"GreaterOfTwo", take_over("h - 2"), true},
        TerminationRow{"NeitherOfTwo", take_over("h - 1"), false},
        TerminationRow{"SpinsOnAFlag", with_thread("g = 1;", "while (g == 0) {}"), false},
        TerminationRow{"NeverUnlocked", with_thread("pthread_mutex_lock(&m);", ""), true},
        TerminationRow{"NeverUnlockedAndTakenByAnother",
                       with_thread("pthread_mutex_lock(&m);",
                                   "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"),
                       false},
        TerminationRow{"OneOrder",
                       with_thread("pthread_mutex_lock(&m); pthread_mutex_lock(&n); "
                                   "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                                   "pthread_mutex_lock(&m); pthread_mutex_lock(&n); "
                                   "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"),
                       true},
        TerminationRow{"TwoOrders",
                       with_thread("pthread_mutex_lock(&m); pthread_mutex_lock(&n); "
                                   "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                                   "pthread_mutex_lock(&n); pthread_mutex_lock(&m); "
                                   "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"),
                       false},
        TerminationRow{"JoinUnderTheMutex",
                       with_thread("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                                   "pthread_mutex_lock(&m);"),
                       false},
        TerminationRow{"AnyNumber",
                       "#include <pthread.h>\n" + kInput +
                           "void *work(void *unused) { return 0; }\nint main(void) { pthread_t t; "
                           "while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0); }\n",
                       false}),
    [](const auto& row) { return row.param.name; });

/// Creates threads in a loop, each of which does `work`.
std::string many_threads(const std::string& loop, const std::string& work) {
  return "#include <pthread.h>\n" + kInput + R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int g;
void *work(void *unused) { )" +
         work + R"( return 0; }
int main(void) { pthread_t t; int n = __VERIFIER_nondet_int(); g = __VERIFIER_nondet_int(); )" +
         loop + " pthread_create(&t, 0, work, 0); return 0; }\n";
}

const std::string kSome = "for (int k = 0; k < n; k++)", kAny = "while (__VERIFIER_nondet_int())";
const std::string kSets = "pthread_mutex_lock(&m); g = 7; pthread_mutex_unlock(&m);";

INSTANTIATE_TEST_SUITE_P(
    ManyThreads, Termination,
    testing::Values(
        TerminationRow{"EachByItself",
                       many_threads(kSome, "int i = __VERIFIER_nondet_int(); while (i > 0) i--;"),
                       true},
        TerminationRow{"Together", many_threads(kSome, kLocked), true},
        TerminationRow{"SetFirst", many_threads(kSome, kSets + kLocked), true},
        TerminationRow{"SetAlways",
                       many_threads(kSome,
                                    "for (int on = 1; on;) { pthread_mutex_lock(&m); "
                                    "if (g > 0) g = g - 1; else { g = 3; on = "
                                    "__VERIFIER_nondet_int(); } pthread_mutex_unlock(&m); }"),
                       false},
        TerminationRow{"CreatedForEver", many_threads(kAny, kLocked), false},
        TerminationRow{"EachCreatesAnother",
                       many_threads(kSome,
                                    "pthread_t u; if (__VERIFIER_nondet_int()) "
                                    "pthread_create(&u, 0, work, 0);"),
                       false}),
    [](const auto& row) { return row.param.name; });

TEST(ForgedTerminationOfThreads, RanksOfThreadsThatAreCreatedForEver) {
  // Ranks of the copies before that of the loop that creates them.
  const model::CTask task = termination_of(
      test::c_program(many_threads(kSome, "int i = __VERIFIER_nondet_int(); while (i > 0) i--;")));
  auto claim = termination_proof(task.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(task, *claim).status, EvidenceStatus::Confirmed);
  std::ranges::reverse(claim->ranking);
  const auto result = judge_termination(task, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_EQ(result.why, "any number of threads work may be created");
}

TEST(ForgedTerminationOfThreads, ARankThatOtherCopiesIncrease) {
  // A copy in its second loop sets g, which others count down in their first one.
  const model::CTask task = termination_of(test::c_program(many_threads(
      kSome, kLocked + "for (int j = __VERIFIER_nondet_int(); j > 0; j--) { " + kSets + " }")));
  auto claim = termination_proof(task.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(task, *claim).status, EvidenceStatus::Confirmed);
  ASSERT_GE(claim->ranking.size(), 3U);
  std::iter_swap(claim->ranking.rbegin(), claim->ranking.rbegin() + 1);  // g before j
  const auto result = judge_termination(task, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_NE(result.why.find("increases a rank of"), std::string::npos) << result.why;
}

/// Programs in which a run may do something undefined: the claim stays unconfirmed.
class Undefined : public testing::TestWithParam<TerminationRow> {};
TEST_P(Undefined, IsNotConfirmed) {
  const model::CTask task = termination_of(test::c_program(GetParam().text));
  const auto proof = termination_proof(task.model);
  if (!proof) return;
  const auto result = judge_termination(task, *proof);
  EXPECT_EQ(result.status,
            GetParam().is_proved ? EvidenceStatus::Confirmed : EvidenceStatus::NotChecked)
      << result.why;
}

const std::string kArray = "static int a[8];\n";

/// `main` hands a variable of its own to a thread.
std::string with_own_variable(const std::string& main) {
  return "#include <pthread.h>\nvoid *work(void *p) { *(int *)p = 1; return 0; }\n"
         "int main(void) { pthread_t t; " +
         main + " }\n";
}
const std::string kHandOver = "pthread_create(&t, 0, work, &x); ";

INSTANTIATE_TEST_SUITE_P(
    Termination, Undefined,
    testing::Values(
        TerminationRow{"DivisionByAnything", sequential("x = x / y;"), false},
        TerminationRow{"DivisionBehindATest", sequential("if (y != 0) x = x / y;"), true},
        TerminationRow{"IndexAnywhere", kArray + sequential("a[x] = 1;"), false},
        TerminationRow{"IndexInside", kArray + sequential("if (x >= 0 && x < 8) a[x] = 1;"), true},
        TerminationRow{"IndexBehind", kArray + sequential("if (x >= 0 && x < 9) a[x] = 1;"), false},
        TerminationRow{"NullPointer", sequential("int *p = 0; if (x == 7) *p = 1;"), false},
        TerminationRow{"DeadVariable", sequential("int *p = &y; { int z = 1; p = &z; } *p = 2;"),
                       false},
        TerminationRow{"LiveVariable", sequential("int *p = &y; { int z = 1; p = &z; *p = 2; }"),
                       true},
        TerminationRow{"OfACallThatReturned",
                       "static int *f(void) { int z = 1; int *p = &z; return p; }\n" +
                           sequential("int *p = f(); *p = 2;"),
                       false},
        TerminationRow{"OfAThreadThatWaits",
                       with_own_variable("int x; " + kHandOver + "pthread_join(t, 0); return 0;"),
                       true},
        TerminationRow{
            "OfAThreadThatWaitsInABlock",
            with_own_variable("{ int x; " + kHandOver + "pthread_join(t, 0); } return 0;"), true},
        TerminationRow{"OfAThreadThatDoesNotWait",
                       with_own_variable("int x; " + kHandOver + "return 0;"), false},
        TerminationRow{"OfAThreadThatEnds",
                       with_own_variable("int x; " + kHandOver + "pthread_exit(0);"), false},
        TerminationRow{
            "OfABlockThatIsLeft",
            with_own_variable("{ int x; " + kHandOver + "} pthread_join(t, 0); return 0;"), false},
        TerminationRow{"Constant", "static const int c = 1;\n" + sequential("*(int *)&c = 2;"),
                       false},
        TerminationRow{"Freed",
                       "#include <stdlib.h>\n" +
                           sequential("int *p = malloc(4); if (!p) return 0; free(p); *p = 1;"),
                       false}),
    [](const auto& row) { return row.param.name; });

class ForgedTermination : public testing::Test {
 protected:
  void expect_refuted(const TerminationProof& forged, const std::string& because) const {
    const auto result = judge_termination(task, forged);
    EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
    EXPECT_NE(result.why.find(because), std::string::npos) << result.why;
  }

  static TerminationProof proof_or_fail(const model::CTask& of) {
    auto proof = termination_proof(of.model);
    if (!proof) throw std::runtime_error("no proof");
    return std::move(*proof);
  }

  static term::Term plus(const term::Term& value, long constant) {
    return term::sum({value, term::constant(base::Integer(constant))});
  }

  model::CTask task = termination_of(test::c_program(
      sequential("if (y < 1) return 0; while (x > 0) x = x - y; while (y < 10) y++;")));
  TerminationProof claim = proof_or_fail(task);
};

TEST_F(ForgedTermination, TheGenuineOneIsConfirmedAndReadBack) {
  EXPECT_EQ(judge_termination(task, claim).status, EvidenceStatus::Confirmed);
  ASSERT_EQ(claim.ranking.size(), 2U);
  const answer::Verdict verdict = answer::Safe{claim};
  const auto read = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                              model::kind_of(model::AnyTask(task)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, verdict);
}

TEST_F(ForgedTermination, ALoopWithoutARank) {
  claim.ranking.pop_back();
  expect_refuted(claim, "a loop that no rank excludes");
}

TEST_F(ForgedTermination, ARankThatIsNotBounded) {
  for (Rank& rank : claim.ranking)
    for (auto& [point, value] : rank.at) value = plus(value, -1'000'000'000'000);
  expect_refuted(claim, "a loop that no rank excludes");
}

TEST_F(ForgedTermination, ARankThatDoesNotDecrease) {
  for (Rank& rank : claim.ranking)
    for (auto& [point, value] : rank.at) value = term::constant(base::Integer(7));
  expect_refuted(claim, "a loop that no rank excludes");
}

TEST_F(ForgedTermination, ARankThatIncreases) {
  for (Rank& rank : claim.ranking)
    for (auto& [point, value] : rank.at) value = term::product(base::Integer(-1), value);
  expect_refuted(claim, "increases the rank of its loop");
}

TEST_F(ForgedTermination, RanksOfSomethingThatThereIsNot) {
  TerminationProof forged = claim;
  forged.ranking[0].thread = model::threads::ThreadIndex(5U);
  expect_refuted(forged, "a thread that there is not");
  forged = claim;
  forged.ranking[0].at[0].first = 100'000;
  expect_refuted(forged, "a point that there is not");
  forged = claim;
  forged.ranking[0].at[0].second = term::variable("luck", term::Sort::Integer);
  expect_refuted(forged, "a rank over luck");
  forged = claim;
  forged.ranking[0].at[0].second = term::constant(true);
  expect_refuted(forged, "not a number");
}

TEST_F(ForgedTermination, AnInvariantThatIsNotInductive) {
  // Something that would make every loop end at once.
  for (auto& invariant : claim.proof.invariants) invariant.formula = term::constant(false);
  expect_refuted(claim, "invariant");
}

TEST_F(ForgedTermination, AnInvariantIsLeftOut) {
  for (auto& invariant : claim.proof.invariants) invariant.formula = term::constant(true);
  expect_refuted(claim, "");  // y may be 0
}

TEST_F(ForgedTermination, EvidenceOfANeighbourOrAboutAnotherProperty) {
  const model::CTask other = termination_of(test::c_program(
      sequential("if (y < 0) return 0; while (x > 0) x = x - y; while (y < 10) y++;")));
  EXPECT_EQ(judge_termination(other, claim).status, EvidenceStatus::Refuted);
  model::CTask reach = task;
  reach.question.targets = {model::c::Property::Reach};
  EXPECT_EQ(judge_termination(reach, claim).status, EvidenceStatus::Refuted);
}

/// Two threads count g down, which one of them might also increase.
std::string counts_down(const std::string& more) {
  return with_thread(
      "for (int on = 1; on;) { pthread_mutex_lock(&m); if (g > 0) g = g - 1; else on = 0; " + more +
          " pthread_mutex_unlock(&m); }",
      kLocked);
}

TEST(ForgedTerminationOfThreads, ARankThatAnotherThreadIncreases) {
  const model::CTask right = termination_of(test::c_program(counts_down("if (g > 8) g = g - 2;")));
  const auto claim = termination_proof(right.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(right, *claim).status, EvidenceStatus::Confirmed);
  const model::CTask wrong = termination_of(test::c_program(counts_down("if (g > 8) g = g + 2;")));
  const auto result = judge_termination(wrong, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
  EXPECT_FALSE(termination_proof(wrong.model).has_value());
}

TEST(ForgedTerminationOfThreads, RanksInTheWrongOrder) {
  // The thread may set g to anything as long as it runs, so its own rank comes first.
  const model::CTask task = termination_of(test::c_program(
      with_thread("for (; i > 0; i--) { pthread_mutex_lock(&m); g = __VERIFIER_nondet_int(); "
                  "pthread_mutex_unlock(&m); }",
                  kLocked)));
  auto claim = termination_proof(task.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(task, *claim).status, EvidenceStatus::Confirmed);
  std::ranges::reverse(claim->ranking);
  const auto result = judge_termination(task, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_NE(result.why.find("increases a rank of"), std::string::npos) << result.why;
}

TEST(ForgedTerminationOfThreads, ARankOfAnotherLoopWithTwoPieces) {
  const model::CTask right = termination_of(test::c_program(sequential(choice("y - 2"))));
  const auto claim = termination_proof(right.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(right, *claim).status, EvidenceStatus::Confirmed);
  const model::CTask wrong = termination_of(test::c_program(sequential(choice("y - 1"))));
  const auto result = judge_termination(wrong, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
}

TEST(ForgedTerminationOfThreads, ALastRoundThatIsNotTheLast) {
  const model::CTask right = termination_of(test::c_program(sequential(kTwoPhases)));
  const auto claim = termination_proof(right.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(right, *claim).status, EvidenceStatus::Confirmed);
  // The smallest y becomes the greatest one, and the loop goes on.
  const model::CTask wrong =
      termination_of(test::c_program(sequential("while (x > -5) { x = x + y; y = y - 1; }")));
  const auto result = judge_termination(wrong, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
}

TEST(ForgedTerminationOfThreads, ALastRoundThatAnotherThreadMakesOneOfMany) {
  // As long as main sets g, the round in which i wraps need not be the last one.
  const model::CTask task = termination_of(test::c_program(with_thread(
      "for (int on = 1; on;) { pthread_mutex_lock(&m); if (g > 0) { g = g + i; i = i - 1; } "
      "else on = 0; pthread_mutex_unlock(&m); }",
      "for (; i > 0; i--) { pthread_mutex_lock(&m); g = 7; pthread_mutex_unlock(&m); }")));
  auto claim = termination_proof(task.model);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(judge_termination(task, *claim).status, EvidenceStatus::Confirmed);
  const auto of_main =
      std::ranges::find_if(claim->ranking, [](const Rank& rank) { return rank.thread.value == 0; });
  ASSERT_NE(of_main, claim->ranking.end());
  std::rotate(of_main, of_main + 1, claim->ranking.end());
  const auto result = judge_termination(task, *claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_NE(result.why.find("increases the rank of its loop"), std::string::npos) << result.why;
}

const std::string kLockM = "pthread_mutex_lock(&m);", kUnlockM = "pthread_mutex_unlock(&m);";
const std::string kWaitForG =
    kLockM + "while (!g) pthread_cond_wait(&c, &m); " + kUnlockM + "while (i > 0) i--;";
const std::string kSetG = kLockM + "g = 1; pthread_cond_signal(&c); " + kUnlockM;

/// With condition variables and a barrier; g is 0 at first.
std::string with_conditions(const std::string& work, const std::string& main) {
  return "#include <pthread.h>\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
         "static pthread_barrier_t b;\n" +
         with_thread(work, "g = 0; " + main);
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, Termination,
    testing::Values(
        TerminationRow{"Signalled", with_conditions(kWaitForG, kSetG), true},
        TerminationRow{
            "SignalledBehindTheSection",
            with_conditions(kWaitForG, kLockM + "g = 1;" + kUnlockM + "pthread_cond_signal(&c);"),
            true},
        TerminationRow{"SignalledForEver",  // each signal may wake, and the condition is never true
                       with_conditions(kWaitForG, "for (;;) pthread_cond_signal(&c);"), false},
        TerminationRow{"NotSignalled", with_conditions(kWaitForG, kLockM + "g = 1;" + kUnlockM),
                       false},
        TerminationRow{"SignalledWithoutTheMutex",
                       with_conditions(kWaitForG, "g = 1; pthread_cond_signal(&c);"), false},
        TerminationRow{"CapturesAndResets",
                       with_conditions(kWaitForG, kSetG + kLockM + "g = 0;" + kUnlockM), false},
        TerminationRow{"Semaphore",
                       "#include <semaphore.h>\nstatic sem_t s;\n" +
                           with_thread("sem_wait(&s); while (i > 0) i--;", "sem_post(&s);"),
                       true},
        TerminationRow{"SemaphoreThatNobodyPosts",
                       "#include <semaphore.h>\nstatic sem_t s;\n" +
                           with_thread("sem_wait(&s);", "while (i > 0) i--;"),
                       false}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    PhasesAndFlags, Termination,
    testing::Values(
        TerminationRow{"Flag",
                       sequential("int up = 1; if (x > 1000) return 0; while (x >= 0) { if (up) { "
                                  "if (x < 1000) x++; else up = 0; } else x--; }"),
                       true},
        TerminationRow{"FlagThatReturns",
                       sequential("int up = 1; if (x > 1000) return 0; while (x >= 0) { if (up) { "
                                  "if (x < 1000) x++; else up = 0; } else if (x > 9) x--; else "
                                  "up = 1; }"),
                       false},
        TerminationRow{"ExchangeThatFails",  // only if the other one has succeeded
                       with_thread("for (int k = 0;;) { k = g; if "
                                   "(__sync_bool_compare_and_swap(&g, k, k + 1)) break; }",
                                   "for (int k = 0;;) { k = g; if "
                                   "(__sync_bool_compare_and_swap(&g, k, k + 1)) break; }"),
                       true}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace heddle::check::termination_proof_test
