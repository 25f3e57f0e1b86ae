#include "model/c/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "model/c/races.hpp"
#include "model/c/run_story.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::testing::c {
namespace {

using Recorded = model::c::Run;  // `Run` is something else in a test

/// Main and a thread write x; main fails if it reads 2.
Built writers() {
  Built built;
  built.add_global("x", 4);
  built.program.types.push_back({Type::Kind::Integer, "int", 4, true, {}, 0, {}});
  built.program.globals[0].type = TypeId(0u);
  built.add_global("m", 40);
  built.add_function(
      "main", {sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}), choose(2, 8),
               store(global(0), num(1)), load(0, global(0)),
               binary(1, Operator::Eq, reg(0), num(2)), branch(reg(1), 6, 7), fail(), finish()});
  built.add_function("work",
                     {sync(SyncOperation::MutexLock, {global(1)}), store(global(0), num(2)),
                      sync(SyncOperation::MutexUnlock, {global(1)}), ret()},
                     1);
  return built;
}

Recorded failing_run() {
  Recorded run;
  run.steps = {{ThreadId(0u), 3, {5}}, {ThreadId(1u), 2, {}}, {ThreadId(0u), 4, {}}};
  run.violation = {Violation::Kind::Failure, "reach_error", ThreadId(0u), {0, 7, 0}};
  return run;
}

TEST(CRun, IsConfirmed) {
  const Built built = writers();
  const auto checked = check::c::check_run(built.program, Property::Reach, failing_run());
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
}

TEST(CRun, CorruptedRunsAreRefuted) {
  const Built built = writers();
  std::vector<Recorded> corrupted;
  const auto corrupt = [&](const std::function<void(Recorded&)>& change) {
    corrupted.push_back(failing_run());
    change(corrupted.back());
  };
  corrupt([](Recorded& run) { run.steps.clear(); });
  corrupt([](Recorded& run) { run.steps.pop_back(); });
  corrupt([](Recorded& run) { run.steps.erase(run.steps.begin() + 1); });
  corrupt([](Recorded& run) { run.steps[0].choices.clear(); });
  corrupt([](Recorded& run) { run.steps[0].choices.push_back(1); });
  corrupt([](Recorded& run) { run.steps[1].thread = ThreadId(2u); });
  corrupt([](Recorded& run) { run.steps[2].instructions = 3; });
  corrupt([](Recorded& run) { run.steps[2].instructions = 5; });
  corrupt([](Recorded& run) { run.steps[1].instructions = 7; });
  corrupt([](Recorded& run) { run.violation.kind = Violation::Kind::DataRace; });
  corrupt([](Recorded& run) { std::swap(run.steps[1], run.steps[2]); });
  corrupt([](Recorded& run) { run.violation.thread = ThreadId(1u); });
  corrupt([](Recorded& run) { run.violation.position.line = 3; });
  corrupt([](Recorded& run) { run.violation.what = "the lock is broken"; });
  for (std::size_t i = 0; i < corrupted.size(); ++i) {
    EXPECT_EQ(check::c::check_run(built.program, Property::Reach, corrupted[i]).status,
              answer::EvidenceStatus::Refuted)
        << i;
  }
}

TEST(CRun, ClaimsAboutOtherPropertiesAreRefuted) {
  const Built built = writers();
  Recorded run = failing_run();
  EXPECT_EQ(check::c::check_run(built.program, Property::NoDeadlock, run).status,
            answer::EvidenceStatus::Refuted);
  run.violation.kind = Violation::Kind::Deadlock;
  EXPECT_EQ(check::c::check_run(built.program, Property::NoDeadlock, run).status,
            answer::EvidenceStatus::Refuted);
}

