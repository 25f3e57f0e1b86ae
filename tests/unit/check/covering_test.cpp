/// Evidence of `compositional` on its way from the engine to the checker: what is confirmed, and
/// that forged coverings are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "check/check.hpp"
#include "engine/compositional/compositional.hpp"
#include "support/c_sources.hpp"
#include "transform/c_threads/threads_of_c.hpp"

namespace heddle::check::covering_test {
namespace {

using answer::EvidenceStatus;
using model::threads::Covering;

model::CTask task_of(model::c::Program program) {
  return {std::move(program), {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

answer::ThreadInvariants evidence_for(const model::c::Program& program) {
  base::RunContext context;
  auto result = engine::compositional::prove(program, {}, context);
  if (!result.proof) throw std::runtime_error("no proof: " + result.why);
  return {result.prepared->covering, *result.proof};
}

answer::CheckResult judge(const model::CTask& task, const answer::ThreadInvariants& claim) {
  base::RunContext context;
  return check(task, answer::Safe{claim}, context);
}

const std::string kHead = "#include <assert.h>\n#include <pthread.h>\n";

/// Two threads add under a lock; one of them is created in `main` and joined.
const std::string kCounting = kHead + R"(
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  pthread_mutex_lock(&m);
  x++; y++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(x == y);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(x == 1);
}
)";

class ForgedCoverings : public testing::Test {
 protected:
  void SetUp() override {
    claim = evidence_for(task.model);
    ASSERT_EQ(judge(task, claim).status, EvidenceStatus::Confirmed) << judge(task, claim).why;
  }

  void expect_refuted(const std::string& why) const {
    const answer::CheckResult result = judge(task, claim);
    EXPECT_EQ(result.status, EvidenceStatus::Refuted) << result.why;
    EXPECT_NE(result.why.find(why), std::string::npos) << result.why;
  }

  Covering::Cell& cell_of(const std::string& name) {
    for (Covering::Cell& cell : claim.covering.cells)
      if (cell.variable && claim.covering.variables[*cell.variable].symbol == name) return cell;
    throw std::runtime_error("no cell " + name);
  }

  model::CTask task = task_of(test::c_program(kCounting));
  answer::ThreadInvariants claim;
};

TEST_F(ForgedCoverings, SurviveAJourneyThroughJson) {
  const answer::Verdict verdict = answer::Safe{claim};
  const auto read = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                              model::kind_of(model::AnyTask(task)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, verdict);
}

TEST_F(ForgedCoverings, FormulasThatAreTooDeep) {
  nlohmann::json document = answer::verdict_to_json(answer::Safe{claim});
  auto& terms = document["certificate"]["terms"];
  const std::size_t first = terms.size();
  terms.push_back({"boolean", "b"});
  for (int i = 0; i < 6000; ++i) terms.push_back({"implies", terms.size() - 1, first});
  document["certificate"]["lemma"] = terms.size() - 1;
  const auto read = answer::verdict_from_json(document, model::kind_of(model::AnyTask(task)));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("nested too deeply"), std::string::npos) << read.error();
}

TEST_F(ForgedCoverings, AVariableThatIsSharedAsALocal) {
  Covering::Cell& x = cell_of("x");
  claim.covering.variables[*x.variable].owner = 0;
  expect_refuted("a local of another thread");
}

TEST_F(ForgedCoverings, AVariableThatIsWrittenAsAConstant) {
  Covering::Cell& x = cell_of("x");
  x.is_constant = true;
  expect_refuted("listed as constant");
}

TEST_F(ForgedCoverings, AThreadThatIsNotTheOne) {
  claim.covering.threads[1].start = task.model.entry;
  expect_refuted("a thread's root");
}

TEST_F(ForgedCoverings, APlaceElsewhere) {
  for (auto& place : claim.covering.threads[1].places)
    if (place.at.value == 2) place.at = model::c::Location(3u);
  expect_refuted("leads to a place that is not listed");
}

TEST_F(ForgedCoverings, APointerThatPointsNowhere) {
  bool is_changed = false;
  for (auto& r : claim.covering.registers) {
    is_changed |= !r.content.objects.empty();
    r.content.objects.clear();
  }
  ASSERT_TRUE(is_changed);
  expect_refuted("not listed");
}

TEST_F(ForgedCoverings, OneVariableForTwoCells) {
  cell_of("y").variable = cell_of("x").variable;
  expect_refuted("stands for two things");
}

TEST_F(ForgedCoverings, ObjectsThatOverlap) {
  claim.covering.objects[1].base = claim.covering.objects[0].base;
  expect_refuted("overlap");
}

TEST_F(ForgedCoverings, NamesThatFormulasUseForOtherThings) {
  claim.covering.variables[*cell_of("x").variable].symbol = "x!o";
  expect_refuted("the name of a variable");
}

TEST_F(ForgedCoverings, AnotherProperty) {
  task.question.targets = {model::c::Property::NoDataRace};
  expect_refuted("reachability");
}

/// The proof of a program says nothing about its broken sister.
class BrokenSisters : public testing::TestWithParam<const char*> {};
TEST_P(BrokenSisters, AreNotProvedByIt) {
  const std::string name = GetParam();
  const answer::ThreadInvariants claim = evidence_for(test::c_example(name));
  EXPECT_EQ(judge(task_of(test::c_example(name)), claim).status, EvidenceStatus::Confirmed);
  EXPECT_EQ(judge(task_of(test::c_example(name + "-broken")), claim).status,
            EvidenceStatus::Refuted);
}
INSTANTIATE_TEST_SUITE_P(ForgedCoverings, BrokenSisters,
                         testing::Values("counter", "two-stage", "wait-for-signal",
                                         "lazy-initialisation"));

/// A thread that is created twice cannot stand for one.
TEST(Coverings, ThreadsThatAreCreatedOftenAreMany) {
  const std::string text = kHead + R"(
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  pthread_mutex_lock(&m);
  x = 1; assert(x == 1); x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
}
)";
  const model::CTask task = task_of(test::c_program(text));
  answer::ThreadInvariants claim = evidence_for(task.model);
  ASSERT_EQ(judge(task, claim).status, EvidenceStatus::Confirmed) << judge(task, claim).why;
  ASSERT_TRUE(claim.covering.threads[1].is_replicated);
  claim.covering.threads[1].is_replicated = false;
  claim.covering.threads[1].self.reset();
  EXPECT_EQ(judge(task, claim).status, EvidenceStatus::Refuted);
}

