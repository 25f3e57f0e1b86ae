#include "model/c/interpreter.hpp"

#include <gtest/gtest.h>

#include "model/c/arithmetic.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::testing::c {
namespace {

/// Runs thread 0 until it stops, with these choices, and keeps everything.
struct Ran {
  Program program;
  Interpreter interpreter;
  State state;
  StepResult last;

  explicit Ran(Built built, std::vector<std::uint64_t> choices = {})
      : program(std::move(built.program)), interpreter(program), state(interpreter.initial()) {
    std::size_t used = 0;
    for (int i = 0; i < 1000 && last.outcome == Outcome::Continued; ++i) {
      last = interpreter.step(state, ThreadId(0u));
      if (last.outcome == Outcome::NeedsChoice && used < choices.size()) {
        last = interpreter.step(state, ThreadId(0u), std::span(choices).subspan(used++, 1));
      }
      if (!state.thread(ThreadId(0u)).is_live()) break;
    }
  }
  std::uint64_t word(std::uint32_t global_index, std::uint8_t bytes = 4) const {
    return state.memory.load(interpreter.addresses().of_global(GlobalId(global_index)), bytes)
        .value;
  }
  Violation::Kind violation() const { return last.violation.value().kind; }
};

StepResult step(const Interpreter& interpreter, State& state, std::uint32_t thread,
                std::vector<std::uint64_t> choices = {}) {
  return interpreter.step(state, ThreadId(thread), choices);
}

/// Function 0: creates `threads` threads of function 1, whose code this is, and then does `rest`.
Built with_threads(std::vector<Effect> code, int threads, std::vector<Effect> rest) {
  Built built;
  std::vector<Effect> entry;
  for (int i = 0; i < threads; ++i) {
    entry.push_back(sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}));
  }
  entry.insert(entry.end(), rest.begin(), rest.end());
  built.add_function("main", std::move(entry));
  built.add_function("work", std::move(code), 1);
  return built;
}

TEST(CInterpreter, ComputesStoresAndLoads) {
  Built built;
  built.add_global("x", 4, {5, 0, 0, 0});
  built.add_function("main", {load(0, global(0)), binary(1, Operator::Add, reg(0), num(37)),
                              store(global(0), reg(1)), finish()});
  const Ran ran(built);
  EXPECT_EQ(ran.last.outcome, Outcome::ProcessEnded);
  EXPECT_EQ(ran.word(0), 42u);
}

TEST(CInterpreter, AssignsInParallel) {
  Built built;
  built.add_global("x", 8);
  built.add_function("main", {Assign{{{to(0), num(1)}, {to(1), num(2)}}, Location(1u)},
                              Assign{{{to(0), reg(1)}, {to(1), reg(0)}}, Location(2u)},
                              store(global(0), reg(0)), store(global(0, 4), reg(1)), finish()});
  const Ran ran(built);
  EXPECT_EQ(ran.word(0, 8), 0x1'0000'0002u);
}

TEST(CInterpreter, BranchesAndSwitches) {
  Built built;
  built.add_global("x", 4);
  built.add_function(
      "main", {Switch{num(7), {{1, Location(3u)}, {7, Location(2u)}}, Location(3u)}, finish(),
               branch(num(1), 4, 3), fail(), store(global(0), num(9)), finish()});
  const Ran ran(built);
  EXPECT_EQ(ran.word(0), 9u);
}

TEST(CInterpreter, SwitchTakesTheOtherwise) {
  Built built;
  built.add_function("main", {Switch{num(8), {{1, Location(2u)}}, Location(1u)}, finish(), fail()});
  EXPECT_EQ(Ran(built).last.outcome, Outcome::ProcessEnded);
}

TEST(CInterpreter, CallsWithArgumentsAndSeveralResults) {
  Built built;
  built.add_global("x", 8);
  built.add_function("main", {Call{{to(3), to(4)}, function(1), {num(10), num(4)}},
                              store(global(0), reg(3)), store(global(0, 4), reg(4)), finish()});
  built.add_function("both", {binary(2, Operator::Sub, reg(0), reg(1)), Return{{reg(2), reg(0)}}},
                     2);
  const Ran ran(built);
  EXPECT_EQ(ran.word(0, 8), 0xa'0000'0006u);
}

