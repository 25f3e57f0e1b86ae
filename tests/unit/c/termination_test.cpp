/// Termination of small C programs: the exploration, the check of what it says, and the truth by
/// looking at every state.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "engine/explore/lasso.hpp"
#include "model/c/run_story.hpp"
#include "support/c_oracle.hpp"
#include "support/c_program_builder.hpp"
#include "support/sanitized.hpp"

namespace heddle::testing::c {
namespace {

using engine::explore::ExploreReason;
using engine::explore::ExploreResult;
using engine::explore::ExploreVerdict;
using Recorded = model::c::Run;

ExploreResult explored_to_the_end(const Built& built, Property property = Property::Termination) {
  base::RunContext context;
  ExploreResult result = engine::explore::explore(built.program, property, {}, context);
  if (result.run) {
    const auto checked = check::c::check_run(built.program, property, *result.run);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  }
  return result;
}

answer::EvidenceStatus checked_to_the_end(const Built& built, bool reduces = true,
                                          Property property = Property::Termination) {
  base::RunContext context;
  check::c::SafeBounds bounds;
  bounds.reduces = reduces;
  return check::c::check_safe(built.program, property, bounds, context).status;
}

/// How the program fails to terminate; none if it terminates. All three must say the same.
std::optional<Violation::Kind> failure_of(const Built& built,
                                          Property property = Property::Termination) {
  const ExploreResult result = explored_to_the_end(built, property);
  const auto expected = result.verdict == ExploreVerdict::Safe ? answer::EvidenceStatus::Confirmed
                                                               : answer::EvidenceStatus::Refuted;
  EXPECT_NE(result.verdict, ExploreVerdict::Unknown) << result.why;
  EXPECT_EQ(checked_to_the_end(built, true, property), expected);
  EXPECT_EQ(checked_to_the_end(built, false, property), expected);
  return result.run ? std::optional(result.run->violation.kind) : std::nullopt;
}

Effect create_one(std::uint32_t start) {
  return sync(SyncOperation::CreateThread, {num(0), function(start), num(0)});
}

Effect end_thread() { return sync(SyncOperation::ExitThread, {num(0)}); }

/// Counts to n in a register.
Built counts_to(std::uint64_t n) {
  Built built;
  built.add_function(
      "main", {binary(0, Operator::Add, reg(0), num(1)), binary(1, Operator::Eq, reg(0), num(n)),
               branch(reg(1), 3, 0), finish()});
  return built;
}

TEST(CTermination, CountingEnds) {
  EXPECT_EQ(failure_of(counts_to(10)), std::nullopt);
  EXPECT_EQ(failure_of(counts_to(5'000)), std::nullopt);
}

TEST(CTermination, ALoopThatDoesNothingIsALasso) {
  Built built;
  built.add_function("main", {store(global(built.add_global("x", 4)), num(1)), jump(2), jump(1)});
  const ExploreResult result = explored_to_the_end(built);
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->violation.kind, Violation::Kind::Lasso);
  EXPECT_EQ(result.run->loop_steps, 1u);
  EXPECT_EQ(result.run->steps.back().instructions, 2u);  // not the thousands of one step
  EXPECT_EQ(result.run->violation.position.line, 2u);
  EXPECT_EQ(failure_of(built), Violation::Kind::Lasso);
}

/// Main waits in a loop until the other thread has set x.
Built spins() {
  Built built;
  built.add_global("x", 4);
  built.add_function("main",
                     {create_one(1), load(0, global(0)), binary(1, Operator::Eq, reg(0), num(0)),
                      branch(reg(1), 1, 4), finish()});
  built.add_function("work", {store(global(0), num(1)), ret()}, 1);
  return built;
}

TEST(CTermination, WaitingInALoopIsALassoWithoutFairness) {
  EXPECT_EQ(failure_of(spins()), Violation::Kind::Lasso);
}

TEST(CTermination, AThreadLoopsForEverAlthoughMainEndsTheProcess) {
  Built built;
  built.add_function("main", {create_one(1), finish()});
  built.add_function("work", {jump(0)}, 1);
  EXPECT_EQ(failure_of(built), Violation::Kind::Lasso);
}

TEST(CTermination, AFailedAssertionEndsARun) {
  Built built;
  built.add_function("main", {create_one(1), fail()});
  built.add_function("work", {ret()}, 1);
  EXPECT_EQ(failure_of(built), std::nullopt);
}

TEST(CTermination, NothingIsClaimedAfterUndefinedBehaviour) {
  Built built;
  built.add_function("main", {load(0, num(0)), finish()});
  EXPECT_EQ(explored_to_the_end(built).reason, ExploreReason::Undefined);
  EXPECT_EQ(checked_to_the_end(built), answer::EvidenceStatus::NotChecked);
}

/// So many threads, each of which takes a mutex and then that of its neighbour.
Built circle(std::uint32_t threads) {
  Built built;
  std::vector<Effect> main;
  for (std::uint32_t i = 0; i < threads; ++i) {
    built.add_global("m" + std::to_string(i), 40);
    main.push_back(create_one(i + 1));
  }
  main.push_back(end_thread());
  built.add_function("main", main);
  for (std::uint32_t i = 0; i < threads; ++i) {
    const std::uint32_t next = (i + 1) % threads;
    built.add_function("work" + std::to_string(i),
                       {sync(SyncOperation::MutexLock, {global(i)}),
                        sync(SyncOperation::MutexLock, {global(next)}),
                        sync(SyncOperation::MutexUnlock, {global(next)}),
                        sync(SyncOperation::MutexUnlock, {global(i)}), ret()},
                       1);
  }
  return built;
}

TEST(CTermination, ACircleOfManyThreadsIsFoundAmongFewStates) {
  base::Limits few;
  few.steps = 20'000;
  base::RunContext context(few);
  const Built built = circle(12);
  const auto result = engine::explore::explore(built.program, Property::Termination, {}, context);
  ASSERT_EQ(result.verdict, ExploreVerdict::Unsafe) << result.why;
  EXPECT_EQ(result.run->violation.kind, Violation::Kind::Blocked);
  EXPECT_EQ(check::c::check_run(built.program, Property::Termination, *result.run).status,
            answer::EvidenceStatus::Confirmed);
}

/// Main waits for a signal that the other thread sends, perhaps too early; with a flag it does not
/// wait then, and looks at the flag again when it is woken: a loop, if it could wake by itself.
Built waits_for_signal(bool has_flag) {
  Built built;
  built.add_global("m", 40);
  built.add_global("c", 48);
  built.add_global("flag", 4);
  const auto lock = [] { return sync(SyncOperation::MutexLock, {global(0)}); };
  const auto unlock = [] { return sync(SyncOperation::MutexUnlock, {global(0)}); };
  std::vector<Effect> code{create_one(1), lock()};
  if (has_flag) {
    code.push_back(load(0, global(2)));
    code.push_back(binary(1, Operator::Eq, reg(0), num(1)));
    code.push_back(branch(reg(1), 7, 5));
  }
  code.push_back(sync(SyncOperation::ConditionWait, {global(1), global(0)}));
  if (has_flag) code.push_back(jump(2));
  code.push_back(unlock());
  code.push_back(end_thread());
  built.add_function("main", std::move(code));
  built.add_function("work",
                     {lock(), store(global(2), num(1)),
                      sync(SyncOperation::ConditionSignal, {global(1)}), unlock(), ret()},
                     1);
  return built;
}

TEST(CTermination, ASignalThatIsLostBlocks) {
  EXPECT_EQ(failure_of(waits_for_signal(false)), Violation::Kind::Blocked);
  EXPECT_EQ(failure_of(waits_for_signal(true)), std::nullopt);
}

TEST(CTermination, TellsWhatThreadsWaitFor) {
  const Built built = waits_for_signal(false);
  const ExploreResult result = explored_to_the_end(built);
  ASSERT_TRUE(result.run);
  const Story story = tell(Interpreter(built.program), *result.run);
  ASSERT_EQ(story.waits.size(), 1u);
  EXPECT_NE(story.waits[0].what.find("signal to c"), std::string::npos) << story.waits[0].what;
}

/// Main takes a semaphore as our library writes it.
Built takes_semaphore(bool posts) {
  Built built;
  built.add_global("count", 4);
  built.add_function(
      "main", {create_one(1), sync(SyncOperation::AtomicBegin), load(0, global(0)),
               binary(1, Operator::ULt, num(0), reg(0)), sync(SyncOperation::BlockUntil, {reg(1)}),
               sync(SyncOperation::AtomicEnd), end_thread()});
  built.add_function("work",
                     {sync(SyncOperation::AtomicBegin), store(global(0), num(posts ? 1 : 0)),
                      sync(SyncOperation::AtomicEnd), ret()},
                     1);
  return built;
}

/// A section that is undone leads back to the same state; that is waiting, not running.
TEST(CTermination, ASectionThatIsUndoneIsNoLoop) {
  EXPECT_EQ(failure_of(takes_semaphore(true)), std::nullopt);
  EXPECT_EQ(failure_of(takes_semaphore(false)), Violation::Kind::Blocked);
}

// ---- Weak fairness

std::optional<Violation::Kind> fair_failure_of(const Built& built) {
  return failure_of(built, Property::FairTermination);
}

TEST(CFairTermination, WaitingInALoopEnds) { EXPECT_EQ(fair_failure_of(spins()), std::nullopt); }

TEST(CFairTermination, AThreadThatLoopsIsStoppedByTheEndOfTheProcess) {
  Built built;
  built.add_function("main", {create_one(1), finish()});
  built.add_function("work", {jump(0)}, 1);
  EXPECT_EQ(fair_failure_of(built), std::nullopt);
}

TEST(CFairTermination, ALoopThatNobodyEndsIsALasso) {
  Built built;
  built.add_function("main", {create_one(1), end_thread()});
  built.add_function("work", {jump(0)}, 1);
  EXPECT_EQ(fair_failure_of(built), Violation::Kind::Lasso);
}

/// Main waits for x in a loop of atomic sections. While it is in one, the other thread cannot step,
/// but a section is one step: that does not count.
Built waits_in_sections() {
  Built built;
  built.add_global("x", 4);
  built.add_function("main",
                     {create_one(1), sync(SyncOperation::AtomicBegin), load(0, global(0)),
                      sync(SyncOperation::AtomicEnd), binary(1, Operator::Eq, reg(0), num(0)),
                      branch(reg(1), 1, 6), finish()});
  built.add_function("work", {store(global(0), num(1)), ret()}, 1);
  return built;
}

TEST(CFairTermination, AtomicSectionsKeepNobodyFromStepping) {
  EXPECT_EQ(fair_failure_of(waits_in_sections()), std::nullopt);
  EXPECT_EQ(failure_of(waits_in_sections()), Violation::Kind::Lasso);
}

/// Main takes and gives back the mutex again and again, until x is 1; the other thread sets it
/// under the mutex.
Built keeps_taking_a_mutex() {
  Built built;
  built.add_global("x", 4);
  built.add_global("m", 40);
  const auto lock = [] { return sync(SyncOperation::MutexLock, {global(1)}); };
  const auto unlock = [] { return sync(SyncOperation::MutexUnlock, {global(1)}); };
  built.add_function("main",
                     {create_one(1), lock(), load(0, global(0)), unlock(),
                      binary(1, Operator::Eq, reg(0), num(0)), branch(reg(1), 1, 6), finish()});
  built.add_function("work", {lock(), store(global(0), num(1)), unlock(), ret()}, 1);
  return built;
}

/// Whenever the mutex is taken, the other thread cannot step: weak fairness lets it wait for ever.
TEST(CFairTermination, AMutexThatIsTakenAgainAndAgainMayKeepAThreadWaiting) {
  EXPECT_EQ(fair_failure_of(keeps_taking_a_mutex()), Violation::Kind::Lasso);
}

TEST(CFairTermination, UnfairLassosAreRefuted) {
  const auto status = [](const Built& built, const Recorded& run) {
    return check::c::check_run(built.program, Property::FairTermination, run);
  };
  const ExploreResult unfair = explored_to_the_end(spins());
  ASSERT_TRUE(unfair.run);
  const auto checked = status(spins(), *unfair.run);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Refuted);
  EXPECT_NE(checked.why.find("thread 1 can always step"), std::string::npos) << checked.why;

  const Built built = keeps_taking_a_mutex();
  const ExploreResult fair = explored_to_the_end(built, Property::FairTermination);
  ASSERT_TRUE(fair.run);
  EXPECT_EQ(status(built, *fair.run).status, answer::EvidenceStatus::Confirmed);

  const Built sections = waits_in_sections();
  const ExploreResult in_sections = explored_to_the_end(sections);
  ASSERT_TRUE(in_sections.run);
  EXPECT_EQ(status(sections, *in_sections.run).status, answer::EvidenceStatus::Refuted);
}

TEST(CFairTermination, FindsCyclesThatServeEverybody) {
  using engine::explore::find_fair_cycle;
  // Thread 0 goes round between 0 and 1; thread 1 leads from 1 to 2, where only thread 0 steps.
  EXPECT_TRUE(find_fair_cycle({{0, 1}, {1, 0}, {1, 2}, {2, 2}}, {{1, 1, 2, 1}, {2, 2, 2}}).empty());
  EXPECT_EQ(find_fair_cycle({{0, 1}, {1, 0}, {1, 2}, {2, 2}}, {{1, 1, 2, 3}, {2, 2, 2}}),
            (std::vector<std::uint32_t>{3}));
  // A small cycle serves one of them, the way round both.
  EXPECT_EQ(find_fair_cycle({{0, 0}, {0, 1}, {1, 0}}, {{1, 1, 2}, {2, 2}}).size(), 3u);
}

// ---- Forged evidence

TEST(CTermination, ForgedLassosAreRefuted) {
  const Built built = spins();
  const ExploreResult result = explored_to_the_end(built);
  ASSERT_TRUE(result.run);
  const Recorded good = *result.run;
  std::vector<Recorded> forged;
  const auto forge = [&](const std::function<void(Recorded&)>& change) {
    forged.push_back(good);
    change(forged.back());
  };
  forge([](Recorded& run) { run.loop_steps = 0; });
  forge([](Recorded& run) { run.loop_steps += 1; });
  forge([](Recorded& run) { run.loop_steps = 1'000; });
  forge([](Recorded& run) { run.steps.back().instructions -= 1; });
  forge([](Recorded& run) { run.steps.back().instructions += 1; });
  forge([](Recorded& run) { run.steps.back().instructions = 0; });
  forge([](Recorded& run) { run.steps.push_back({ThreadId(1u), 1, {}}); });
  forge([](Recorded& run) { run.violation.kind = Violation::Kind::Blocked; });
  forge([](Recorded& run) {
    run.violation.kind = Violation::Kind::Blocked;
    run.loop_steps = 0;
  });
  forge([](Recorded& run) { run.violation.position.line = 99; });
  forge([](Recorded& run) { run.violation.thread = ThreadId(1u); });
  for (std::size_t i = 0; i < forged.size(); ++i) {
    EXPECT_EQ(check::c::check_run(built.program, Property::Termination, forged[i]).status,
              answer::EvidenceStatus::Refuted)
        << i;
  }
  EXPECT_EQ(check::c::check_run(built.program, Property::NoDeadlock, good).status,
            answer::EvidenceStatus::Refuted);
}

/// Each time round, the loop reads an input: it returns to the same state only if the input is the
/// same.
TEST(CTermination, AnInputThatChangesIsNoLasso) {
  Built built;
  built.add_function("main", {choose(0, 8), binary(1, Operator::Eq, reg(0), num(7)),
                              branch(reg(1), 3, 0), finish()});
  const auto lasso = [](std::uint64_t first, std::uint64_t second) {
    Recorded run;
    run.steps = {{ThreadId(0u), 3, {first}}, {ThreadId(0u), 3, {second}}};
    run.loop_steps = 1;
    run.violation = {Violation::Kind::Lasso,
                     "the loop returns to the state it began in",
                     ThreadId(0u),
                     {0, 1, 0}};
    return run;
  };
  const auto status = [&](const Recorded& run) {
    return check::c::check_run(built.program, Property::Termination, run).status;
  };
  EXPECT_EQ(status(lasso(5, 5)), answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(status(lasso(5, 6)), answer::EvidenceStatus::Refuted);
  EXPECT_EQ(failure_of(built), Violation::Kind::Lasso);
}

/// Stores an input of 32 bits, and then does what is given; it stands at 2 at first.
Built with_stored_input(const std::vector<Effect>& then, std::uint64_t bytes = 4) {
  Built built;
  built.add_global("x", bytes);
  std::vector<Effect> code = {choose(0), store(global(0), reg(0))};
  code.insert(code.end(), then.begin(), then.end());
  built.add_function("main", code);
  return built;
}

TEST(CTermination, InputsThatAreOnlyStoredNeedNotBeTriedOut) {
  const Built built =
      with_stored_input({binary(1, Operator::Add, reg(1), num(1)), load(2, global(0)),
                         store(global(0), reg(2)), choose(3), store(global(0), reg(3)),
                         binary(4, Operator::Eq, reg(1), num(20)), branch(reg(4), 9, 2), finish()});
  const ExploreResult result = explored_to_the_end(built);
  EXPECT_EQ(result.verdict, ExploreVerdict::Safe) << result.why;
  EXPECT_LT(result.states, 100'000U);
  EXPECT_EQ(checked_to_the_end(built), answer::EvidenceStatus::Confirmed);
}

/// A loop, a section and a mutex that depend on a stored input: whatever the check takes it for,
/// there is another one.
TEST(CTermination, InputsThatAreStoredAndMatterAreNotPassedOver) {
  const auto is_confirmed = [](const Built& built) {
    return checked_to_the_end(built) == answer::EvidenceStatus::Confirmed;
  };
  for (const std::uint64_t wanted : {0U, 1U, 7U, 1'000'003U}) {
    EXPECT_FALSE(is_confirmed(
        with_stored_input({load(1, global(0)), binary(2, Operator::Eq, reg(1), num(wanted)),
                           branch(reg(2), 2, 5), finish()})))
        << wanted;
    EXPECT_FALSE(is_confirmed(with_stored_input(
        {sync(SyncOperation::AtomicBegin), load(1, global(0)),
         binary(2, Operator::Ne, reg(1), num(wanted)), sync(SyncOperation::BlockUntil, {reg(2)}),
         sync(SyncOperation::AtomicEnd), finish()})))
        << wanted;
  }
  EXPECT_FALSE(
      is_confirmed(with_stored_input({sync(SyncOperation::MutexLock, {global(0)}), finish()}, 40)));
}

/// A loop around a condition wait runs for ever only if the thread wakes by itself.
TEST(CTermination, NoThreadWakesByItself) {
  Built built;
  built.add_global("m", 40);
  built.add_global("c", 48);
  built.add_function("main", {sync(SyncOperation::MutexLock, {global(0)}),
                              sync(SyncOperation::ConditionWait, {global(1), global(0)}), jump(1)});
  EXPECT_EQ(failure_of(built), Violation::Kind::Blocked);
  Recorded run;
  run.steps = {{ThreadId(0u), 1, {}}, {ThreadId(0u), 3, {}}};
  run.loop_steps = 1;
  run.violation = {
      Violation::Kind::Lasso, "the loop returns to the state it began in", ThreadId(0u), {0, 2, 0}};
  const auto checked = check::c::check_run(built.program, Property::Termination, run);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Refuted);
  EXPECT_NE(checked.why.find("nobody has woken the thread"), std::string::npos) << checked.why;
}

// ---- Cycles

TEST(CTermination, FindsShortCycles) {
  using engine::explore::find_cycle;
  EXPECT_TRUE(find_cycle(0, {}).empty());
  EXPECT_TRUE(find_cycle(3, {{0, 1}, {0, 2}, {1, 2}}).empty());
  EXPECT_EQ(find_cycle(2, {{0, 1}, {1, 1}}), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(find_cycle(4, {{0, 1}, {1, 2}, {2, 3}, {1, 3}, {3, 1}}),
            (std::vector<std::uint32_t>{3, 4}));
}

// ---- Agreement with the truth

/// A random program of two or three threads with loops, over two small variables, two mutexes and a
/// condition.
class LoopGenerator {
 public:
  explicit LoopGenerator(std::uint32_t seed) : random_(seed) {}

  Built program() {
    Built built;
    built.add_global("x", 4);
    built.add_global("y", 4);
    built.add_global("m", 40);
    built.add_global("n", 40);
    built.add_global("c", 48);
    built.add_global("handle", 8);
    const int threads = 1 + below(2);
    std::vector<Effect> entry;
    for (int i = 0; i < threads; ++i) {
      entry.push_back(
          sync(SyncOperation::CreateThread,
               {i == 0 ? global(5) : num(0), function(1u + static_cast<unsigned>(i)), num(0)}));
    }
    body(entry, 2 + below(3));
    if (below(2) == 0) {
      entry.push_back(load(4, global(5), 8));
      entry.push_back(sync(SyncOperation::JoinThread, {reg(4), num(0)}));
    }
    entry.push_back(below(2) == 0 ? finish() : end_thread());
    built.add_function("main", std::move(entry));
    for (int i = 0; i < threads; ++i) {
      std::vector<Effect> code;
      body(code, 2 + below(4));
      code.push_back(ret());
      built.add_function("work", std::move(code), 1);
    }
    return built;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  Operand variable() { return global(static_cast<std::uint32_t>(below(2))); }
  Operand bit() { return num(static_cast<std::uint64_t>(below(2))); }
  Operand mutex() { return global(2u + static_cast<std::uint32_t>(below(2))); }

  void body(std::vector<Effect>& code, int length) {
    for (int i = 0; i < length; ++i) statement(code);
  }

  void statement(std::vector<Effect>& code) {
    const auto at = static_cast<std::uint32_t>(code.size());
    switch (below(11)) {
      case 0: code.push_back(store(variable(), bit())); return;
      case 1:  // x = !x
        code.push_back(load(1, variable()));
        code.push_back(binary(1, Operator::Xor, reg(1), num(1)));
        code.push_back(store(variable(), reg(1)));
        return;
      case 2: {  // lock, perhaps something, unlock
        const Operand lock = mutex();
        code.push_back(sync(SyncOperation::MutexLock, {lock}));
        if (below(2) == 0) code.push_back(store(variable(), bit()));
        if (below(4) == 0) code.push_back(sync(SyncOperation::MutexLock, {mutex()}));
        if (below(6) != 0) code.push_back(sync(SyncOperation::MutexUnlock, {lock}));
        return;
      }
      case 3: {
        const Operand lock = mutex();
        code.push_back(sync(SyncOperation::MutexLock, {lock}));
        code.push_back(sync(SyncOperation::ConditionWait, {global(4), lock}));
        code.push_back(sync(SyncOperation::MutexUnlock, {lock}));
        return;
      }
      case 4:
        code.push_back(
            sync(below(2) == 0 ? SyncOperation::ConditionSignal : SyncOperation::ConditionBroadcast,
                 {global(4)}));
        return;
      case 5:  // for (r3 = 0; r3 != 2; r3++) y = …
      case 6:
        code.push_back(binary(3, Operator::Add, num(0), num(0)));
        code.push_back(below(2) == 0 ? store(variable(), bit())
                                     : binary(2, Operator::Add, reg(3), num(0)));
        code.push_back(binary(3, Operator::Add, reg(3), num(1)));
        code.push_back(binary(2, Operator::Eq, reg(3), num(2)));
        code.push_back(branch(reg(2), at + 5, at + 1));
        return;
      case 7:  // while (x == b);
        if (below(2) == 0) return;
        code.push_back(load(1, variable()));
        code.push_back(binary(2, Operator::Eq, reg(1), bit()));
        code.push_back(branch(reg(2), at, at + 3));
        return;
      case 8:  // wait until x is b, as a semaphore waits
        if (below(2) == 0) return;
        code.push_back(sync(SyncOperation::AtomicBegin));
        code.push_back(load(1, variable()));
        code.push_back(binary(2, Operator::Eq, reg(1), bit()));
        code.push_back(sync(SyncOperation::BlockUntil, {reg(2)}));
        if (below(2) == 0) code.push_back(store(variable(), bit()));
        code.push_back(sync(SyncOperation::AtomicEnd));
        return;
      case 9:  // if (input) go on, or assume it
        code.push_back(choose(1, 1));
        code.push_back(below(4) == 0 ? Effect(Assume{reg(1)})
                                     : branch(reg(1), at + 2, below(8) == 0 ? at : at + 2));
        return;
      default: code.push_back(sync_to(1, SyncOperation::MutexTryLock, {mutex()})); return;
    }
  }

  std::mt19937 random_;
};

int loop_programs() {
  const char* more = std::getenv("HEDDLE_C_PROGRAMS");
  if (more != nullptr) return std::atoi(more);
  return test::kAddressSanitizer ? 10 : 80;
}

TEST(CTerminationAgreement, VerdictsAreTrue) {
  std::array<std::size_t, 3> counts{};
  int ends_if_fair = 0;
  for (int seed = 0; seed < loop_programs(); ++seed) {
    const Built built = LoopGenerator(static_cast<std::uint32_t>(seed)).program();
    const COracleAnswer truth = COracle(built.program, Property::Termination).ask(200'000);
    ASSERT_TRUE(truth.is_complete) << "seed " << seed;
    const auto failure = failure_of(built);
    EXPECT_EQ(failure.has_value(), truth.is_violated) << "seed " << seed;
    const COracleAnswer fair_truth = COracle(built.program, Property::FairTermination).ask(200'000);
    const auto fair_failure = fair_failure_of(built);
    EXPECT_EQ(fair_failure.has_value(), fair_truth.is_violated) << "seed " << seed;
    if (failure && !fair_failure) ++ends_if_fair;
    ++counts[!failure ? 0 : *failure == Violation::Kind::Lasso ? 1 : 2];
  }
  EXPECT_GE(ends_if_fair, loop_programs() / 40);
  for (const std::size_t count : counts) {
    EXPECT_GE(count, static_cast<std::size_t>(loop_programs()) / 10);
  }
}

}  // namespace
}  // namespace heddle::testing::c
