#include "engine/explore/explore.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "check/c/check.hpp"
#include "support/c_oracle.hpp"
#include "support/c_program_builder.hpp"
#include "support/sanitized.hpp"

namespace heddle::testing::c {
namespace {

using engine::explore::ExploreOptions;
using engine::explore::ExploreResult;
using engine::explore::ExploreVerdict;

ExploreResult explored(const Built& built, Property property = Property::Reach,
                       ExploreOptions options = {}) {
  base::RunContext context;
  ExploreResult result = engine::explore::explore(built.program, property, options, context);
  if (result.run) {
    const answer::CheckResult checked = check::c::check_run(built.program, property, *result.run);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  }
  return result;
}

Effect create(std::uint32_t start) {
  return sync(SyncOperation::CreateThread, {num(0), function(start), num(0)});
}

/// Two threads increment x without a lock (or with one), main joins both and asserts x == 2.
Built counter(bool locks) {
  Built built;
  built.add_global("x", 4);
  built.add_global("mutex", 40);
  built.add_global("handles", 16);
  const auto create_at = [](std::uint64_t offset) {
    return sync(SyncOperation::CreateThread, {global(2, offset), function(1), num(0)});
  };
  built.add_function(
      "main", {create_at(0), create_at(8), load(0, global(2), 8),
               sync(SyncOperation::JoinThread, {reg(0), num(0)}), load(0, global(2, 8), 8),
               sync(SyncOperation::JoinThread, {reg(0), num(0)}), load(0, global(0)),
               binary(1, Operator::Eq, reg(0), num(2)), branch(reg(1), 10, 9), fail(), finish()});
  std::vector<Effect> code{load(1, global(0)), binary(2, Operator::Add, reg(1), num(1)),
                           store(global(0), reg(2)), ret()};
  if (locks) {
    code.insert(code.begin(), sync(SyncOperation::MutexLock, {global(1)}));
    code.insert(code.end() - 1, sync(SyncOperation::MutexUnlock, {global(1)}));
  }
  built.add_function("work", std::move(code), 1);
  return built;
}

TEST(CExplore, FindsTheLostUpdate) {
  EXPECT_EQ(explored(counter(false)).verdict, ExploreVerdict::Unsafe);
  EXPECT_EQ(explored(counter(true)).verdict, ExploreVerdict::Safe);
}

TEST(CExplore, SaysHowFarItIs) {
  std::vector<base::Event> heard;
  base::RunContext context;
  context.listen([&](const base::Event& event) { heard.push_back(event); });
  engine::explore::explore(counter(true).program, Property::Reach, {}, context);
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.front().phase, "exploring");
  EXPECT_GE(heard.front().figures.at(0).second, 1);
}

TEST(CExplore, FindsRaces) {
  EXPECT_EQ(explored(counter(false), Property::NoDataRace).verdict, ExploreVerdict::Unsafe);
  EXPECT_EQ(explored(counter(true), Property::NoDataRace).verdict, ExploreVerdict::Safe);
}

TEST(CExplore, FindsRacesBetweenSectionsAndPlainAccesses) {
  Built built;
  built.add_global("x", 4);
  built.add_function("main", {create(1), store(global(0), num(1)), finish()});
  built.add_function(
      "work",
      {sync(SyncOperation::AtomicBegin), load(1, global(0)), sync(SyncOperation::AtomicEnd), ret()},
      1);
  EXPECT_EQ(explored(built, Property::NoDataRace).verdict, ExploreVerdict::Unsafe);
  built.program.functions[0].code[1].effect = Store{global(0), num(1), 4, true};
  EXPECT_EQ(explored(built, Property::NoDataRace).verdict, ExploreVerdict::Safe);
}

TEST(CExplore, FindsTheDeadlockOfTwoMutexes) {
  Built built;
  built.add_global("a", 40);
  built.add_global("b", 40);
  const auto lock = [](std::uint32_t mutex) {
    return sync(SyncOperation::MutexLock, {global(mutex)});
  };
  built.add_function("main",
                     {create(1), lock(0), lock(1), sync(SyncOperation::ExitThread, {num(0)})});
  built.add_function("work",
                     {lock(1), lock(0), sync(SyncOperation::MutexUnlock, {global(0)}),
                      sync(SyncOperation::MutexUnlock, {global(1)}), ret()},
                     1);
  EXPECT_EQ(explored(built, Property::NoDeadlock).verdict, ExploreVerdict::Unsafe);
  EXPECT_EQ(explored(built, Property::Reach).verdict, ExploreVerdict::Safe);
}

/// A semaphore as our library writes it: main waits for what the other thread posts, or does not.
Built semaphore(bool posts) {
  Built built;
  built.add_global("count", 4);
  built.add_function(
      "main", {create(1), sync(SyncOperation::AtomicBegin), load(0, global(0)),
               binary(1, Operator::ULt, num(0), reg(0)), sync(SyncOperation::BlockUntil, {reg(1)}),
               sync(SyncOperation::AtomicEnd), sync(SyncOperation::ExitThread, {num(0)})});
  built.add_function("work",
                     {sync(SyncOperation::AtomicBegin), store(global(0), num(posts ? 1 : 0)),
                      sync(SyncOperation::AtomicEnd), ret()},
                     1);
  return built;
}

TEST(CExplore, SectionsThatAreUndoneAreNoDeadlocks) {
  for (const bool posts : {true, false}) {
    EXPECT_EQ(explored(semaphore(posts), Property::NoDeadlock).verdict,
              posts ? ExploreVerdict::Safe : ExploreVerdict::Unsafe);
    base::RunContext context;
    const auto checked =
        check::c::check_safe(semaphore(posts).program, Property::NoDeadlock, {}, context);
    EXPECT_EQ(checked.status,
              posts ? answer::EvidenceStatus::Confirmed : answer::EvidenceStatus::Refuted);
  }
}

TEST(CExplore, OthersMayFailBeforeAnAssumptionEndsTheRun) {
  Built built;
  built.add_global("x", 4);
  built.add_function("main", {create(1), store(global(0), num(1)), Assume{num(0)}, finish()});
  built.add_function("work",
                     {load(1, global(0)), binary(2, Operator::Eq, reg(1), num(1)),
                      branch(reg(2), 3, 4), fail(), ret()},
                     1);
  EXPECT_EQ(explored(built).verdict, ExploreVerdict::Unsafe);
}

TEST(CExplore, OthersMayFailBeforeTheProcessEnds) {
  Built built;
  built.add_function("main", {create(1), finish()});
  built.add_function("work", {fail()}, 1);
  EXPECT_EQ(explored(built).verdict, ExploreVerdict::Unsafe);
}

TEST(CExplore, EndlessLocalLoopsDoNotHideOthers) {
  Built built;
  built.add_global("x", 4);
  built.add_function("main", {create(1), store(global(0), num(1)), jump(3), jump(2)});
  built.add_function("work",
                     {load(1, global(0)), binary(2, Operator::Eq, reg(1), num(1)),
                      branch(reg(2), 3, 4), fail(), ret()},
                     1);
  EXPECT_EQ(explored(built).verdict, ExploreVerdict::Unsafe);
}

TEST(CExplore, BoundsThreadsThatAreCreatedForEver) {
  Built built;
  built.add_function("main", {create(1), jump(0)});
  built.add_function("work", {jump(0)}, 1);
  ExploreOptions options;
  options.threads = 3;
  const ExploreResult result = explored(built, Property::Reach, options);
  EXPECT_EQ(result.verdict, ExploreVerdict::SafeUpTo);
  EXPECT_EQ(result.threads, 3u);
}

TEST(CExplore, DoesNotClaimSafetyOfValuesNotTried) {
  Built built;
  built.add_function(
      "main", {choose(0), binary(1, Operator::Mul, reg(0), num(3)),
               binary(2, Operator::Eq, reg(1), num(369)), branch(reg(2), 4, 5), fail(), finish()});
  EXPECT_NE(explored(built).verdict, ExploreVerdict::Safe);
}

TEST(CExplore, PassedAddressesAreShared) {
  Built built;  // main passes the address of a local variable and writes to it
  built.add_function("main", {Allocate{to(0), Allocate::Where::Stack, num(4), true, {}, "v"},
                              sync(SyncOperation::CreateThread, {num(0), function(1), reg(0)}),
                              store(reg(0), num(1)), store(reg(0), num(0)), jump(4)});
  built.add_function("work",
                     {load(1, reg(0)), binary(2, Operator::Eq, reg(1), num(1)),
                      branch(reg(2), 3, 4), fail(), ret()},
                     1);
  EXPECT_EQ(explored(built).verdict, ExploreVerdict::Unsafe);
}

TEST(CExplore, SmuggledAddressesAreNoticed) {
  Built built;  // the address goes through x byte by byte, xored so that no word of it is in x
  built.add_global("x", 8);
  built.add_global("ready", 4);
  built.add_function("main", {Allocate{to(0), Allocate::Where::Stack, num(4), true, {}, "v"},
                              binary(1, Operator::Xor, reg(0), num(0x5555555555555555), 64),
                              create(1), store(global(0), reg(1), 8), store(global(1), num(1)),
                              store(reg(0), num(1)), store(reg(0), num(0)), jump(7)});
  built.add_function(
      "work",
      {load(1, global(1)), Assume{reg(1)}, load(1, global(0), 8),
       binary(1, Operator::Xor, reg(1), num(0x5555555555555555), 64), load(2, reg(1)),
       binary(3, Operator::Eq, reg(2), num(1)), branch(reg(3), 7, 8), fail(), ret()},
      1);
  EXPECT_EQ(explored(built).verdict, ExploreVerdict::Unsafe);
}

// ---- With and without reduction

/// A random program of two or three threads over three variables, two mutexes and a condition.
class Generator {
 public:
  explicit Generator(std::uint32_t seed, std::uint8_t input_width = 1)
      : random_(seed), input_width_(input_width) {}