TEST(CInterpreter, ReportsCallsOfWhatIsNoFunction) {
  Built built;
  built.add_function("main", {Call{{}, num(12345), {}}, finish()});
  EXPECT_EQ(Ran(built).violation(), Violation::Kind::InvalidAccess);
}

TEST(CInterpreter, StackObjectsEndWithTheirFrame) {
  Built built;
  built.add_function("main", {Call{{to(0)}, function(1), {}}, load(1, reg(0)), finish()});
  built.add_function(
      "local", {Allocate{to(0), Allocate::Where::Stack, num(4), false, {}, "v"}, Return{{reg(0)}}});
  const Ran ran(built);
  EXPECT_EQ(ran.violation(), Violation::Kind::InvalidAccess);
  EXPECT_NE(ran.last.violation->what.find("scope"), std::string::npos);
}

/// A function that returns the address of its variable.
void add_local(Built& built) {
  built.add_function(
      "local", {Allocate{to(0), Allocate::Where::Stack, num(4), false, {}, "v"}, Return{{reg(0)}}});
}

TEST(CInterpreter, StackAddressesAreReused) {
  Built built;
  const auto hidden = [](std::uint32_t to_register) {
    return binary(to_register, Operator::Xor, reg(0), num(~std::uint64_t{0}), 64);
  };
  built.add_function(
      "main",
      {Call{{to(0)}, function(1), {}}, hidden(1), binary(0, Operator::Xor, reg(0), reg(0), 64),
       Call{{to(0)}, function(1), {}}, hidden(2), binary(3, Operator::Eq, reg(1), reg(2), 64),
       branch(reg(3), 7, 8), finish(), fail()});
  add_local(built);
  EXPECT_EQ(Ran(built).last.outcome, Outcome::ProcessEnded);
}

TEST(CInterpreter, StackAddressesAreNotReusedWhileAWordPointsThere) {
  Built built;
  built.add_function("main", {Call{{to(0)}, function(1), {}}, Call{{to(1)}, function(1), {}},
                              binary(2, Operator::Eq, reg(0), reg(1), 64), branch(reg(2), 4, 5),
                              fail(), finish()});
  add_local(built);
  EXPECT_EQ(Ran(built).last.outcome, Outcome::ProcessEnded);
}

TEST(CInterpreter, LifetimesEndAndBegin) {
  Built built;
  const auto allocate = Allocate{to(0), Allocate::Where::Stack, num(4), true, {}, "v"};
  built.add_function("main", {allocate, Lifetime{reg(0), false}, load(1, reg(0)), finish()});
  EXPECT_EQ(Ran(built).violation(), Violation::Kind::InvalidAccess);
  Built again;
  again.add_function("main", {allocate, Lifetime{reg(0), false}, Lifetime{reg(0), true},
                              load(1, reg(0)), finish()});
  EXPECT_EQ(Ran(again).last.outcome, Outcome::NeedsChoice);  // zero before, undefined now
}

class CMemory : public ::testing::TestWithParam<std::uint8_t> {
 protected:
  Ran run(std::vector<Effect> code) {
    Built built;
    built.program.pointer_bytes = GetParam();
    built.add_global("x", 8);
    built.add_global("y", 8);
    built.add_function("main", std::move(code));
    return Ran(std::move(built));
  }
  Effect allocate(std::uint64_t size) {
    return Allocate{to(0), Allocate::Where::Heap, num(size), true, {}, ""};
  }
};

TEST_P(CMemory, SeesOutOfBounds) {
  for (const std::uint64_t offset : {5u, 8u, 9u}) {
    const Ran ran = run({load(1, global(0, offset)), finish()});
    EXPECT_EQ(ran.violation(), Violation::Kind::InvalidAccess) << offset;
    EXPECT_NE(ran.last.violation->what.find("out of bounds"), std::string::npos);
    EXPECT_NE(ran.last.violation->what.find("of x"), std::string::npos);
  }
  EXPECT_EQ(run({load(1, global(0, 4)), finish()}).last.outcome, Outcome::ProcessEnded);
  const Ran below = run({load(1, global(1, ~std::uint64_t{3})), finish()});
  EXPECT_EQ(below.violation(), Violation::Kind::InvalidAccess);
}