/// The kinds of mutexes are four numbers. Another one with the same remainder let a recursive mutex
/// be taken for one that its owner cannot lock again.
TEST(Coverings, AKindOfMutexThatThereIsNot) {
  const std::string rest = R"( int x;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(x == 1); }
)";
  const std::string head = "#define _GNU_SOURCE\n" + kHead + "pthread_mutex_t m = ";
  answer::ThreadInvariants claim =
      evidence_for(test::c_program(head + "PTHREAD_MUTEX_INITIALIZER;" + rest));
  ASSERT_EQ(claim.covering.mutexes.size(), 1U);
  claim.covering.mutexes[0].kind = 4;
  claim.covering.mutexes[0].depth = static_cast<std::uint32_t>(claim.covering.variables.size());
  claim.covering.variables.push_back({"depth", "depth", std::nullopt});
  const model::CTask recursive =
      task_of(test::c_program(head + "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;" + rest));
  const answer::CheckResult result = judge(recursive, claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_EQ(result.why, "the covering: the kind of a mutex");
}

/// What a thread knows at its creation has to stay true: here `main` changes it afterwards.
TEST(Coverings, AConstantThatChangesBehindTheCreation) {
  const model::CTask task = task_of(test::c_program(kHead + R"(
int slots[2];
void *work(void *index) { int i = *(int *)index; slots[i] = 1; return 0; }
int main(void) {
  pthread_t t;
  int where = 0;
  pthread_create(&t, 0, work, &where);
  where = 1;
  pthread_join(t, 0);
  assert(slots[0] <= 1);
}
)"));
  answer::ThreadInvariants claim = evidence_for(task.model);
  ASSERT_EQ(judge(task, claim).status, EvidenceStatus::Confirmed) << judge(task, claim).why;
  const auto& of_main = claim.covering.threads[0].places;
  const auto creating = std::ranges::find_if(of_main, [](const auto& p) { return p.creates; });
  ASSERT_NE(creating, of_main.end());
  const auto where = std::ranges::find_if(creating->constants, &Covering::Constant::is_cell);
  ASSERT_NE(where, creating->constants.end());
  Covering::Thread& work = claim.covering.threads[1];
  EXPECT_TRUE(
      std::ranges::none_of(work.places[work.entry].constants, &Covering::Constant::is_cell));
  work.places[work.entry].constants.insert(work.places[work.entry].constants.begin(), *where);
  const answer::CheckResult result = judge(task, claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_EQ(result.why, "the covering: a cell that is not constant");
}

/// How often a mutex is locked does not matter where nobody unlocks it: the engine leaves it out.
TEST(Coverings, ADepthThatDoesNotMatter) {
  const model::CTask task = task_of(test::c_program(
      "#define _GNU_SOURCE\n" + kHead +
      "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int x;\n"
      "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(x == 0); }\n"));
  const answer::CheckResult result = judge(task, evidence_for(task.model));
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
}

/// What the engine leaves to data is no reason to object.
class ConfirmedPrograms : public testing::TestWithParam<const char*> {};
TEST_P(ConfirmedPrograms, AreConfirmed) {
  const model::CTask task = task_of(test::c_program(
      "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n" + kHead + GetParam()));
  const answer::CheckResult result = judge(task, evidence_for(task.model));
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
}
INSTANTIATE_TEST_SUITE_P(
    Coverings, ConfirmedPrograms,
    testing::Values(
        // An argument that is not known.
        "void *work(void *a) { assert((long)a != 0); return 0; }\n"
        "int main(void) { long i = __VERIFIER_nondet_int(); pthread_t t;\n"
        "  if (i != 0) pthread_create(&t, 0, work, (void *)i); }\n",
        // A handle in an object of unknown size.
        "int x; void *work(void *a) { x = 1; return 0; }\n"
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0;\n"
        "  pthread_t *t = malloc(n * sizeof(pthread_t)); pthread_create(t, 0, work, 0);\n"
        "  assert(x == 0 || x == 1); }\n",
        // A program that ends with a call that does not return.
        "int x; void *work(void *a) { x = 1; return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
        "  assert(x == 0 || x == 1); pthread_exit(0); }\n",
        // Indices in the stack of main: one for each thread, which stays as it is.
        "int slots[2]; void *work(void *i) { slots[*(int *)i] = 1; return 0; }\n"
        "int main(void) { pthread_t t[2]; int seats[2];\n"
        "  for (int i = 0; i < 2; i++) { seats[i] = i; pthread_create(&t[i], 0, work, &seats[i]); "
        "}\n"
        "  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n"
        "  assert(slots[0] == 1 && slots[1] == 1); }\n",
        // The address of a variable that every thread has, where there are many.
        "_Thread_local int v; int *p, x; void *work(void *a) { p = &v; assert(x == 0); return 0; "
        "}\n"
        "int main(void) { pthread_t t;\n"
        "  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0); }\n"));

/// What is stored in an object of unknown size is stored.
TEST(Coverings, ThreadsWithHandlesInObjectsOfUnknownSizeAreCreated) {
  const auto program = test::c_program(
      "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n" + kHead +
      "int x; void *work(void *a) { x = 1; return 0; }\n"
      "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0;\n"
      "  pthread_t *t = malloc(n * sizeof(pthread_t)); pthread_create(t, 0, work, 0);\n"
      "  assert(x == 0); }\n");
  base::RunContext context;
  const auto result = engine::compositional::prove(program, {}, context);
  EXPECT_EQ(result.answer, engine::compositional::CompositionalResult::Answer::Unsafe)
      << result.why;
}

/// The variables of threads of which there are many have one invented address, and many real ones.
TEST(Coverings, AddressesOfManyThreadsSayNothing) {
  const std::string text = kHead + R"(
int *p;
void *work(void *unused) {
  int local;
  if (p) assert(p == &local); else p = &local;
  return 0;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
}
)";
  const model::c::Program program = test::c_program(text);
  const auto covered = transform::c_threads::cover(program);
  ASSERT_TRUE(covered) << covered.error().why;
  Covering covering = covered->covering;
  ASSERT_TRUE(covering.threads[1].is_replicated);
  for (Covering::Object& object : covering.objects)
    if (object.kind == Covering::Object::Kind::Stack && object.thread == 1) {
      object.is_blurred = true;
      object.is_summary = false;
      object.size = 4;
    }
  const auto made = c::covered_program(program, covering);
  const auto chooses_truth = [](const model::threads::Transition& t) {
    return std::ranges::any_of(
        t.inputs, [](const auto& input) { return input.term.sort() == term::Sort::Boolean; });
  };
  EXPECT_TRUE(std::ranges::any_of(made.threads[1].transitions, chooses_truth));
}

/// An invented address at the end of the numbers would reach around to 0.
TEST(Coverings, AnAddressBeforeZero) {
  const std::string text = kHead + R"(
int a[2], *p;
int main(void) { p = a; p = p + 1; if (p == (int *)0) assert(0); }
)";
  answer::ThreadInvariants claim = evidence_for(test::c_program(text));
  const auto array =
      std::ranges::find_if(claim.covering.objects, [&](const Covering::Object& object) {
        return test::c_program(text).globals[object.global].name == "a";
      });
  ASSERT_NE(array, claim.covering.objects.end());
  array->base = std::uint64_t{0} - 4;
  std::string broken = text;
  broken.replace(broken.find("=="), 2, "!=");
  const answer::CheckResult result = judge(task_of(test::c_program(broken)), claim);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_EQ(result.why, "the covering: the address of an object");
}

