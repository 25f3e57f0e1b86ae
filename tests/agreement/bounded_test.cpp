/// Random C programs through `bounded` and `explore`: one finds a violation if and only if the
/// other does, a bound on contexts that covers the run of one is enough for both, and what
/// `bounded` claims up to a bound is what the checker finds by its search.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/bounded/deepening.hpp"
#include "engine/explore/explore.hpp"
#include "model/c/run_rounds.hpp"
#include "support/c_program_builder.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::bounded_test {
namespace {

using engine::bounded::deepen;
using engine::bounded::Found;
using engine::explore::ExploreVerdict;
using model::c::Property;

TEST(RandomCPrograms, FailWithinBoundsIfTheyFail) {
  unsigned failing = 0, decided = 0;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(63'000'000 + i);
    const model::CTask task = random_c_task(random);
    base::RunContext exploring, solving;
    const auto truth = engine::explore::explore(task.model, Property::Reach, {}, exploring);
    if (truth.verdict == ExploreVerdict::Unknown) continue;
    ++decided;
    const bool fails = truth.verdict == ExploreVerdict::Unsafe;
    const Found found = deepen(task.model, Property::Reach, std::nullopt, solving);
    EXPECT_EQ(found.run.has_value(), fails) << found.why << "\n" << task_text(task);
    if (!fails) continue;
    ++failing;
    const std::uint32_t rounds = rounds_of(*truth.run);
    base::RunContext within;
    const Found again = deepen(task.model, Property::Reach, rounds, within);
    EXPECT_TRUE(again.run) << rounds << " rounds: " << again.why << "\n" << task_text(task);
    EXPECT_LE(again.run ? rounds_of(*again.run) : 0, rounds);
  }
  EXPECT_GE(failing, cases / 10);
  EXPECT_GE(decided - failing, cases / 10);
}

// ---- Other properties

/// How often programs had a violation, and how often they had none.
struct Counts {
  unsigned violating = 0, safe = 0;
};

/// Both find a violation, whose run can be executed, or neither does.
void compare(const model::CTask& task, Counts& counts) {
  const Property property = task.question.targets.front();
  base::RunContext exploring, solving;
  const auto truth = engine::explore::explore(task.model, property, {}, exploring);
  if (truth.verdict == ExploreVerdict::Unknown) return;
  const bool violates = truth.verdict == ExploreVerdict::Unsafe;
  ++(violates ? counts.violating : counts.safe);
  const Found found = deepen(task.model, property, std::nullopt, solving);
  EXPECT_EQ(found.run.has_value(), violates) << found.why << "\n" << task_text(task);
  EXPECT_FALSE(violates && found.is_safe) << task_text(task);
  if (!found.run) return;
  const model::c::Interpreter interpreter(task.model);
  EXPECT_EQ(refute(interpreter, *found.run), std::nullopt) << task_text(task);
}

TEST(RandomCPrograms, RaceWithinBoundsIfTheyRace) {
  Counts counts;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(64'000'000 + i);
    compare(random_race_task(random), counts);
  }
  EXPECT_GE(counts.violating, cases / 10);
  EXPECT_GE(counts.safe, cases / 10);
}

namespace build = testing::c;
using model::c::Effect;
using model::c::Operator;
using model::c::SyncOperation;

constexpr std::uint32_t kPointer = 0, kHandle = 1, kHeapMutex = 2;

/// Accesses the object that the global points to, within it or behind it, or frees it.
void add_use(std::vector<Effect>& code, Random& random) {
  const bool locks = random.one_in(3);
  const bool is_whole = !locks && random.one_in(4);
  if (locks) code.push_back(build::sync(SyncOperation::MutexLock, {build::global(kHeapMutex)}));
  if (is_whole) code.push_back(build::sync(SyncOperation::AtomicBegin));
  code.push_back(build::load(1, build::global(kPointer), 8));
  const std::uint64_t offset = random.one_in(8) ? 8 : random.one_in(2) ? 4 : 0;
  code.push_back(build::binary(2, Operator::Add, build::reg(1), build::num(offset), 64));
  if (random.one_in(6))
    code.push_back(model::c::Free{build::reg(1)});
  else if (random.one_in(2))
    code.push_back(build::load(3, build::reg(2)));
  else
    code.push_back(build::store(build::reg(2), build::num(random.below(3))));
  if (is_whole) code.push_back(build::sync(SyncOperation::AtomicEnd));
  if (locks) code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kHeapMutex)}));
}