TEST_P(CMemory, SeesNullPointers) {
  const Ran ran = run({store(num(8), num(1)), finish()});
  EXPECT_NE(ran.last.violation.value().what.find("null pointer"), std::string::npos);
}

TEST_P(CMemory, SeesUseAfterFreeDoubleFreeAndInvalidFree) {
  const Ran use = run({allocate(4), Free{reg(0)}, load(1, reg(0)), finish()});
  EXPECT_EQ(use.violation(), Violation::Kind::InvalidAccess);
  EXPECT_EQ(use.last.violation->what.find("scope"), std::string::npos);
  EXPECT_NE(use.last.violation->what.find("free"), std::string::npos);
  EXPECT_EQ(run({allocate(4), Free{reg(0)}, Free{reg(0)}, finish()}).violation(),
            Violation::Kind::DoubleFree);
  EXPECT_EQ(run({Free{global(0)}, finish()}).violation(), Violation::Kind::InvalidFree);
  EXPECT_EQ(run({allocate(4), binary(1, Operator::Add, reg(0), num(1), 64), Free{reg(1)}, finish()})
                .violation(),
            Violation::Kind::InvalidFree);
  EXPECT_EQ(run({Free{num(0)}, finish()}).last.outcome, Outcome::ProcessEnded);
}

TEST_P(CMemory, FreedAddressesAreNotReused) {
  const Ran ran =
      run({allocate(4), Free{reg(0)}, binary(1, Operator::Copy, reg(0), num(0), 64), allocate(4),
           binary(2, Operator::Eq, reg(0), reg(1), 64), branch(reg(2), 6, 7), fail(), finish()});
  EXPECT_EQ(ran.last.outcome, Outcome::ProcessEnded);
}

TEST_P(CMemory, KnowsTheSizeOfObjects) {
  const Ran ran =
      run({allocate(12), ObjectSize{to(1), reg(0)}, store(global(0), reg(1)), finish()});
  EXPECT_EQ(ran.word(0), 12u);
}

TEST_P(CMemory, RefusesObjectsThatDoNotFit) {
  EXPECT_EQ(run({allocate(~std::uint64_t{0}), finish()}).violation(), Violation::Kind::Unsupported);
}

TEST_P(CMemory, BytesOverlapAsOnTheMachine) {
  const Ran ran = run({store(global(0), num(0x11223344)), store(global(0, 1), num(0xab), 1),
                       load(1, global(0), 2), store(global(1), reg(1)), finish()});
  EXPECT_EQ(ran.word(1), 0xab44u);
}

INSTANTIATE_TEST_SUITE_P(PointerSizes, CMemory, ::testing::Values(8, 4));

TEST(CInterpreter, ConstantsAreNotWritten) {
  Built built;
  built.add_global("text", 4);
  built.program.globals[0].is_constant = true;
  built.add_function("main", {store(global(0), num(1)), finish()});
  EXPECT_EQ(Ran(built).violation(), Violation::Kind::InvalidAccess);
}

TEST(CInterpreter, RelocationsPointToGlobalsAndFunctions) {
  Built built;
  built.add_global("x", 4, {7, 0, 0, 0});
  built.add_global("pointer", 8);
  built.program.globals[1].relocations = {{0, global(0)}};
  built.add_global("result", 4);
  built.add_function("main",
                     {load(0, global(1), 8), load(1, reg(0)), store(global(2), reg(1)), finish()});
  EXPECT_EQ(Ran(built).word(2), 7u);
}

