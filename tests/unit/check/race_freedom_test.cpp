/// Evidence that there are no data races: what is confirmed, and that forgeries are not.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "engine/compositional/race_freedom.hpp"
#include "support/c_sources.hpp"
#include "transform/blocks/facts.hpp"
#include "transform/c_threads/threads_of_c.hpp"

namespace heddle::check::race_freedom_test {
namespace {

using answer::EvidenceStatus;
using answer::RaceFreedom;
using model::threads::Point;
using model::threads::ThreadIndex;

model::CTask races_of(model::c::Program program) {
  return {std::move(program), {{model::EntryCall()}, {model::c::Property::NoDataRace}, {}}};
}

answer::CheckResult judge_races(const model::CTask& task, const RaceFreedom& claim) {
  base::RunContext context;
  return check(task, answer::Safe{claim}, context);
}

std::optional<RaceFreedom> proof_for(const model::c::Program& program) {
  base::RunContext context;
  return engine::compositional::prove_race_freedom(program, context).proof;
}

/// The covering of a program, with the facts that are true of it, whether it has races or not.
RaceFreedom claim_of(const model::c::Program& program) {
  transform::c_threads::Options options;
  options.try_lock_may_fail = true;
  auto covered = transform::c_threads::cover(program, options);
  if (!covered) throw std::runtime_error(covered.error().why);
  RaceFreedom claim;
  const transform::blocks::Facts facts(covered->program);
  for (std::size_t t = 0; t < covered->program.threads.size(); ++t) {
    const std::size_t points = covered->program.threads[t].points.size();
    claim.proof.is_out.emplace_back(points);
    claim.proof.is_cut.emplace_back(points);
    auto& list = claim.proof.facts.emplace_back();
    for (std::size_t p = 0; p < points; ++p)
      list.push_back(facts.formula(ThreadIndex(t), Point(p)));
  }
  claim.covering = std::move(covered->covering);
  return claim;
}

/// `before`, `inside` and `after`: what main does before it creates the thread, while it runs, and
/// after it has joined it. The thread adds to x under the mutex m.
std::string two_threads(const std::string& before, const std::string& during,
                        const std::string& after, const std::string& work = "x++;") {
  return R"(
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
atomic_int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) { pthread_mutex_lock(&m); )" +
         work + R"( pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; )" +
         before + " pthread_create(&t, 0, work, 0); " + during + " pthread_join(t, 0); " + after +
         "\n}\n";
}

struct Row {
  const char* name;
  std::string text;
  bool is_free;
};

/// By what keeps accesses apart.
class Races : public testing::TestWithParam<Row> {};
TEST_P(Races, AreExcludedOrNot) {
  const model::CTask task = races_of(test::c_program(GetParam().text));
  const auto proof = proof_for(task.model);
  EXPECT_EQ(proof.has_value(), GetParam().is_free);
  if (proof) {
    EXPECT_EQ(judge_races(task, *proof).status, EvidenceStatus::Confirmed)
        << judge_races(task, *proof).why;
  } else {
    const auto result = judge_races(task, claim_of(task.model));
    EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
    EXPECT_NE(result.why.find("may access the same bytes"), std::string::npos) << result.why;
  }
}

const std::string kLock = "pthread_mutex_lock(&m);", kUnlock = "pthread_mutex_unlock(&m);";

INSTANTIATE_TEST_SUITE_P(
    RaceFreedom, Races,
    testing::Values(
        Row{"Mutex", two_threads("", kLock + "x = 1;" + kUnlock, ""), true},
        Row{"NoMutex", two_threads("", "x = 1;", ""), false},
        Row{"OtherMutex",
            two_threads("", "pthread_mutex_lock(&n); x = 1; pthread_mutex_unlock(&n);", ""), false},
        Row{"BehindTheMutex", two_threads("", kLock + kUnlock + "x = 1;", ""), false},
        Row{"BeforeCreationAndBehindJoin", two_threads("x = 1;", "", "x = 2;"), true},
        Row{"OnlyRead", two_threads("x = 1;", "y = x;", "", "return (void *)(long)x;"), true},
        Row{"AtomicAndPlain", two_threads("", "__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);", ""),
            false},
        Row{"Atomic", two_threads("", "atomic_store(&flag, 1);", "", "atomic_fetch_add(&flag, 1);"),
            true},
        Row{"ThreadLocal",
            two_threads("", "static __thread int z; z = 1;", "", "static __thread int z; z = 1;"),
            true},
        Row{"FailedAttemptToLock",
            two_threads("", "if (pthread_mutex_trylock(&m) != 0) x = 1; else " + kUnlock, ""),
            false},
        Row{"SuccessfulAttemptToLock",
            two_threads("", "if (pthread_mutex_trylock(&m) == 0) { x = 1; " + kUnlock + "}", ""),
            true},
        Row{"Freed",
            two_threads("static int *p; p = __builtin_malloc(4);", "__builtin_free(p);", "",
                        "x = 1;"),
            true},
        Row{"SectionBehindACreation",
            two_threads("", "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", ""), false},
        Row{"HandedOverByAFlag",
            two_threads("", "if (atomic_load(&flag)) x = 2;", "", "x = 1; atomic_store(&flag, 1);"),
            true},
        Row{"HandedOverTooEarly",
            two_threads("", "if (atomic_load(&flag)) x = 2;", "", "atomic_store(&flag, 1); x = 1;"),
            false}),
    [](const auto& row) { return std::string(row.param.name); });

/// Any number of copies of `work`, with a counter `i` in the loops that create and join them.
std::string any_number(const std::string& work, const std::string& creation,
                       const std::string& joins, const std::string& after) {
  return R"(
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x, *data;
pthread_t *tid;
void *work(void *arg) { )" +
         work + R"( return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  tid = malloc(n * sizeof(pthread_t));
  data = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) { )" +
         creation + R"( }
  )" + joins +
         after + "\n}\n";
}