/// Main allocates an object; one or two threads use it; main may join them, and uses it, too.
model::CTask random_heap_task(Random& random, Property property) {
  build::Built built;
  built.add_global("p", 8);
  built.add_global("t", 8);
  built.add_global("m", 40);
  const unsigned threads = random.between(1, 2);
  std::vector<Effect> main;
  main.push_back(model::c::Allocate{build::to(4), model::c::Allocate::Where::Heap, build::num(8),
                                    true, std::nullopt, ""});
  main.push_back(build::store(build::global(kPointer), build::reg(4), 8));
  for (unsigned i = 0; i < threads; ++i)
    main.push_back(build::sync(SyncOperation::CreateThread,
                               {build::global(kHandle), build::function(1 + i), build::num(0)}));
  if (random.one_in(2)) add_use(main, random);
  if (!random.one_in(4)) {
    main.push_back(build::load(5, build::global(kHandle), 8));
    main.push_back(build::sync(SyncOperation::JoinThread, {build::reg(5), build::num(0)}));
  }
  add_use(main, random);
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Effect> code;
    add_use(code, random);
    code.push_back(build::ret());
    built.add_function("worker", std::move(code), 1);
  }
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {property}, {}}};
}

TEST(RandomCPrograms, UseFreedMemoryWithinBoundsIfTheyDo) {
  for (const Property property : {Property::Memory, Property::NoDataRace}) {
    Counts counts;
    const unsigned cases = random_cases(30);
    for (unsigned i = 0; i < cases; ++i) {
      Random random(65'000'000 + i);
      compare(random_heap_task(random, property), counts);
    }
    EXPECT_GE(counts.violating, cases / 10);
    EXPECT_GE(counts.safe, cases / 10);
  }
}

TEST(RandomCPrograms, DeadlockWithinBoundsIfTheyDo) {
  Counts counts;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(66'000'000 + i);
    model::CTask task = random_termination_task(random);
    task.question.targets = {Property::NoDeadlock};
    compare(task, counts);
  }
  EXPECT_GE(counts.violating, cases / 20);
  EXPECT_GE(counts.safe, cases / 10);
}

// ---- Bounds

answer::CheckResult check_up_to(const model::CTask& task, std::uint32_t contexts) {
  base::RunContext context;
  const answer::SafeUpTo claim{answer::context_bound(contexts), answer::Exploration{}};
  return check::check(task, claim, context);
}

/// The bound that `bounded` needs is the one up to which the checker finds nothing, plus one.
TEST(RandomCPrograms, AreSafeUpToTheSameContexts) {
  unsigned compared = 0, many = 0;
  const unsigned cases = random_cases(40);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(67'000'000 + i);
    const model::CTask task = random_c_task(random);
    base::RunContext whole;
    if (deepen(task.model, Property::Reach, std::nullopt, whole).is_safe) {
      base::RunContext context;
      const auto checked = check::check(task, answer::Safe{answer::Exploration{}}, context);
      EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                   << task_text(task);
    }
    for (std::uint32_t contexts = 1; contexts <= 4; ++contexts) {
      base::RunContext solving;
      const Found found = deepen(task.model, Property::Reach, contexts, solving);
      if (!found.run && !found.is_safe && !found.safe_contexts) break;
      const auto checked = check_up_to(task, contexts);
      EXPECT_EQ(checked.status,
                found.run ? answer::EvidenceStatus::Refuted : answer::EvidenceStatus::Confirmed)
          << contexts << " contexts: " << checked.why << "\n"
          << task_text(task);
      ++compared;
      many += found.run && contexts > 1 ? 1 : 0;
      if (found.run) break;
    }
  }
  EXPECT_GE(compared, cases);
  EXPECT_GE(many, cases / 20);
}

}  // namespace
}  // namespace heddle::test::bounded_test