TEST(CInterpreter, UndefinedBytesAreChosenOnceAndStay) {
  Built built;
  built.add_global("x", 8);
  built.program.globals[0].is_extern = true;
  built.add_global("y", 8);
  built.add_function("main",
                     {store(global(0), num(0x55), 1), load(0, global(0)), store(global(1), reg(0)),
                      load(0, global(0)), store(global(1, 4), reg(0)), finish()});
  EXPECT_EQ(Ran(built).last.request.undefined, 0xffffff00u);
  const Ran ran(built, {0x12345678});
  EXPECT_EQ(ran.last.outcome, Outcome::ProcessEnded);
  EXPECT_EQ(ran.word(1, 8), 0x12345655'12345655u);
}

TEST(CInterpreter, InputsComeFromTheRun) {
  Built built;
  built.add_global("x", 4);
  built.add_function("main", {choose(0, 8), store(global(0), reg(0)), finish()});
  EXPECT_EQ(Ran(built).last.outcome, Outcome::NeedsChoice);
  EXPECT_EQ(Ran(built, {0x1ff}).word(0), 0xffu);
}

TEST(CInterpreter, AssumptionsPruneAndFailuresAreReported) {
  Built built;
  built.add_function("main", {Assume{num(1)}, Assume{num(0)}, finish()});
  EXPECT_EQ(Ran(built).last.outcome, Outcome::Pruned);
  Built failing;
  failing.add_function("main", {fail()});
  const Ran ran(failing);
  EXPECT_EQ(ran.violation(), Violation::Kind::Failure);
  EXPECT_EQ(ran.last.violation->position.line, 1u);
}

TEST(CInterpreter, ReportsOverflowAndDivisionByZero) {
  Built built;
  built.add_function(
      "main", {Compute{to(0), Operator::Add, 32, 32, true, num(0x7fffffff), num(1), {}}, finish()});
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  EXPECT_TRUE(step(interpreter, state, 0).overflowed);
  EXPECT_EQ(interpreter.value(state, ThreadId(0u), reg(0)), 0x80000000u);
  Built dividing;
  dividing.add_function("main", {binary(0, Operator::UDiv, num(1), num(0)), finish()});
  EXPECT_EQ(Ran(dividing).violation(), Violation::Kind::DivisionByZero);
}

TEST(CInterpreter, AtomicOperations) {
  using Operation = ReadModifyWrite::Operation;
  Built built;
  built.add_global("x", 4, {5, 0, 0, 0});
  built.add_global("old", 4);
  built.add_function("main", {ReadModifyWrite{to(0), Operation::Add, global(0), num(3), 4},
                              store(global(1), reg(0)), finish()});
  const Ran ran(built);
  EXPECT_EQ(ran.word(0), 8u);
  EXPECT_EQ(ran.word(1), 5u);
}

TEST(CInterpreter, CompareExchange) {
  for (const bool weak : {false, true}) {
    for (const std::uint64_t expected : {5u, 6u}) {
      Built built;
      built.add_global("x", 4, {5, 0, 0, 0});
      built.add_global("success", 4);
      built.add_function("main",
                         {CompareExchange{to(0), to(1), global(0), num(expected), num(9), 4, weak},
                          store(global(1), reg(1)), finish()});
      const Ran ran(built, {0});
      EXPECT_EQ(ran.word(0), expected == 5 ? 9u : 5u);
      EXPECT_EQ(ran.word(1), expected == 5 ? 1u : 0u);
      if (weak && expected == 5) {
        const Ran failing(built, {1});
        EXPECT_EQ(failing.word(0), 5u);
        EXPECT_EQ(failing.word(1), 0u);
      }
    }
  }
}

TEST(CThreads, CreateJoinAndResult) {
  Built built;
  built.add_global("handle", 8);
  built.add_global("result", 8);
  built.add_function(
      "main",
      {sync(SyncOperation::CreateThread, {global(0), function(1), num(6)}), load(0, global(0), 8),
       sync_to(1, SyncOperation::JoinThread, {reg(0), global(1)}), finish()});
  built.add_function("twice", {binary(1, Operator::Add, reg(0), reg(0), 64), Return{{reg(1)}}}, 1);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  EXPECT_FALSE(interpreter.can_step(state, ThreadId(0u), true));
  EXPECT_EQ(step(interpreter, state, 0).outcome, Outcome::Blocked);
  step(interpreter, state, 1);
  step(interpreter, state, 1);
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(0u), true));
  EXPECT_EQ(step(interpreter, state, 0).outcome, Outcome::Continued);
  EXPECT_EQ(state.memory.load(interpreter.addresses().of_global(GlobalId(1u)), 8).value, 12u);
  EXPECT_EQ(state.thread(ThreadId(1u)).status, Thread::Status::Unused);
}

