/// Words that the program chooses: which are tried, and what is claimed about the others.

#include <gtest/gtest.h>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "engine/explore/word_classes.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::testing::c {
namespace {

using answer::EvidenceStatus;
using engine::explore::ChoiceSite;
using engine::explore::ExploreVerdict;

ExploreVerdict verdict(const Built& built, Property property = Property::Reach) {
  base::RunContext context;
  const auto result = engine::explore::explore(built.program, property, {}, context);
  if (result.run) {
    EXPECT_EQ(check::c::check_run(built.program, property, *result.run).status,
              EvidenceStatus::Confirmed);
  }
  return result.verdict;
}

EvidenceStatus checked(const Built& built, Property property = Property::Reach) {
  base::RunContext context;
  return check::c::check_safe(built.program, property, {}, context).status;
}

/// main: the code, and after it a failure at location `code.size()` and the end after that.
Built with_failure(std::vector<Effect> code) {
  Built built;
  built.add_global("x", 8);
  code.push_back(fail());
  code.push_back(finish());
  built.add_function("main", std::move(code));
  return built;
}

// ---- By demand

TEST(CInputs, SolvesALinearEquation) {
  EXPECT_EQ(
      verdict(with_failure({choose(0), binary(1, Operator::Mul, reg(0), num(3)),
                            binary(2, Operator::Add, reg(1), num(1)),
                            binary(3, Operator::Eq, reg(2), num(123'457)), branch(reg(3), 5, 6)})),
      ExploreVerdict::Unsafe);
}

TEST(CInputs, SolvesConditionsOneAfterTheOther) {
  EXPECT_EQ(verdict(with_failure({choose(0), binary(1, Operator::SLt, num(1000), reg(0)),
                                  branch(reg(1), 3, 9), binary(2, Operator::SLt, reg(0), num(1010)),
                                  branch(reg(2), 5, 9), binary(3, Operator::URem, reg(0), num(7)),
                                  binary(4, Operator::Eq, reg(3), num(5)), branch(reg(4), 8, 9)})),
            ExploreVerdict::Unsafe);
}

TEST(CInputs, FollowsWordsThroughMemoryAndCalls) {
  Built built;
  built.add_global("x", 4);
  built.add_function(
      "main", {choose(0), store(global(0), reg(0)), load(1, global(0)),
               Call{{to(2)}, function(1), {reg(1)}}, binary(3, Operator::Eq, reg(2), num(77'777)),
               branch(reg(3), 6, 7), fail(), finish()});
  built.add_function("twice", {binary(1, Operator::Add, reg(0), num(7)), Return{{reg(1)}}}, 1);
  built.program.functions[1].register_widths.assign(16, 32);
  EXPECT_EQ(verdict(built), ExploreVerdict::Unsafe);
}

TEST(CInputs, FulfilsAssumptions) {
  EXPECT_EQ(verdict(with_failure({choose(0), binary(1, Operator::Eq, reg(0), num(54'321)),
                                  Assume{reg(1)}, store(global(0), reg(0)), jump(5)})),
            ExploreVerdict::Unsafe);
}

TEST(CInputs, FindsTheCaseOfASwitch) {
  Built built = with_failure({choose(0), binary(1, Operator::Add, reg(0), num(3)), finish()});
  built.program.functions[0].code[2].effect =
      Switch{reg(1), {{5, Location(4u)}, {40'000, Location(3u)}}, Location(4u)};
  EXPECT_EQ(verdict(built), ExploreVerdict::Unsafe);
}

TEST(CInputs, FindsTheWordThatOverflows) {
  Compute add{to(1), Operator::Add, 32, 32, true, reg(0), num(2), {}};
  Built built = with_failure({choose(0), add, finish()});
  EXPECT_EQ(verdict(built, Property::NoOverflow), ExploreVerdict::Unsafe);
}

// ---- By classes

Built tests_equality(Operand condition) {
  Built built;  // while (input) x = !x; with an unreachable failure
  built.add_global("x", 4);
  built.add_function("main", {choose(0), binary(1, Operator::Ne, reg(0), num(0)),
                              branch(reg(1), 3, 7), load(2, global(0)),
                              binary(3, Operator::Xor, reg(2), num(1)), store(global(0), reg(3)),
                              jump(0), load(4, global(0)), binary(5, Operator::Eq, reg(4), num(2)),
                              branch(condition, 10, 11), fail(), finish()});
  return built;
}

TEST(CInputs, WordsThatAreOnlyComparedHaveClasses) {
  const Built built = tests_equality(reg(5));
  EXPECT_EQ(verdict(built), ExploreVerdict::Safe);
  EXPECT_EQ(checked(built), EvidenceStatus::Confirmed);
  const auto classes = engine::explore::word_classes(built.program);
  const auto words = classes.find(ChoiceSite{FunctionId(0u), Location(0u)});
  ASSERT_NE(words, classes.end());
  EXPECT_EQ(words->second, (std::vector<std::uint64_t>{0, 1}));
}

TEST(CInputs, WordsThatAreSwitchedOnHaveClasses) {
  Built built;  // a failure if the word is 70000
  built.add_function(
      "main", {choose(0), Switch{reg(0), {{3, Location(4u)}, {70'000, Location(2u)}}, Location(3u)},
               fail(), finish(), finish()});
  EXPECT_EQ(verdict(built), ExploreVerdict::Unsafe);
  EXPECT_NE(checked(built), EvidenceStatus::Confirmed);
  built.program.functions[0].code[2].effect = finish();
  EXPECT_EQ(verdict(built), ExploreVerdict::Safe);
  EXPECT_EQ(checked(built), EvidenceStatus::Confirmed);
}

TEST(CInputs, ClassesOfOrderedWordsMeetEveryInterval) {
  const Built built =
      with_failure({choose(0, 8), binary(1, Operator::SLt, reg(0), num(0x90), 8),
                    binary(2, Operator::ULt, reg(0), num(0x91), 8),
                    binary(3, Operator::And, reg(1), reg(2), 1), branch(reg(3), 6, 6)});
  const auto classes = engine::explore::word_classes(built.program);
  const auto words = classes.find(ChoiceSite{FunctionId(0u), Location(0u)});
  ASSERT_NE(words, classes.end());
  const auto results = [](std::uint64_t word) {
    return std::pair(static_cast<std::int8_t>(word) < static_cast<std::int8_t>(0x90), word < 0x91);
  };
  for (std::uint64_t word = 0; word < 256; ++word) {
    EXPECT_TRUE(std::ranges::any_of(words->second, [&](std::uint64_t one) {
      return results(one) == results(word);
    })) << word;
  }
}

TEST(CInputs, WordsThatAreComputedWithHaveNone) {
  const Built built = with_failure({choose(0), binary(1, Operator::Add, reg(0), num(1)),
                                    binary(2, Operator::Eq, reg(1), num(7)), branch(reg(2), 4, 5)});
  EXPECT_TRUE(engine::explore::word_classes(built.program).empty());
}

TEST(CInputs, WordsAreFollowedToWhereTheirRegistersAreWrittenAgain) {
  Built built;
  built.add_function("main",
                     {choose(0), binary(1, Operator::Eq, reg(0), num(0)),
                      binary(0, Operator::Add, reg(1), num(1)), branch(reg(1), 0, 4), finish()});
  EXPECT_EQ(engine::explore::word_classes(built.program).size(), 1u);
  built.program.functions[0].code[3].effect = branch(reg(1), 1, 4);  // another word than chosen
  EXPECT_EQ(engine::explore::word_classes(built.program).size(), 1u);
  built.program.functions[0].code[2].effect = binary(2, Operator::Add, reg(0), num(1));
  EXPECT_TRUE(engine::explore::word_classes(built.program).empty());
}

TEST(CInputs, WordsThatLeakRoundALoopMatter) {
  Built built;  // the word of one round is computed with in the next
  built.add_function(
      "main", {binary(2, Operator::Add, reg(1), num(1)), choose(0),
               binary(1, Operator::Copy, reg(0), num(0)), binary(3, Operator::Eq, reg(0), num(0)),
               branch(reg(3), 0, 5), finish()});
  EXPECT_TRUE(engine::explore::word_classes(built.program).empty());
}

/// A thread whose start routine returns an input, and a main that joins it.
Built returns_input(Operand result) {
  Built built;
  built.add_global("handle", 8);
  built.add_global("result", 8);
  built.add_function(
      "main",
      {sync(SyncOperation::CreateThread, {global(0), function(1), num(0)}), load(0, global(0), 8),
       sync(SyncOperation::JoinThread, {reg(0), result}), load(1, global(1), 8),
       binary(2, Operator::Eq, reg(1), num(99), 64), branch(reg(2), 6, 7), fail(), finish()});
  built.add_function("work", {choose(1, 64), Return{{reg(1)}}}, 1);
  return built;
}

TEST(CInputs, ResultsOfThreadsMatterIfSomebodyReadsThem) {
  EXPECT_EQ(verdict(returns_input(num(0))), ExploreVerdict::Safe);
  EXPECT_EQ(checked(returns_input(num(0))), EvidenceStatus::Confirmed);
  EXPECT_TRUE(engine::explore::word_classes(returns_input(global(1)).program).empty());
  EXPECT_EQ(verdict(returns_input(global(1))), ExploreVerdict::Unsafe);
  EXPECT_NE(checked(returns_input(global(1))), EvidenceStatus::Confirmed);
}

// ---- Unknown words in the check

TEST(CInputs, TheCheckSeesBothResultsOfAComparison) {
  const Built built =
      with_failure({choose(0), binary(1, Operator::Eq, reg(0), num(12'345)), branch(reg(1), 3, 4)});
  EXPECT_NE(checked(built), EvidenceStatus::Confirmed);
  const Built other =
      with_failure({choose(0), binary(1, Operator::Eq, reg(0), num(12'345)), branch(reg(1), 4, 3)});
  EXPECT_NE(checked(other), EvidenceStatus::Confirmed);
}

TEST(CInputs, TheCheckDoesNotRefuteByWordsThatCannotBe) {
  const auto built = [](Operator first, Operator second) {
    return with_failure({choose(0), binary(1, first, reg(0), num(1)), branch(reg(1), 3, 6),
                         binary(2, second, num(2), reg(0)), branch(reg(2), 5, 6)});
  };
  EXPECT_EQ(verdict(built(Operator::SLt, Operator::SLt)), ExploreVerdict::Safe);
  EXPECT_EQ(checked(built(Operator::SLt, Operator::SLt)), EvidenceStatus::Confirmed);
  EXPECT_EQ(verdict(built(Operator::Eq, Operator::Eq)), ExploreVerdict::Safe);
  EXPECT_EQ(checked(built(Operator::Eq, Operator::Eq)), EvidenceStatus::Confirmed);
  EXPECT_EQ(checked(with_failure({choose(0), binary(1, Operator::Mul, reg(0), num(2)),
                                  binary(2, Operator::Eq, reg(1), num(3)), branch(reg(2), 4, 5)})),
            EvidenceStatus::NotChecked);
}

TEST(CInputs, TheCheckGivesUpWhereAnAddressDependsOnAWord) {
  EXPECT_EQ(checked(with_failure({choose(0, 64), store(global(0), reg(0), 8), jump(4)})),
            EvidenceStatus::Confirmed);
  EXPECT_EQ(checked(with_failure({choose(0, 64), store(reg(0), num(1)), jump(4)})),
            EvidenceStatus::NotChecked);
  EXPECT_EQ(checked(with_failure({choose(0, 64), Free{reg(0)}, jump(4)})),
            EvidenceStatus::NotChecked);
}

TEST(CInputs, TheCheckFollowsCopies) {
  Built built;
  built.add_function(
      "main", {choose(0), Call{{to(1)}, function(1), {reg(0)}},
               binary(2, Operator::Eq, reg(1), num(5)), branch(reg(2), 4, 5), finish(), finish()});
  built.add_function("same", {binary(1, Operator::Copy, reg(0), num(0)), Return{{reg(1)}}}, 1);
  EXPECT_EQ(checked(built), EvidenceStatus::Confirmed);
  built.program.functions[0].code[4].effect = fail();
  EXPECT_EQ(checked(built), EvidenceStatus::NotChecked);
}

// ---- Bounds on threads

TEST(CInputs, TheCheckKeepsToABoundOnThreads) {
  Built built;  // creates threads for ever; fails if a third one lives
  built.add_global("living", 4);
  built.add_function("main",
                     {sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}), jump(0)});
  built.add_function(
      "work",
      {ReadModifyWrite{to(1), ReadModifyWrite::Operation::Add, global(0), num(1), 4},
       binary(2, Operator::ULt, num(1), reg(1)), branch(reg(2), 3, 4), fail(), jump(4)},
      1);
  base::RunContext context;
  check::c::SafeBounds bounds;
  bounds.threads = 3;
  EXPECT_EQ(check::c::check_safe(built.program, Property::Reach, bounds, context).status,
            EvidenceStatus::Confirmed);
  bounds.threads = 4;
  EXPECT_EQ(check::c::check_safe(built.program, Property::Reach, bounds, context).status,
            EvidenceStatus::Refuted);
}

}  // namespace
}  // namespace heddle::testing::c