/// In the second round the array is another one: its handles are not those of the copies.
const std::string kArrayBeginsAgain = R"(
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *data;
void *work(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 1000) return 0;
  data = malloc(n * sizeof(int));
  for (int round = 0; round < 2; round++) {
    pthread_t tid[1000];
    if (round == 0) {
      for (int i = 0; i < n; i++) pthread_create(&tid[i], 0, work, &data[i]);
    } else {
      for (int i = 0; i < n; i++) pthread_join(tid[i], 0);
    }
  }
  free(data);
}
)";

const std::string kOwnPart = "*(int *)arg = 1;";
const std::string kCreate = "pthread_create(&tid[i], 0, work, &data[i]);";
const std::string kJoinAll = "for (int i = 0; i < n; i++) pthread_join(tid[i], 0);";

std::optional<RaceFreedom> proof_for_copies(const model::c::Program& program,
                                            std::uint64_t steps = 5000) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  return engine::compositional::prove_race_freedom(program, context).proof;
}

/// Each copy has an object of its own, unless `choice` gives one to several.
std::string object_each(const std::string& choice, const std::string& behind) {
  return any_number("*(int *)arg = 1;",
                    "int *p = malloc(sizeof(int)); *p = i; " + choice +
                        " pthread_create(&tid[i], 0, work, p); " + behind,
                    "", "");
}

/// The copies are the second kind of thread: numbers of theirs end with `!2`.
const std::string kBesideAnotherThread = R"(
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *other(void *unused) { return 0; }
void *work(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
  pthread_t first;
  pthread_create(&first, 0, other, 0);
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  pthread_t *tid = malloc(n * sizeof(pthread_t));
  int *data = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) pthread_create(&tid[i], 0, work, &data[i]);
  for (int i = 0; i < n; i++) pthread_join(tid[i], 0);
  free(data);
}
)";

/// The routine has no parameter: its first register is not what it was created with.
const std::string kNoParameter = R"(
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
_Atomic(int *) latest;
void *work() { int *p = latest; *p = 1; return 0; }
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    int *p = malloc(sizeof(int));
    latest = p;
    pthread_create(&t, 0, work, p);
  }
}
)";

/// By what tells copies of a thread apart.
class Copies : public testing::TestWithParam<Row> {};
TEST_P(Copies, AreApartOrNot) {
  const model::CTask task = races_of(test::c_program(GetParam().text));
  const auto proof = proof_for_copies(task.model, GetParam().is_free ? 5000 : 1000);
  EXPECT_EQ(proof.has_value(), GetParam().is_free);
  const auto result = judge_races(task, proof ? *proof : claim_of(task.model));
  EXPECT_EQ(result.status, proof ? EvidenceStatus::Confirmed : EvidenceStatus::Refuted)
      << result.why;
}

INSTANTIATE_TEST_SUITE_P(
    RaceFreedom, Copies,
    testing::Values(Row{"APartEach", any_number(kOwnPart, kCreate, "", ""), true},
                    Row{"TheArrayBeginsAgain", kArrayBeginsAgain, false},
                    Row{"BesideAnotherThread", kBesideAnotherThread, true},
                    Row{"AnObjectEach", object_each("", ""), true},
                    Row{"AnObjectForTwo",
                        object_each("static int *q; if (i % 2 == 0) q = p; p = q;", ""), false},
                    Row{"AnObjectUsedBehindTheCreation", object_each("", "*p = 2;"), false},
                    Row{"ARoutineWithoutParameter", kNoParameter, false},
                    Row{"OneIsDetached",
                        any_number(kOwnPart, kCreate,
                                   "if (n > 0) pthread_detach(tid[0]);" + kJoinAll, "free(data);"),
                        false}),
    [](const auto& row) { return std::string(row.param.name); });