/// The distance from an address to the sum of two is the number of an address, which is invented.
TEST(Coverings, SumsOfAddressesSayNothing) {
  const model::c::Program program = test::c_program(kHead + R"(
unsigned long p, sum, distance;
int main(void) { p = (unsigned long)&p; sum = p + p; distance = sum - p; assert(distance != 7); }
)");
  const auto covered = transform::c_threads::cover(program);
  ASSERT_TRUE(covered) << covered.error().why;
  const auto made = c::covered_program(program, covered->covering);
  EXPECT_TRUE(std::ranges::any_of(made.threads[0].transitions,
                                  [](const auto& t) { return !t.inputs.empty(); }));
}

/// What is read the second time is another word, also where a loop needs no cut because it is known
/// how often it is taken.
TEST(Coverings, InputsOfALoopDiffer) {
  const std::string text = kHead + R"(
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int a = 0, b = 0;
  for (int i = 0; i < 2; i++) {
    int x = __VERIFIER_nondet_int();
    if (x != 7) __VERIFIER_assume(x == 7);
    if (i == 0) a = x; else b = x;
  }
  assert(a == b);
}
)";
  answer::ThreadInvariants claim = evidence_for(test::c_program(text));
  auto& [covering, proof] = claim;
  const auto is_inner = [&](std::uint32_t p) { return proof.is_cut[0][p] && !proof.is_out[0][p]; };
  std::erase_if(proof.invariants, [&](const auto& i) { return is_inner(i.at[0].second); });
  ASSERT_NE(proof.is_cut, proof.is_out);
  proof.is_cut = proof.is_out;
  // Points that nothing leads to: the length of a path is limited by the number of points.
  auto& places = covering.threads[0].places;
  for (std::uint32_t p = 0, end = static_cast<std::uint32_t>(places.size()); p < end; ++p) {
    if (places[p].kind != model::threads::PointInfo::Kind::Ordinary) continue;
    for (const auto kind : {model::threads::PointInfo::Kind::Overflow,
                            model::threads::PointInfo::Kind::Unsupported}) {
      places.push_back(places[p]);
      places.back().kind = kind;
      places.back().origin = p;
      proof.is_cut[0].push_back(true);
      proof.is_out[0].push_back(true);
      proof.facts[0].push_back(term::constant(true));
    }
  }
  EXPECT_EQ(judge(task_of(test::c_program(text)), claim).status, EvidenceStatus::Confirmed);
  std::string broken = text;
  broken.replace(broken.find("x == 7"), 6, "x == 8");
  EXPECT_EQ(judge(task_of(test::c_program(broken)), claim).status, EvidenceStatus::Refuted);
}

