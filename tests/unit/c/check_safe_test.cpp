#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "support/c_oracle.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::testing::c {
namespace {

/// Random programs about objects that come and go, and about who waits for whom: a heap object that
/// may be freed, addresses of stack objects in a global, calls, joins, tried locks.
class ObjectPrograms {
 public:
  explicit ObjectPrograms(std::uint32_t seed, bool forgets = false)
      : random_(seed), forgets_(forgets) {}

  Built program() {
    Built built;
    built.program.keeps_pointers = true;
    for (const auto& [name, size] : {std::pair{"x", 4}, {"y", 4}, {"m", 40}, {"n", 40}}) {
      built.add_global(name, static_cast<std::uint64_t>(size));
    }
    built.add_global("handles", 16);
    built.add_global("heap", 8);
    built.add_global("stack", 8);
    const auto threads = static_cast<std::uint32_t>(1 + below(2));
    std::vector<Effect> entry{Allocate{to(9), Allocate::Where::Stack, num(4), true, {}, "own"},
                              Allocate{to(8), Allocate::Where::Heap, num(4), true, {}, ""},
                              store(global(kHeap), reg(8), 8)};
    for (std::uint32_t i = 0; i < threads; ++i) {
      entry.push_back(sync(SyncOperation::CreateThread, {global(kHandles, 8 * i), function(i + 2),
                                                         below(2) == 0 ? reg(9) : global(0)}));
    }
    body(entry, 1 + below(3), 9);
    for (std::uint32_t i = 0; i < threads; ++i) {
      if (below(3) == 0) continue;
      entry.push_back(load(3, global(kHandles, 8 * i), 8));
      entry.push_back(sync(SyncOperation::JoinThread, {reg(3), num(0)}));
    }
    body(entry, 1 + below(3), 9);
    entry.push_back(below(2) == 0 ? finish() : sync(SyncOperation::ExitThread, {num(0)}));
    built.add_function("main", std::move(entry));
    built.add_function("callee", callee(), 1);
    for (std::uint32_t i = 0; i < threads; ++i) {
      std::vector<Effect> code{load(8, global(kHeap), 8)};
      body(code, 1 + below(3), 0);
      code.push_back(ret());
      built.add_function("work", std::move(code), 1);
    }
    return built;
  }

 private:
  static constexpr std::uint32_t kHandles = 4;
  static constexpr std::uint32_t kHeap = 5;
  static constexpr std::uint32_t kStack = 6;

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }

  /// Tells everybody the address of a variable of its own, and returns.
  std::vector<Effect> callee() {
    std::vector<Effect> code{Allocate{to(9), Allocate::Where::Stack, num(4), true, {}, "inner"}};
    if (below(2) == 0) code.push_back(store(global(kStack), reg(9), 8));
    code.push_back(store(reg(9), num(1)));
    if (below(2) == 0) code.push_back(load(1, global(0)));
    code.push_back(load(1, reg(9)));
    code.push_back(Return{{reg(1)}});
    return code;
  }

  Operand variable(std::uint32_t own) {
    const int which = below(5);
    return which < 2 ? global(static_cast<std::uint32_t>(which)) : which < 4 ? reg(8) : reg(own);
  }

  void body(std::vector<Effect>& code, int length, std::uint32_t own) {
    for (int i = 0; i < length; ++i) statement(code, own);
    if (holds_) code.push_back(sync(SyncOperation::MutexUnlock, {global(2)}));
    holds_ = false;
  }