class ForgedRaceFreedom : public testing::Test {
 protected:
  void expect_refuted(const std::string& why) const {
    const answer::CheckResult result = judge_races(task, claim);
    EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
    EXPECT_NE(result.why.find(why), std::string::npos) << result.why;
  }

  model::CTask task =
      races_of(test::c_program(two_threads("", kLock + "x = 1;" + kUnlock, "x = 2;")));
  RaceFreedom claim = claim_of(task.model);
};

TEST_F(ForgedRaceFreedom, TheGenuineOneIsConfirmedAndReadBack) {
  EXPECT_EQ(judge_races(task, claim).status, EvidenceStatus::Confirmed)
      << judge_races(task, claim).why;
  const answer::Verdict verdict = answer::Safe{claim};
  const auto read = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                              model::kind_of(model::AnyTask(task)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, verdict);
}

/// A mutex that is not held: every fact of the program without locks says that it is.
TEST_F(ForgedRaceFreedom, AMutexThatIsNotHeld) {
  task = races_of(test::c_program(two_threads("", "x = 1;", "")));
  claim = claim_of(task.model);
  for (const auto& mutex : claim.covering.mutexes) {
    if (!mutex.owner) continue;
    const auto& symbol = claim.covering.variables[*mutex.owner].symbol;
    const auto owner = term::variable(symbol, term::Sort::Integer);
    for (auto& fact : claim.proof.facts[0])
      fact = term::conjunction({fact, term::equal(owner, term::constant(base::Integer(1)))});
  }
  expect_refuted("fact");
}

/// Facts that are too weak do not keep anything apart.
TEST_F(ForgedRaceFreedom, NoFacts) {
  for (auto& facts : claim.proof.facts)
    for (auto& fact : facts) fact = term::constant(true);
  expect_refuted("may access the same bytes");
}

/// Threads that are said not to run.
TEST_F(ForgedRaceFreedom, AThreadThatRunsIsSaidNotToRun) {
  task = races_of(test::c_program(two_threads("", "x = 1;", "")));
  claim = claim_of(task.model);
  const auto status = term::variable(
      claim.covering.variables[*claim.covering.threads[1].status].symbol, term::Sort::Integer);
  for (auto& fact : claim.proof.facts[0])
    fact = term::conjunction(
        {fact, term::negation(term::equal(status, term::constant(base::Integer(1))))});
  expect_refuted("fact");
}

TEST_F(ForgedRaceFreedom, AnAccessThatIsLeftOut) {
  // A place of the thread goes; what leads there has nowhere to go.
  for (auto& place : claim.covering.threads[1].places)
    if (place.at.value == 2) place.at = model::c::Location(4u);
  expect_refuted("not listed");
}

TEST_F(ForgedRaceFreedom, APointerThatPointsElsewhere) {
  task = races_of(test::c_program(two_threads("int *volatile p = &x;", "*p = 1;", "")));
  claim = claim_of(task.model);
  std::size_t cleared = 0;
  for (auto& r : claim.covering.registers) {
    cleared += r.content.objects.size();
    r.content.objects.clear();
  }
  for (auto& c : claim.covering.cells) {
    cleared += c.content.objects.size();
    c.content.objects.clear();
  }
  ASSERT_GT(cleared, 0U);
  expect_refuted("not listed");
}

TEST_F(ForgedRaceFreedom, EvidenceOfANeighbour) {
  task = races_of(test::c_program(two_threads("", "x = 1;" + kLock + kUnlock, "x = 2;")));
  EXPECT_NE(judge_races(task, claim).status, EvidenceStatus::Confirmed);
}

TEST_F(ForgedRaceFreedom, AnotherProperty) {
  task.question.targets = {model::c::Property::Reach};
  expect_refuted("about data races");
}

/// That joins went in the order of creations, where somebody else writes to the array of handles.
TEST_F(ForgedRaceFreedom, AnOrderThatThereIsNot) {
  const auto genuine = test::c_program(any_number(kOwnPart, kCreate, kJoinAll, "free(data);"));
  task = races_of(genuine);
  const auto proof = proof_for_copies(genuine);
  ASSERT_TRUE(proof);
  claim = *proof;
  ASSERT_EQ(judge_races(task, claim).status, EvidenceStatus::Confirmed);
  const auto joined = term::variable("joined!1", term::Sort::Integer);
  const auto created = term::variable("created!1", term::Sort::Integer);
  for (auto& invariant : claim.proof.invariants)
    if (invariant.at[0].first == ThreadIndex(0u))
      invariant.formula = term::conjunction({invariant.formula, term::equal(joined, created)});
  expect_refuted("does not preserve");

  task = races_of(test::c_program(
      any_number(kOwnPart, kCreate, "if (n > 1) tid[0] = tid[1];" + kJoinAll, "free(data);")));
  claim = claim_of(task.model);
  const auto ordered = term::variable("ordered!1", term::Sort::Boolean);
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back({{{ThreadIndex(t), p}}, ordered});
    }
  expect_refuted("at the beginning");
}