/// A thread that creates another one of its kind may give it an address of its own variables, which
/// is not one of that one's.
TEST(Coverings, VariablesThatAreGivenToOneOfTheSameKind) {
  const auto text = [](const std::string& start, const std::string& argument) {
    return kHead + R"(
int g;
void *nothing(void *a) { return 0; }
static int value(int *p) { return *p; }
void *work(void *a) {
  int local = 0;
  if (a) { *(int *)a = 1; return 0; }
  pthread_create(0, 0, )" +
           start + ", " + argument + R"();
  assert(value(&local) != 1);
  return 0;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  nothing(0);
  while (1) pthread_create(0, 0, work, __VERIFIER_nondet_int() ? &g : 0);
}
)";
  };
  const model::c::Program harmless = test::c_program(text("nothing", "0"));
  const auto covered = transform::c_threads::cover(harmless);
  ASSERT_TRUE(covered) << covered.error().why;
  Covering covering = covered->covering;
  ASSERT_TRUE(covering.threads[1].is_replicated);
  ASSERT_EQ(harmless.functions[covering.threads[1].start.index()].name, "work");
  for (auto& place : covering.threads[1].places)
    if (place.creates) place.creates = 1;
  for (std::uint32_t o = 0; o < covering.objects.size(); ++o) {
    if (covering.objects[o].kind != Covering::Object::Kind::Stack) continue;
    ASSERT_FALSE(covering.objects[o].is_blurred);
    for (auto& r : covering.registers)
      if (r.context == covering.threads[1].root && r.reg == 0) {
        r.content.objects.push_back(o);
        std::ranges::sort(r.content.objects);
      }
  }
  try {
    c::covered_program(test::c_program(text("work", "&local")), covering);
    ADD_FAILURE() << "nothing is objected to";
  } catch (const c::Objection& objection) {
    EXPECT_NE(objection.why.find("may give an object"), std::string::npos) << objection.why;
  }
}