  void statement(std::vector<Effect>& code, std::uint32_t own) {
    const auto at = static_cast<std::uint32_t>(code.size());
    if (forgets_ && below(3) == 0) {  // the heap object's only global, and its register
      if (below(2) == 0) code.push_back(Free{reg(8)});
      if (below(2) == 0) code.push_back(store(global(kHeap), num(0), 8));
      if (below(2) == 0) code.push_back(binary(8, Operator::Copy, global(0), num(0), 64));
      return;
    }
    switch (below(11)) {
      case 0:
      case 1: code.push_back(load(1, variable(own))); return;
      case 2: code.push_back(store(variable(own), num(1))); return;
      case 3: code.push_back(store(variable(own), reg(1))); return;
      case 4:
        code.push_back(
            ReadModifyWrite{to(1), ReadModifyWrite::Operation::Add, variable(own), num(1), 4});
        return;
      case 5:
        holds_ = !holds_;
        code.push_back(
            sync(holds_ ? SyncOperation::MutexLock : SyncOperation::MutexUnlock, {global(2)}));
        return;
      case 6:  // if (trylock(m or n) == 0) { x = 2; unlock }
        code.push_back(sync_to(1, SyncOperation::MutexTryLock,
                               {global(2u + static_cast<unsigned>(below(2)))}));
        code.push_back(binary(2, Operator::Eq, reg(1), num(0)));
        code.push_back(branch(reg(2), at + 3, at + 5));
        code.push_back(store(variable(own), num(2)));
        code.push_back(sync(SyncOperation::MutexUnlock, {global(3)}));
        return;
      case 7:  // if (r1 == 1) fail or store
        code.push_back(binary(2, Operator::Eq, reg(1), num(1)));
        code.push_back(branch(reg(2), at + 2, at + 3));
        code.push_back(below(3) == 0 ? fail() : store(variable(own), num(2)));
        return;
      case 8:
        if (below(2) == 0) code.push_back(Free{reg(8)});
        return;
      case 9: code.push_back(Call{{to(1)}, function(1), {num(0)}}); return;
      default:  // if (stack != 0) r1 = *stack
        code.push_back(load(7, global(kStack), 8));
        code.push_back(binary(2, Operator::Ne, reg(7), num(0), 64));
        code.push_back(branch(reg(2), at + 3, at + 4));
        code.push_back(below(2) == 0 ? load(1, reg(7)) : store(reg(7), num(3)));
        return;
    }
  }

  std::mt19937 random_;
  bool forgets_;
  bool holds_ = false;
};

int object_programs() {
  const char* more = std::getenv("HEDDLE_C_PROGRAMS");
  return more != nullptr ? std::atoi(more) : 60;
}

/// Compares oracle, engine and checker; how many programs violate the property and how many do not.
struct Verdicts {
  std::size_t safe = 0;
  std::size_t unsafe = 0;