TEST(CThreads, JoinErrors) {
  Built built;
  built.add_global("x", 12);
  built.add_function(
      "main",
      {sync_to(0, SyncOperation::SelfThread),
       sync_to(1, SyncOperation::JoinThread, {reg(0), num(0)}), store(global(0), reg(1)),
       sync_to(1, SyncOperation::JoinThread, {num(77), num(0)}), store(global(0, 4), reg(1)),
       sync(SyncOperation::DetachThread, {reg(0)}),
       sync_to(1, SyncOperation::DetachThread, {reg(0)}), store(global(0, 8), reg(1)), finish()});
  const Ran ran(built);
  EXPECT_EQ(ran.last.outcome, Outcome::ProcessEnded);
  EXPECT_EQ(ran.word(0, 8), 3ull << 32 | 35u);
  EXPECT_EQ(ran.state.memory.load(ran.interpreter.addresses().of_global(GlobalId(0u)) + 8, 4).value,
            22u);
}

TEST(CThreads, SlotsOfDetachedThreadsAreUsedAgainAndHeapAddressesAreNot) {
  Built built = with_threads(
      {Allocate{to(1), Allocate::Where::Heap, num(4), true, {}, ""},
       sync_to(2, SyncOperation::SelfThread), sync(SyncOperation::DetachThread, {reg(2)}), ret()},
      2, {finish()});
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  for (int i = 0; i < 4; ++i) step(interpreter, state, 1);
  EXPECT_EQ(state.thread(ThreadId(1u)).status, Thread::Status::Unused);
  step(interpreter, state, 0);
  EXPECT_EQ(state.threads.size(), 2u);
  step(interpreter, state, 1);
  std::size_t heap_objects = 0;
  for (const Memory::Slot& slot : state.memory.slots()) {
    heap_objects += slot.object->kind == Object::Kind::Heap ? 1 : 0;
  }
  EXPECT_EQ(heap_objects, 2u);
}

TEST(CThreads, MainMayEndBeforeTheOthers) {
  Built built = with_threads({ret()}, 1, {sync(SyncOperation::ExitThread, {num(0)})});
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  EXPECT_FALSE(state.has_ended);
  EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Continued);
  EXPECT_FALSE(is_deadlocked(interpreter, state));  // everybody has ended
}

TEST(CThreads, ThreadLocalGlobalsAreOnePerThread) {
  Built built = with_threads({store(global(0), num(5)), load(1, global(0)), ret()}, 1,
                             {load(1, global(0)), finish()});
  built.add_global("own", 4, {1, 0, 0, 0});
  built.program.globals[0].is_thread_local = true;
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 1);
  step(interpreter, state, 1);
  EXPECT_EQ(interpreter.value(state, ThreadId(1u), reg(1)), 5u);
  step(interpreter, state, 0);
  EXPECT_EQ(interpreter.value(state, ThreadId(0u), reg(1)), 1u);
}

class CMutex : public ::testing::Test {
 protected:
  /// One thread locks twice and unlocks twice and keeps the four results in "results".
  std::vector<std::uint64_t> twice(std::uint64_t kind, std::uint8_t pointer_bytes) {
    Built built;
    built.program.pointer_bytes = pointer_bytes;
    built.add_global("mutex", 40);
    built.add_global("results", 16);
    std::vector<Effect> code{sync(SyncOperation::MutexInit, {global(0), num(kind)})};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto operation = i < 2 ? SyncOperation::MutexLock : SyncOperation::MutexUnlock;
      code.push_back(sync_to(0, operation, {global(0)}));
      code.push_back(store(global(1, 4ull * i), reg(0)));
    }
    code.push_back(finish());
    built.add_function("main", std::move(code));
    const Ran ran(built);
    std::vector<std::uint64_t> results{static_cast<std::uint64_t>(ran.last.outcome)};
    for (std::uint32_t i = 0; i < 4; ++i) {
      results.push_back(
          ran.state.memory.load(ran.interpreter.addresses().of_global(GlobalId(1u)) + 4 * i, 4)
              .value);
    }
    return results;
  }
};