/// A lock made by hand.
const std::string kByHand = kHead + R"(
extern void __VERIFIER_assume(int);
int m, x;
void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(m == 0); m = 1; }
void __VERIFIER_atomic_release(void) { __VERIFIER_assume(m == 1); m = 0; }
void *work(void *unused) {
  __VERIFIER_atomic_acquire();
  x = 1; assert(x == 1); x = 0;
  __VERIFIER_atomic_release();
  return 0;
}
int main(void) {
  pthread_t id;
  while (1) pthread_create(&id, 0, work, 0);
}
)";

class ForgedLocks : public ForgedCoverings {
 protected:
  void SetUp() override {
    task = task_of(test::c_program(kByHand));
    ForgedCoverings::SetUp();
    lock = &cell_of("m");
    ASSERT_EQ(lock->lock_value, 1U);
  }
  Covering::Cell* lock = nullptr;
};

TEST_F(ForgedLocks, AnotherValue) {
  lock->lock_value = 2;
  expect_refuted("a lock gets another value");
}

TEST_F(ForgedLocks, NoValue) {
  lock->lock_value = 0;
  expect_refuted("a lock");
}

TEST_F(ForgedLocks, ACellThatIsNotOne) {
  lock->lock_value.reset();
  EXPECT_EQ(judge(task, claim).status, EvidenceStatus::Refuted);
}