  void add(const Program& program, Property property, int seed) {
    const COracleAnswer truth = COracle(program, property).ask(50'000);
    if (!truth.is_complete && !truth.is_violated) return;
    base::RunContext context;
    const auto checked = check::c::check_safe(program, property, {}, context);
    EXPECT_EQ(checked.status, truth.is_violated ? answer::EvidenceStatus::Refuted
                                                : answer::EvidenceStatus::Confirmed)
        << "seed " << seed << " " << to_string(property) << " " << checked.why;
    const auto found = engine::explore::explore(program, property, {}, context);
    EXPECT_EQ(found.verdict, truth.is_violated ? engine::explore::ExploreVerdict::Unsafe
                                               : engine::explore::ExploreVerdict::Safe)
        << "seed " << seed << " " << to_string(property);
    if (found.run) {
      const auto executed = check::c::check_run(program, property, *found.run);
      EXPECT_EQ(executed.status, answer::EvidenceStatus::Confirmed)
          << "seed " << seed << " " << to_string(property) << " " << executed.why;
    }
    ++(truth.is_violated ? unsafe : safe);
  }
};

TEST(CCheckSafe, AgreesWithTheOracleAboutObjects) {
  Verdicts verdicts;
  for (int seed = 0; seed < object_programs(); ++seed) {
    const Built built = ObjectPrograms(static_cast<std::uint32_t>(seed)).program();
    for (const Property property :
         {Property::Reach, Property::NoDataRace, Property::NoDeadlock, Property::Memory})
      verdicts.add(built.program, property, seed);
  }
  EXPECT_GT(verdicts.safe, static_cast<std::size_t>(object_programs()) / 2);
  EXPECT_GT(verdicts.unsafe, static_cast<std::size_t>(object_programs()) / 2);
}

TEST(CCheckSafe, AgreesWithTheOracleAboutLostMemory) {
  for (const Property property : {Property::MemorySafety, Property::MemoryCleanup}) {
    Verdicts verdicts;
    for (int seed = 0; seed < object_programs(); ++seed) {
      const Built built = ObjectPrograms(static_cast<std::uint32_t>(seed), true).program();
      verdicts.add(built.program, property, seed);
    }
    EXPECT_GT(verdicts.safe, static_cast<std::size_t>(object_programs()) / 20);
    EXPECT_GT(verdicts.unsafe, static_cast<std::size_t>(object_programs()) / 4);
  }
}

TEST(CCheckSafe, RunsThatLoseNothingAreRefuted) {
  Built built;
  built.program.keeps_pointers = true;
  built.add_global("heap", 8);
  built.add_function("main", {Allocate{to(1), Allocate::Where::Heap, num(4), true, {}, ""},
                              store(global(0), reg(1), 8), store(global(0), num(0), 8), finish()});
  base::RunContext context;
  const auto found = engine::explore::explore(built.program, Property::MemorySafety, {}, context);
  ASSERT_TRUE(found.run);
  EXPECT_EQ(found.run->violation.what, "no pointer leads to a heap object of 4 bytes any more");
  EXPECT_EQ(found.run->violation.position.line, 3u);
  const auto check = [&](const model::c::Run& run, Property property) {
    return check::c::check_run(built.program, property, run).status;
  };
  EXPECT_EQ(check(*found.run, Property::MemorySafety), answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(check(*found.run, Property::Memory), answer::EvidenceStatus::Refuted);
  model::c::Run shorter = *found.run;
  --shorter.steps.back().instructions;
  EXPECT_EQ(check(shorter, Property::MemorySafety), answer::EvidenceStatus::Refuted);
  model::c::Run early = *found.run;  // the process has not ended
  early.violation.kind = Violation::Kind::UnfreedMemory;
  EXPECT_EQ(check(early, Property::MemoryCleanup), answer::EvidenceStatus::Refuted);
  built.program.keeps_pointers = false;
  EXPECT_EQ(check(*found.run, Property::MemorySafety), answer::EvidenceStatus::Refuted);
}

/// Two threads that only work on what they lock: one state for each order of the locks.
TEST(CCheckSafe, JoinsWhatALockProtects) {
  Built built;
  built.add_global("x", 4);
  built.add_global("m", 40);
  std::vector<Effect> entry{sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}),
                            sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}),
                            sync(SyncOperation::ExitThread, {num(0)})};
  built.add_function("main", std::move(entry));
  std::vector<Effect> work;
  for (int i = 0; i < 3; ++i) {
    work.push_back(sync(SyncOperation::MutexLock, {global(1)}));
    work.push_back(load(1, global(0)));
    work.push_back(binary(1, Operator::Add, reg(1), num(1)));
    work.push_back(store(global(0), reg(1)));
    work.push_back(sync(SyncOperation::MutexUnlock, {global(1)}));
  }
  work.push_back(ret());
  built.add_function("work", std::move(work), 1);
  base::RunContext context;
  const auto reduced = check::c::check_safe(built.program, Property::NoDataRace, {}, context);
  EXPECT_EQ(reduced.status, answer::EvidenceStatus::Confirmed);
  check::c::SafeBounds few;
  few.states = 16;  // 4 × 4 numbers of critical sections
  EXPECT_EQ(check::c::check_safe(built.program, Property::NoDataRace, few, context).status,
            answer::EvidenceStatus::Confirmed);
  few.reduces = false;
  EXPECT_EQ(check::c::check_safe(built.program, Property::NoDataRace, few, context).status,
            answer::EvidenceStatus::NotChecked);
  few.states = 1'000'000;
  EXPECT_EQ(check::c::check_safe(built.program, Property::NoDataRace, few, context).status,
            answer::EvidenceStatus::Confirmed);
}

}  // namespace
}  // namespace heddle::testing::c