TEST_F(CMutex, KindsDiffer) {
  const auto blocked = static_cast<std::uint64_t>(Outcome::Blocked);
  const auto ended = static_cast<std::uint64_t>(Outcome::ProcessEnded);
  for (const std::uint8_t pointer_bytes : std::vector<std::uint8_t>{8, 4}) {
    EXPECT_EQ(twice(0, pointer_bytes)[0], blocked);
    EXPECT_EQ(twice(3, pointer_bytes)[0], blocked);
    EXPECT_EQ(twice(1, pointer_bytes), (std::vector<std::uint64_t>{ended, 0, 0, 0, 0}));
    EXPECT_EQ(twice(2, pointer_bytes), (std::vector<std::uint64_t>{ended, 0, 35, 0, 1}));
  }
}

TEST_F(CMutex, ExcludesOthersAndTryLockIsBusy) {
  Built built = with_threads({sync_to(1, SyncOperation::MutexTryLock, {global(0)}),
                              sync(SyncOperation::MutexLock, {global(0)}), ret()},
                             1,
                             {sync(SyncOperation::MutexLock, {global(0)}),
                              sync(SyncOperation::MutexUnlock, {global(0)}), finish()});
  built.add_global("mutex", 40);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  step(interpreter, state, 1);
  EXPECT_EQ(interpreter.value(state, ThreadId(1u), reg(1)), 16u);
  EXPECT_FALSE(interpreter.can_step(state, ThreadId(1u), true));
  EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Blocked);
  step(interpreter, state, 0);
  EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Continued);
  EXPECT_EQ(mutex_owner(state.memory, interpreter.addresses().of_global(GlobalId(0u))), 2u);
}

/// Thread 1 waits for the condition (global 1) with the mutex (global 0).
Built waiting(SyncOperation wait, int threads = 1) {
  Built built = with_threads(
      {sync(SyncOperation::MutexLock, {global(0)}), sync_to(1, wait, {global(1), global(0)}),
       sync(SyncOperation::MutexUnlock, {global(0)}), ret()},
      threads,
      {sync(SyncOperation::ConditionSignal, {global(1)}),
       sync(SyncOperation::ConditionBroadcast, {global(1)}), finish()});
  built.add_global("mutex", 40);
  built.add_global("condition", 48);
  return built;
}

TEST(CConditions, WaitReleasesAndRelocksAfterASignal) {
  Built built = waiting(SyncOperation::ConditionWait);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  const std::uint64_t mutex = interpreter.addresses().of_global(GlobalId(0u));
  step(interpreter, state, 0);
  step(interpreter, state, 1);
  step(interpreter, state, 1);
  EXPECT_EQ(mutex_owner(state.memory, mutex), 0u);
  EXPECT_FALSE(interpreter.can_step(state, ThreadId(1u), false));
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(1u), true));  // by itself
  step(interpreter, state, 0);
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(1u), false));
  EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Continued);
  EXPECT_EQ(mutex_owner(state.memory, mutex), 2u);
}

TEST(CConditions, SignalWakesOneAndBroadcastAll) {
  Built built = waiting(SyncOperation::ConditionWait, 2);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  for (const std::uint32_t thread : {1u, 1u, 2u, 2u}) step(interpreter, state, thread);
  const StepResult asked = step(interpreter, state, 0);
  EXPECT_EQ(asked.outcome, Outcome::NeedsChoice);
  EXPECT_EQ(asked.request.count, 2u);
  step(interpreter, state, 0, {1});
  EXPECT_FALSE(interpreter.can_step(state, ThreadId(1u), false));
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(2u), false));
  step(interpreter, state, 0);
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(1u), false));
}

