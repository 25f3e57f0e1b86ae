/// Evidence that threads do not wait for each other for ever: what is proved and confirmed, and
/// that forgeries are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "engine/compositional/no_waiting.hpp"
#include "support/c_sources.hpp"

namespace heddle::check::deadlock_freedom_test {
namespace {

using answer::DeadlockFreedom;
using answer::EvidenceStatus;

model::CTask deadlock_task(model::c::Program program) {
  return {std::move(program), {{model::EntryCall()}, {model::c::Property::NoDeadlock}, {}}};
}

answer::CheckResult judge_deadlocks(const model::CTask& task, const DeadlockFreedom& claim) {
  base::RunContext context;
  return check(task, answer::Safe{claim}, context);
}

std::optional<DeadlockFreedom> freedom_of(const model::CTask& task) {
  base::RunContext context;
  return engine::compositional::prove_deadlock_freedom(task.model, context).proof;
}

const std::string kPreamble = R"(#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
pthread_barrier_t b;
sem_t s;
int g, full, count;
)";
const std::string kM = "pthread_mutex_lock(&m); ", kN = "pthread_mutex_lock(&n); ";
const std::string kEndM = "pthread_mutex_unlock(&m); ", kEndN = "pthread_mutex_unlock(&n); ";

/// Two threads that main joins.
std::string two(const std::string& first, const std::string& second,
                const std::string& before = "") {
  return kPreamble + "void *f(void *p) { " + first + " return 0; }\nvoid *h(void *p) { " + second +
         " return 0; }\nint main(void) { pthread_t t, u; g = __VERIFIER_nondet_int(); " + before +
         " pthread_create(&t, 0, f, 0); pthread_create(&u, 0, h, 0); pthread_join(t, 0); "
         "pthread_join(u, 0); return 0; }\n";
}

/// Any number of each, and at least one, of which main joins one.
std::string any_number(const std::string& first, const std::string& second) {
  return kPreamble + "void *f(void *p) { " + first + " return 0; }\nvoid *h(void *p) { " + second +
         " return 0; }\nint main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); "
         "pthread_create(&u, 0, h, 0); while (__VERIFIER_nondet_int()) { pthread_create(&t, 0, f, "
         "0); pthread_create(&u, 0, h, 0); } pthread_join(t, 0); pthread_exit(0); }\n";
}

struct DeadlockRow {
  const char* name;
  std::string text;
  bool is_proved;
};

class NoDeadlock : public testing::TestWithParam<DeadlockRow> {};
TEST_P(NoDeadlock, IsProvedAndConfirmedOrNot) {
  const model::CTask task = deadlock_task(test::c_program(GetParam().text));
  const auto proof = freedom_of(task);
  ASSERT_EQ(proof.has_value(), GetParam().is_proved);
  if (!proof) return;
  const auto result = judge_deadlocks(task, *proof);
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
}

const std::string kMThenN = kM + kN + kEndN + kEndM, kNThenM = kN + kM + kEndM + kEndN;
const std::string kWaitForG = kM + "while (!g) pthread_cond_wait(&c, &m); " + kEndM;
const std::string kSetG = kM + "g = 1; pthread_cond_signal(&c); " + kEndM;
const std::string kNotG = "g = 0;";

std::string in_a_loop(const std::string& body) { return "for (;;) { " + body + " }"; }

INSTANTIATE_TEST_SUITE_P(
    Mutexes, NoDeadlock,
    testing::Values(
        DeadlockRow{"OneOrder", two(in_a_loop(kMThenN), in_a_loop(kMThenN)), true},
        DeadlockRow{"TwoOrders", two(kMThenN, kNThenM), false},
        DeadlockRow{
            "TwoOrdersBehindAGate",
            "#include <pthread.h>\nstatic pthread_mutex_t gate = "
            "PTHREAD_MUTEX_INITIALIZER;\n" +
                two("pthread_mutex_lock(&gate); " + kMThenN + "pthread_mutex_unlock(&gate);",
                    "pthread_mutex_lock(&gate); " + kNThenM + "pthread_mutex_unlock(&gate);"),
            true},
        DeadlockRow{"NotGivenBack", two(kM + "if (g) " + kEndM, kM + kEndM), false},
        DeadlockRow{"TakenTwice", two(kM + kM, ""), false},
        DeadlockRow{"JoinUnderTheMutex", two(kM + kEndM, "", kM), false},
        DeadlockRow{"AnyNumber", any_number(in_a_loop(kMThenN), kMThenN), true},
        DeadlockRow{"AnyNumberInTwoOrders", any_number(kMThenN, kNThenM), false},
        DeadlockRow{"AnyNumberThatForget", any_number(kM + "if (g) " + kEndM, kSetG), false}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Conditions, NoDeadlock,
    testing::Values(
        DeadlockRow{"Signal", two(kSetG, kWaitForG, kNotG), true},
        DeadlockRow{"SignalBehindTheSection",
                    two(kM + "g = 1; " + kEndM + "pthread_cond_signal(&c);", kWaitForG, kNotG),
                    true},
        DeadlockRow{"NoSignal", two(kM + "g = 1; " + kEndM, kWaitForG, kNotG), false},
        DeadlockRow{"SignalWithoutTheMutex",
                    two("g = 1; pthread_cond_signal(&c);", kWaitForG, kNotG), false},
        DeadlockRow{"OneSignalForTwo",
                    two(kSetG, kWaitForG, "pthread_t v; pthread_create(&v, 0, h, 0); " + kNotG),
                    false},
        DeadlockRow{"BroadcastForTwo",
                    two(kM + "g = 1; pthread_cond_broadcast(&c); " + kEndM, kWaitForG,
                        "pthread_t v; pthread_create(&v, 0, h, 0); " + kNotG),
                    true},
        DeadlockRow{"AnotherConditionVariable",
                    two(kM + "g = 1; pthread_cond_signal(&d); " + kEndM, kWaitForG, kNotG), false},
        DeadlockRow{"OneCell",
                    two(in_a_loop(kM +
                                  "while (full) pthread_cond_wait(&c, &m); full = 1; "
                                  "pthread_cond_signal(&d); " +
                                  kEndM),
                        in_a_loop(kM +
                                  "while (!full) pthread_cond_wait(&d, &m); full = 0; "
                                  "pthread_cond_signal(&c); " +
                                  kEndM)),
                    true},
        DeadlockRow{"AQueueOfAnyNumber",
                    any_number(in_a_loop(kM +
                                         "while (count == 10) pthread_cond_wait(&c, &m); "
                                         "count++; pthread_cond_broadcast(&d); " +
                                         kEndM),
                               in_a_loop(kM +
                                         "while (count == 0) pthread_cond_wait(&d, &m); "
                                         "count--; pthread_cond_broadcast(&c); " +
                                         kEndM)),
                    true}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    BarriersAndSemaphores, NoDeadlock,
    testing::Values(
        DeadlockRow{"Barrier",
                    two("pthread_barrier_wait(&b);", "pthread_barrier_wait(&b);",
                        "pthread_barrier_init(&b, 0, 2);"),
                    true},
        DeadlockRow{"BarrierForThree",
                    two("pthread_barrier_wait(&b);", "pthread_barrier_wait(&b);",
                        "pthread_barrier_init(&b, 0, 3);"),
                    false},
        DeadlockRow{"Posted", two("sem_post(&s);", "sem_wait(&s);", "sem_init(&s, 0, 0);"), true},
        DeadlockRow{"PostedSometimes",
                    two("if (g) sem_post(&s);", "sem_wait(&s);", "sem_init(&s, 0, 0);"), false}),
    [](const auto& row) { return row.param.name; });

// ---- forgeries

class ForgedDeadlockFreedom : public testing::Test {
 protected:
  static DeadlockFreedom freedom_or_fail(const model::CTask& of) {
    auto proof = freedom_of(of);
    if (!proof) throw std::runtime_error("no proof");
    return std::move(*proof);
  }
  EvidenceStatus status_of(const DeadlockFreedom& forged) const {
    return judge_deadlocks(task, forged).status;
  }

  const std::string right = two(kSetG, kWaitForG, kNotG);
  model::CTask task = deadlock_task(test::c_program(right));
  DeadlockFreedom claim = freedom_or_fail(task);
};

TEST_F(ForgedDeadlockFreedom, TheGenuineOneIsConfirmedAndReadBack) {
  EXPECT_EQ(status_of(claim), EvidenceStatus::Confirmed);
  ASSERT_FALSE(claim.monitors.empty());
  const answer::Verdict verdict = answer::Safe{claim};
  const auto read = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                              model::kind_of(model::AnyTask(task)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, verdict);
}

TEST_F(ForgedDeadlockFreedom, WithoutMonitors) {
  claim.monitors.clear();
  EXPECT_EQ(status_of(claim), EvidenceStatus::NotChecked);
}

TEST_F(ForgedDeadlockFreedom, AMonitorThatDoesNotHold) {
  for (auto& monitor : claim.monitors) monitor.holds = {term::constant(false)};
  EXPECT_EQ(status_of(claim), EvidenceStatus::NotChecked);
}

TEST_F(ForgedDeadlockFreedom, AMonitorOverWhatIsNoGlobal) {
  claim.monitors.front().holds = {term::variable("nobody", term::Sort::Boolean)};
  EXPECT_EQ(status_of(claim), EvidenceStatus::Refuted);
  claim.monitors.front().holds = {term::constant(base::Integer(1))};
  EXPECT_EQ(status_of(claim), EvidenceStatus::Refuted);
}

TEST_F(ForgedDeadlockFreedom, AFalseInvariantOfAThreadThatHasEnded) {
  bool has_one = false;
  for (auto& invariant : claim.proof.invariants) {
    const auto [thread, point] = invariant.at.front();
    if (claim.covering.threads[thread.index()].places[point].kind !=
        model::threads::PointInfo::Kind::End)
      continue;
    has_one = true;
    invariant.formula = term::constant(false);
  }
  ASSERT_TRUE(has_one);
  EXPECT_EQ(status_of(claim), EvidenceStatus::Refuted);
}

TEST_F(ForgedDeadlockFreedom, ALemmaThatIsFalse) {
  claim.proof.lemma = term::constant(false);
  EXPECT_EQ(status_of(claim), EvidenceStatus::Refuted);
}

TEST_F(ForgedDeadlockFreedom, EvidenceOfANeighbour) {
  for (const std::string& wrong :
       {two(kM + "g = 1; " + kEndM, kWaitForG, kNotG),
        two(kM + "g = 0; pthread_cond_signal(&c); " + kEndM, kWaitForG, kNotG)}) {
    const auto result = judge_deadlocks(deadlock_task(test::c_program(wrong)), claim);
    EXPECT_NE(result.status, EvidenceStatus::Confirmed);
  }
  model::CTask other = task;
  other.question.targets = {model::c::Property::Termination};
  EXPECT_EQ(judge_deadlocks(other, claim).status, EvidenceStatus::Refuted);
}

}  // namespace
}  // namespace heddle::check::deadlock_freedom_test