TEST(CRun, SaysWhereARaceIs) {
  const Built built = writers();
  Recorded run = failing_run();
  run.steps.resize(2);
  const auto check = [&](ThreadId thread, Position position) {
    run.violation = {Violation::Kind::DataRace, "data race", thread, position};
    return check::c::check_run(built.program, Property::NoDataRace, run).status;
  };
  EXPECT_EQ(check(ThreadId(0u), {0, 3, 0}), answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(check(ThreadId(1u), {0, 2, 1}), answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(check(ThreadId(1u), {0, 3, 0}), answer::EvidenceStatus::Refuted);
  EXPECT_EQ(check(ThreadId(0u), {0, 4, 0}), answer::EvidenceStatus::Refuted);
}

/// Main waits for a mutex in an atomic section. While the other thread has the mutex, the section
/// is undone, and the other thread goes on: a run that ends within the section shows no deadlock.
TEST(CRun, AnAtomicSectionThatIsUndoneIsNoDeadlock) {
  Built built;
  built.add_global("m", 40);
  built.add_function("main",
                     {sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}),
                      sync(SyncOperation::AtomicBegin), sync(SyncOperation::MutexLock, {global(0)}),
                      sync(SyncOperation::AtomicEnd), finish()});
  built.add_function("work",
                     {sync(SyncOperation::MutexLock, {global(0)}),
                      sync(SyncOperation::MutexUnlock, {global(0)}), ret()},
                     1);
  Recorded run;
  run.steps = {{ThreadId(0u), 1, {}}, {ThreadId(1u), 1, {}}, {ThreadId(0u), 1, {}}};
  run.violation = {Violation::Kind::Deadlock, "no thread can step", ThreadId(0u), {0, 3, 0}};
  EXPECT_EQ(check::c::check_run(built.program, Property::NoDeadlock, run).status,
            answer::EvidenceStatus::Refuted);
  base::RunContext context;
  const auto safe = check::c::check_safe(built.program, Property::NoDeadlock, {}, context);
  EXPECT_EQ(safe.status, answer::EvidenceStatus::Confirmed) << safe.why;
}

TEST(CRun, TellsRacesWithLocksHeld) {
  const Built built = writers();
  const Interpreter interpreter(built.program);
  RaceDetector races;
  Recorded run = failing_run();
  replay(interpreter, run, &races);
  ASSERT_TRUE(races.race());
  EXPECT_TRUE(races.race()->first.is_write);
  EXPECT_TRUE(races.race()->first.locks.empty());
  EXPECT_EQ(races.race()->second.locks,
            std::vector<std::uint64_t>{interpreter.addresses().of_global(GlobalId(1u))});
  EXPECT_EQ(races.race()->second.position.line, 2u);
}

TEST(CRun, OrderedAccessesDoNotRace) {
  Built built = writers();  // main locks, too, and the thread goes first
  built.program.functions[0].code[1].effect = sync(SyncOperation::MutexLock, {global(1)});
  const Interpreter interpreter(built.program);
  Recorded run;
  run.steps = {{ThreadId(0u), 1, {}}, {ThreadId(1u), 3, {}}, {ThreadId(0u), 3, {}}};
  RaceDetector races;
  EXPECT_FALSE(replay(interpreter, run, &races).error);
  EXPECT_FALSE(races.race());
}

TEST(CStory, TellsLinesChangesLocksAndThreads) {
  const Built built = writers();
  const Interpreter interpreter(built.program);
  const Story story = tell(interpreter, failing_run());
  ASSERT_FALSE(story.error);
  const auto step = [&](std::uint32_t number, std::uint32_t line) -> const StoryStep& {
    const auto found = std::ranges::find_if(story.steps, [&](const StoryStep& one) {
      return one.number == number && one.position.line == line;
    });
    EXPECT_NE(found, story.steps.end());
    return *found;
  };
  EXPECT_EQ(step(0, 1).events, std::vector<std::string>{"creates work 1"});
  EXPECT_EQ(step(0, 1).created, std::vector<std::uint32_t>{1});
  EXPECT_EQ(step(0, 2).events, std::vector<std::string>{"input returns 5"});
  ASSERT_EQ(step(0, 2).inputs.size(), 1u);
  EXPECT_EQ(step(0, 2).inputs[0].value, "5");
  EXPECT_EQ(step(1, 1).events, std::vector<std::string>{"locks m"});
  const StoryStep& write = step(1, 2);
  EXPECT_EQ(write.thread, "work 1");
  EXPECT_EQ(write.locks, std::vector<std::string>{"m"});
  ASSERT_EQ(write.changes.size(), 1u);
  EXPECT_EQ(write.changes[0].name, "x");
  EXPECT_EQ(write.changes[0].type, "int");
  EXPECT_EQ(write.changes[0].before, "1");
  EXPECT_EQ(write.changes[0].after, "2");
}

}  // namespace
}  // namespace heddle::testing::c