/// Numbers of copies are counted by the checker, not taken from the proof.
TEST_F(ForgedRaceFreedom, ANumberThatACopyDoesNotHave) {
  const auto program =
      test::c_program(any_number(kOwnPart, "pthread_create(&tid[i], 0, work, &data[0]);", "", ""));
  task = races_of(program);
  claim = claim_of(program);
  const auto zero = term::constant(base::Integer(0));
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back(
          {{{ThreadIndex(t), p}},
           t == 0 ? term::constant(true)
                  : term::equal(term::variable("nth!1", term::Sort::Integer), zero)});
    }
  expect_refuted("when it is created");
}

/// An object that is given to two copies has no number: proofs cannot speak about it.
TEST_F(ForgedRaceFreedom, ANumberOfAnObjectOfTwo) {
  const auto program =
      test::c_program(object_each("static int *q; if (i % 2 == 0) q = p; p = q;", ""));
  task = races_of(program);
  claim = claim_of(program);
  const auto one = term::constant(base::Integer(1));
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back(
          {{{ThreadIndex(t), p}},
           t == 0 ? term::constant(true)
                  : term::equal(term::variable("object!1", term::Sort::Integer),
                                term::sum({term::variable("nth!1", term::Sort::Integer), one}))});
    }
  expect_refuted("mentions object!1");
}

/// The number of the object is that of the latest one when the copy is created.
TEST_F(ForgedRaceFreedom, ANumberThatAnObjectDoesNotHave) {
  const auto program = test::c_program(object_each("", ""));
  task = races_of(program);
  claim = claim_of(program);
  const auto object = term::variable("object!1", term::Sort::Integer);
  const auto nth = term::variable("nth!1", term::Sort::Integer);
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back(
          {{{ThreadIndex(t), p}}, t == 0 ? term::constant(true) : term::equal(object, nth)});
    }
  expect_refuted("when it is created");
}

/// Two copies are never together anywhere, says an invariant about two threads.
TEST_F(ForgedRaceFreedom, AnInvariantAboutTwoThreadsThatIsFalse) {
  const auto program =
      test::c_program(any_number(kOwnPart, "pthread_create(&tid[i], 0, work, &data[0]);", "", ""));
  task = races_of(program);
  claim = claim_of(program);
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      if (claim.covering.threads[t].places[p].kind != model::threads::PointInfo::Kind::Ordinary)
        continue;
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back({{{ThreadIndex(t), p}}, term::constant(true)});
      for (std::uint32_t q = p; t == 1 && q < claim.covering.threads[t].places.size(); ++q)
        if (claim.covering.threads[t].places[q].kind == model::threads::PointInfo::Kind::Ordinary)
          claim.proof.invariants.push_back(
              {{{ThreadIndex(t), p}, {ThreadIndex(t), q}}, term::constant(false)});
    }
  const answer::CheckResult result = judge_races(task, claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
}

/// The lemma says that there is at most one copy.
TEST_F(ForgedRaceFreedom, ALemmaAboutCountsThatIsFalse) {
  const auto program =
      test::c_program(any_number(kOwnPart, "pthread_create(&tid[i], 0, work, &data[0]);", "", ""));
  task = races_of(program);
  claim = claim_of(program);
  std::vector<term::Term> counts;
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back({{{ThreadIndex(t), p}}, term::constant(true)});
      if (t == 1) counts.push_back(model::threads::count_at(ThreadIndex(t), p));
    }
  claim.proof.lemma = term::at_most(term::sum(counts), term::constant(base::Integer(1)));
  expect_refuted("lemma");
}

/// Invariants that are not inductive, with boundaries at every point.
TEST_F(ForgedRaceFreedom, InvariantsThatAreFalse) {
  task = races_of(test::c_program(two_threads("", "x = 1;", "")));
  claim = claim_of(task.model);
  for (std::uint32_t t = 0; t < claim.covering.threads.size(); ++t)
    for (std::uint32_t p = 0; p < claim.covering.threads[t].places.size(); ++p) {
      claim.proof.is_out[t][p] = claim.proof.is_cut[t][p] = true;
      claim.proof.invariants.push_back({{{ThreadIndex(t), p}}, term::constant(false)});
    }
  expect_refuted("at the beginning");
}

}  // namespace
}  // namespace heddle::check::race_freedom_test