TEST_F(ForgedLocks, ACellWithOtherValues) {
  cell_of("x").lock_value = 2;
  expect_refuted("a lock gets another value");
}

/// Without the test, nothing is mutual.
TEST_F(ForgedLocks, TheProofOfAnotherProgram) {
  std::string text = kByHand;
  text.replace(text.find("__VERIFIER_assume(m == 0);"), 26, "__VERIFIER_assume(m == m);");
  EXPECT_EQ(judge(task_of(test::c_program(text)), claim).status, EvidenceStatus::Refuted);
}

/// More mutexes than are told apart, taken by a computed index; one of them also by its name.
const std::string kMixed = kHead + R"(
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t locks[100], m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *unused) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 99) i = 0;
  pthread_mutex_lock(&locks[i]);
  pthread_mutex_lock(&m);
  x = 1; assert(x == 1); x = 0;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&locks[i]);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&locks[0]);
}
)";

class ForgedMixedMutexes : public ForgedCoverings {
 protected:
  void SetUp() override {
    task = task_of(test::c_program(kMixed));
    ForgedCoverings::SetUp();
    auto& mutexes = claim.covering.mutexes;
    const auto found = std::ranges::find_if(mutexes, &Covering::Mutex::is_broken);
    ASSERT_NE(found, mutexes.end());
    named = &*found;
    ASSERT_TRUE(claim.covering.objects[named->object].is_blurred);
  }

  Covering::Mutex* named = nullptr;  ///< the one that `main` takes
};

/// If it excluded anybody, taking one by a computed index would have to respect that.
TEST_F(ForgedMixedMutexes, OneThatExcludes) {
  named->is_broken = false;
  EXPECT_NE(judge(task, claim).status, EvidenceStatus::Confirmed);
}

/// Then what the bytes of a mutex say would be known.
TEST_F(ForgedMixedMutexes, InAnObjectThatIsNotBlurred) {
  claim.covering.objects[named->object].is_blurred = false;
  EXPECT_NE(judge(task, claim).status, EvidenceStatus::Confirmed);
}

TEST_F(ForgedMixedMutexes, OneThatIsNotListed) {
  claim.covering.mutexes.erase(claim.covering.mutexes.begin() +
                               (named - claim.covering.mutexes.data()));
  expect_refuted("a mutex that is not listed");
}

/// The mutex that protects x is made one of those that exclude nobody.
TEST_F(ForgedMixedMutexes, TheProofOfAnotherProgram) {
  std::string text = kMixed;
  const std::string taken = "pthread_mutex_lock(&m);\n  x = 1;";
  text.replace(text.find(taken), taken.size(), "pthread_mutex_lock(&locks[1]);\n  x = 1;");
  const std::string given = "pthread_mutex_unlock(&m);\n  pthread_mutex_unlock(&locks[i]);";
  text.replace(text.find(given), given.size(),
               "pthread_mutex_unlock(&locks[1]);\n  pthread_mutex_unlock(&locks[i]);");
  EXPECT_NE(judge(task_of(test::c_program(text)), claim).status, EvidenceStatus::Confirmed);
}

/// A mutex that is new is free, whoever held its predecessor at the same address.
TEST(Coverings, MutexesOfCallsAreNewEachTime) {
  const std::string text = kHead + R"(
void work(int i) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  assert(i != 1);
}
int main(void) { work(0); work(1); }
)";
  base::RunContext context;
  const auto result = engine::compositional::prove(test::c_program(text), {}, context);
  EXPECT_EQ(result.answer, engine::compositional::CompositionalResult::Answer::Unsafe)
      << result.why;
}

}  // namespace
}  // namespace heddle::check::covering_test