  Built program() {
    Built built;
    built.add_global("x", 4);
    built.add_global("y", 4);
    built.add_global("z", 4);
    built.add_global("m", 40);
    built.add_global("n", 40);
    built.add_global("c", 48);
    const int threads = 1 + below(2);
    std::vector<Effect> entry{Allocate{to(9), Allocate::Where::Stack, num(4), true, {}, "own"}};
    for (int i = 0; i < threads; ++i) {
      const bool tells = below(2) == 0;
      entry.push_back(
          sync(SyncOperation::CreateThread,
               {num(0), function(static_cast<std::uint32_t>(i + 1)), tells ? reg(9) : global(0)}));
    }
    body(entry, 3 + below(3), 9);
    entry.push_back(below(2) == 0 ? finish() : sync(SyncOperation::ExitThread, {num(0)}));
    built.add_function("main", std::move(entry));
    for (int i = 0; i < threads; ++i) {
      std::vector<Effect> code;
      body(code, 3 + below(4), 0);
      code.push_back(ret());
      built.add_function("work", std::move(code), 1);
    }
    return built;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  Operand variable(std::uint32_t own) {
    const int which = below(4);
    return which == 3 ? reg(own) : global(static_cast<std::uint32_t>(which));
  }

  void body(std::vector<Effect>& code, int length, std::uint32_t own) {
    next_input_ = 10;
    for (int i = 0; i < length; ++i) statement(code, own);
    while (held_ != 0) unlock(code);
    if (in_section_) code.push_back(sync(SyncOperation::AtomicEnd));
    in_section_ = false;
  }

  void unlock(std::vector<Effect>& code) {
    code.push_back(sync(SyncOperation::MutexUnlock, {global(2 + held_)}));
    held_ = 0;
  }

  void statement(std::vector<Effect>& code, std::uint32_t own) {
    const auto at = [&] { return static_cast<std::uint32_t>(code.size()); };
    switch (below(12)) {
      case 0:
      case 1: code.push_back(load(1, variable(own))); return;
      case 2:
        code.push_back(store(variable(own), num(1u + static_cast<unsigned>(below(2)))));
        return;
      case 3: code.push_back(store(variable(own), reg(1))); return;
      case 4: code.push_back(binary(1, Operator::Add, reg(1), num(1))); return;
      case 5:
        code.push_back(
            ReadModifyWrite{to(1), ReadModifyWrite::Operation::Add, variable(own), num(1), 4});
        return;
      case 6:
        if (held_ == 0 && !in_section_) {
          held_ = 1u + static_cast<std::uint32_t>(below(2));
          code.push_back(sync(SyncOperation::MutexLock, {global(2 + held_)}));
        } else if (held_ != 0) {
          unlock(code);
        }
        return;
      case 7:
        if (held_ != 0 && !in_section_) {
          code.push_back(sync(SyncOperation::ConditionWait, {global(5), global(2 + held_)}));
        }
        return;
      case 8: code.push_back(sync(SyncOperation::ConditionSignal, {global(5)})); return;
      case 9:
        in_section_ = !in_section_;
        code.push_back(sync(in_section_ ? SyncOperation::AtomicBegin : SyncOperation::AtomicEnd));
        return;
      case 10:  // if (r1 == 1) x = 2, or fails
        code.push_back(binary(2, Operator::Eq, reg(1), num(1)));
        code.push_back(branch(reg(2), at() + 1, at() + 2));
        code.push_back(below(6) == 0 ? fail() : store(variable(own), num(2)));
        return;
      default: input(code, own); return;
    }
  }

  /// An input that is compared, and now and then also stored.
  void input(std::vector<Effect>& code, std::uint32_t own) {
    if (input_width_ == 1) return code.push_back(choose(1, 1));
    const auto at = static_cast<std::uint32_t>(code.size());
    const std::uint32_t chosen = next_input_++;
    const bool tests_equality = below(2) == 0;
    code.push_back(choose(chosen, input_width_));
    code.push_back(binary(1, tests_equality ? Operator::Eq : Operator::ULt, reg(chosen),
                          num(1u + static_cast<unsigned>(below((1 << input_width_) - 2))),
                          input_width_));
    code.push_back(branch(reg(1), at + 3, at + 4));
    code.push_back(below(8) == 0 ? fail() : store(variable(own), num(3)));
    if (below(4) == 0) code.push_back(store(variable(own), reg(chosen)));
  }

  std::mt19937 random_;
  std::uint8_t input_width_;
  std::uint32_t next_input_ = 10;  ///< the registers from here on are written once
  std::uint32_t held_ = 0;
  bool in_section_ = false;
};

/// The contents of the variables in a final state; none if threads wait there, because deadlocks
/// are not what this is about.
std::optional<std::string> final_text(const Interpreter& interpreter, const State& state) {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const ThreadId thread(i);
    if (state.thread(thread).is_live() &&
        std::holds_alternative<Synchronise>(interpreter.next(state, thread).effect)) {
      return std::nullopt;
    }
  }
  std::string text;
  for (std::uint32_t i = 0; i < 5; ++i) {
    for (std::uint64_t at = 0; at < 4; ++at) {
      text += std::to_string(*byte_of(state.memory.object(i), at)) + ' ';
    }
  }
  for (const auto& thread : state.threads) {
    text += std::to_string(static_cast<int>(thread->status));
  }
  return text;
}

/// What the exploration sees.
std::set<std::string> finals(const Built& built, bool reduces) {
  std::set<std::string> seen;
  ExploreOptions options;
  options.reduces = reduces;
  const Interpreter interpreter(built.program);
  options.on_final = [&](const State& state) {
    if (const auto text = final_text(interpreter, state)) seen.insert(*text);
  };
  base::RunContext context;
  engine::explore::explore(built.program, Property::NoOverflow, options, context);
  return seen;
}

/// What there is.
std::set<std::string> true_finals(const Built& built) {
  std::set<std::string> seen;
  const Interpreter interpreter(built.program);
  const COracleAnswer answer =
      COracle(built.program, Property::NoOverflow).ask(1'000'000, [&](const State& state) {
        if (const auto text = final_text(interpreter, state)) seen.insert(*text);
      });
  EXPECT_TRUE(answer.is_complete);
  return seen;
}

int agreement_programs() {
  const char* more = std::getenv("HEDDLE_C_PROGRAMS");
  if (more != nullptr) return std::atoi(more);
  return test::kAddressSanitizer ? 30 : 300;
}

TEST(CAgreement, ReductionKeepsFinalStates) {
  std::size_t with_several = 0;
  for (int seed = 0; seed < agreement_programs(); ++seed) {
    const Built built = Generator(static_cast<std::uint32_t>(seed)).program();
    const std::set<std::string> expected = true_finals(built);
    EXPECT_EQ(finals(built, true), expected) << "seed " << seed;
    EXPECT_EQ(finals(built, false), expected) << "seed " << seed;
    with_several += expected.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(with_several, static_cast<std::size_t>(agreement_programs()) / 3);
}

TEST(CAgreement, VerdictsAreTrue) {
  std::array<std::size_t, 2> counts{};
  for (int seed = 0; seed < agreement_programs(); ++seed) {
    const Built built = Generator(static_cast<std::uint32_t>(seed)).program();
    for (const Property property : {Property::Reach, Property::NoDataRace, Property::NoDeadlock}) {
      const COracleAnswer truth = COracle(built.program, property).ask(1'000'000);
      ASSERT_TRUE(truth.is_complete || truth.is_violated);
      EXPECT_EQ(explored(built, property).verdict,
                truth.is_violated ? ExploreVerdict::Unsafe : ExploreVerdict::Safe)
          << "seed " << seed << " " << to_string(property);
      base::RunContext context;
      const auto checked = check::c::check_safe(built.program, property, {}, context);
      EXPECT_EQ(checked.status, truth.is_violated ? answer::EvidenceStatus::Refuted
                                                  : answer::EvidenceStatus::Confirmed)
          << "seed " << seed << " " << to_string(property) << " " << checked.why;
      ++counts[truth.is_violated ? 1 : 0];
    }
  }
  EXPECT_GT(counts[0], static_cast<std::size_t>(agreement_programs()) / 4);
  EXPECT_GT(counts[1], static_cast<std::size_t>(agreement_programs()) / 4);
}

/// Inputs of 3 bits: few enough for the oracle to try them all, too many for the exploration.
TEST(CAgreement, VerdictsAboutInputsAreTrue) {
  std::array<std::size_t, 3> counts{};
  for (int seed = 0; seed < agreement_programs(); ++seed) {
    const Built built = Generator(static_cast<std::uint32_t>(seed), 3).program();
    const COracleAnswer truth = COracle(built.program, Property::Reach).ask(4'000);
    if (!truth.is_complete) continue;
    const ExploreVerdict verdict = explored(built).verdict;
    if (verdict == ExploreVerdict::Safe) {
      EXPECT_FALSE(truth.is_violated) << "seed " << seed;
    } else if (verdict == ExploreVerdict::Unsafe) {
      EXPECT_TRUE(truth.is_violated) << "seed " << seed;
    }
    ++counts[verdict == ExploreVerdict::Safe ? 0 : verdict == ExploreVerdict::Unsafe ? 1 : 2];
  }
  EXPECT_GT(counts[0], counts[2]);
  EXPECT_GT(counts[1], 0u);
}

}  // namespace
}  // namespace heddle::testing::c