TEST(CConditions, TimedWaitsMayTimeOut) {
  for (const std::uint64_t times_out : {0u, 1u}) {
    Built built = waiting(SyncOperation::ConditionTimedWait);
    Interpreter interpreter(built.program);
    State state = interpreter.initial();
    for (const std::uint32_t thread : {0u, 1u, 1u}) step(interpreter, state, thread);
    EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::NeedsChoice);
    step(interpreter, state, 1, {times_out});
    EXPECT_EQ(interpreter.value(state, ThreadId(1u), reg(1)), times_out == 1 ? 110u : 0u);
  }
}

TEST(CSections, ExcludeOtherThreadsAndNest) {
  Built built =
      with_threads({store(global(0), num(1)), ret()}, 1,
                   {sync(SyncOperation::AtomicBegin), sync(SyncOperation::AtomicBegin),
                    sync(SyncOperation::AtomicEnd), sync(SyncOperation::AtomicEnd), finish()});
  built.add_global("x", 4);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  for (int i = 0; i < 3; ++i) {
    step(interpreter, state, 0);
    EXPECT_FALSE(interpreter.can_step(state, ThreadId(1u), true));
    EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Blocked);
  }
  step(interpreter, state, 0);
  EXPECT_EQ(step(interpreter, state, 1).outcome, Outcome::Continued);
}

TEST(CSections, AtomicFunctionsAreSections) {
  Built built = with_threads({ret()}, 1, {Call{{}, function(2), {}}, finish()});
  built.add_function("__VERIFIER_atomic_f", {jump(1), ret()});
  built.program.functions[2].is_atomic = true;
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  EXPECT_FALSE(interpreter.can_step(state, ThreadId(1u), true));
  step(interpreter, state, 0);
  step(interpreter, state, 0);
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(1u), true));
}

TEST(CSections, BlockUntilUndoesTheSection) {
  Built built = with_threads(
      {store(global(0), num(1)), ret()}, 1,
      {sync(SyncOperation::AtomicBegin), store(global(1), num(7)), load(0, global(0)),
       sync(SyncOperation::BlockUntil, {reg(0)}), sync(SyncOperation::AtomicEnd), finish()});
  built.add_global("x", 4);
  built.add_global("y", 4);
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  const std::uint64_t y = interpreter.addresses().of_global(GlobalId(1u));
  for (int i = 0; i < 4; ++i) step(interpreter, state, 0);
  EXPECT_EQ(state.memory.load(y, 4).value, 7u);
  EXPECT_EQ(step(interpreter, state, 0).outcome, Outcome::Undone);
  EXPECT_EQ(state.memory.load(y, 4).value, 0u);
  EXPECT_FALSE(state.section_owner);
  step(interpreter, state, 1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(step(interpreter, state, 0).outcome, Outcome::Continued);
  EXPECT_EQ(state.memory.load(y, 4).value, 7u);
}

TEST(CDeadlocks, AreSeenWithoutSpuriousWakeUps) {
  Built built = waiting(SyncOperation::ConditionWait);
  built.program.functions[0].code[1].effect = sync(SyncOperation::ExitThread, {num(0)});
  Interpreter interpreter(built.program);
  State state = interpreter.initial();
  for (const std::uint32_t thread : {0u, 1u, 1u}) step(interpreter, state, thread);
  EXPECT_FALSE(is_deadlocked(interpreter, state));
  step(interpreter, state, 0);
  EXPECT_TRUE(is_deadlocked(interpreter, state));
}

TEST(CDeadlocks, CountSectionsThatWouldBeUndone) {
  Built built;
  built.add_global("x", 4);
  built.add_function("main", {sync(SyncOperation::AtomicBegin), load(0, global(0)),
                              sync(SyncOperation::BlockUntil, {reg(0)}),
                              sync(SyncOperation::AtomicEnd), finish()});
  Interpreter interpreter(built.program);
  const State state = interpreter.initial();
  EXPECT_TRUE(interpreter.can_step(state, ThreadId(0u), false));
  EXPECT_TRUE(is_deadlocked(interpreter, state));
}

}  // namespace
}  // namespace heddle::testing::c
