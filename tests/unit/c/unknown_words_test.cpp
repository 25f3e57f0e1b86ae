/// Words that the check of SAFE takes for unknown: what it may conclude from them, and what not.

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "check/c/arcs.hpp"
#include "check/c/check.hpp"
#include "support/c_oracle.hpp"
#include "support/c_program_builder.hpp"
#include "support/sanitized.hpp"

namespace heddle::testing::c {
namespace {

using Status = answer::EvidenceStatus;

// Registers 0 to 7 have 32 bits, 8 and 9 have 16, 10 and 11 have 1, the rest have 64.
constexpr std::uint32_t kShort = 8;
constexpr std::uint32_t kBit = 10;
constexpr std::uint32_t kAddress = 12;

void set_widths(Program& program) {
  for (Function& function : program.functions)
    for (std::uint32_t i = 0; i < kAddress; ++i)
      function.register_widths[i] = i < kShort ? 32 : i < kBit ? 16 : 1;
}

Effect resize(std::uint32_t result, Operator op, std::uint32_t from, std::uint8_t width,
              std::uint8_t to_width) {
  return Compute{to(result), op, width, to_width, false, reg(from), num(0), {}};
}

/// One thread and two words in memory.
class UnknownWord : public ::testing::Test {
 protected:
  UnknownWord() {
    built_.add_global("x", 4);
    built_.add_global("y", 4);
  }
  void add(Effect effect) { code_.push_back(std::move(effect)); }
  void compare(Operator op, Operand a, Operand b, std::uint8_t width = 32) {
    add(binary(kBit, op, a, b, width));
  }
  void fail_if_bit() {
    const auto at = static_cast<std::uint32_t>(code_.size());
    add(branch(reg(kBit), at + 1, at + 2));
    add(fail());
  }
  void stop_unless_bit() { add(Assume{reg(kBit)}); }
  Status check(Property property = Property::Reach) {
    std::vector<Effect> code = code_;
    code.push_back(finish());
    Built built = built_;
    built.add_function("main", std::move(code));
    built.add_function("identity", {Return{{reg(0)}}}, 1);
    built.program.functions.back().result_widths = {32};
    set_widths(built.program);
    base::RunContext context;
    const auto checked = check::c::check_safe(built.program, property, {}, context);
    RecordProperty("why", checked.why);
    return checked.status;
  }

  Built built_;
  std::vector<Effect> code_;
};

TEST_F(UnknownWord, CopiesInMemoryAreEqual) {
  add(choose(0));
  add(store(global(0), reg(0)));
  add(store(global(1), reg(0)));
  add(load(1, global(0)));
  add(load(2, global(1)));
  compare(Operator::Ne, reg(1), reg(2));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, TwoInputsMayDifferAndMayBeEqual) {
  add(choose(0));
  add(choose(1));
  compare(Operator::Ne, reg(0), reg(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
  code_.clear();
  add(choose(0));
  add(choose(1));
  compare(Operator::Eq, reg(0), reg(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, WhatIsEqualToAKnownWordIsKnownEverywhere) {
  add(choose(0));
  add(store(global(0), reg(0)));
  compare(Operator::Eq, reg(0), num(7));
  stop_unless_bit();
  add(load(1, global(0)));
  compare(Operator::Ne, reg(1), num(7));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, WordsThatAreFoundEqualStayEqual) {
  add(choose(0));
  add(choose(1));
  add(store(global(0), reg(1)));
  compare(Operator::Eq, reg(0), reg(1));
  stop_unless_bit();
  add(load(2, global(0)));
  compare(Operator::ULt, reg(2), reg(0));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, AComparisonOfPartOfAWordShowsNothingAboutTheRest) {
  add(choose(0));
  compare(Operator::Eq, reg(0), num(0), 8);
  stop_unless_bit();
  compare(Operator::Ne, reg(0), num(0));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, ExtensionsOfOneWordAreEqualAndBounded) {
  add(choose(kShort, 16));
  add(resize(1, Operator::ZeroExtend, kShort, 16, 32));
  add(resize(2, Operator::ZeroExtend, kShort, 16, 32));
  compare(Operator::Ne, reg(1), reg(2));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  compare(Operator::ULt, num(0xffff), reg(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  compare(Operator::Eq, reg(1), num(0xffff));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, SignExtensionReachesBothEnds) {
  for (const std::uint64_t end : {std::uint64_t{0xffff8000}, std::uint64_t{0x7fff}}) {
    code_.clear();
    add(choose(kShort, 16));
    add(resize(1, Operator::SignExtend, kShort, 16, 32));
    compare(Operator::Eq, reg(1), num(end));
    fail_if_bit();
    EXPECT_EQ(check(), Status::NotChecked);
    code_.resize(2);
    const bool is_least = end != 0x7fff;
    compare(Operator::SLt, is_least ? reg(1) : num(end), is_least ? num(end) : reg(1));
    fail_if_bit();
    EXPECT_EQ(check(), Status::Confirmed);
  }
}

TEST_F(UnknownWord, AnExtensionIsKnownIfItsWordIs) {
  add(choose(kShort, 16));
  add(store(global(0), reg(kShort), 2));
  add(resize(1, Operator::SignExtend, kShort, 16, 32));
  compare(Operator::Eq, reg(1), num(0xffffffff));
  stop_unless_bit();
  add(load(kShort, global(0), 2));
  compare(Operator::Ne, reg(kShort), num(0xffff), 16);
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, UninitialisedMemoryHoldsWhatWasRead) {
  add(Allocate{to(kAddress), Allocate::Where::Stack, num(4), false, {}, "s"});
  add(load(1, reg(kAddress)));
  add(load(2, reg(kAddress)));
  compare(Operator::Ne, reg(1), reg(2));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  EXPECT_EQ(check(Property::NoDeadlock), Status::Confirmed);
  compare(Operator::Eq, reg(2), num(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, ACopyOfAPartlyKnownWordKeepsItsParts) {
  add(Allocate{to(kAddress), Allocate::Where::Stack, num(4), false, {}, "s"});
  add(binary(kAddress + 1, Operator::Add, reg(kAddress), num(1), 64));
  add(store(reg(kAddress), num(7), 1));
  add(load(1, reg(kAddress)));
  add(Call{{to(2)}, function(1), {reg(1)}});
  add(store(global(0), reg(2)));
  add(load(3, global(0)));
  add(store(global(1), reg(3)));
  add(load(4, global(1), 1));
  compare(Operator::Ne, reg(4), num(7));
  fail_if_bit();
  add(load(5, reg(kAddress + 1), 1));
  add(load(6, global(1, 1), 1));
  compare(Operator::Ne, reg(5), reg(6));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  const std::vector<Effect> copied = code_;
  compare(Operator::Eq, reg(6), num(9));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
  code_ = copied;
  compare(Operator::Eq, reg(3), num(0x010207));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
  code_ = copied;
  add(load(7, global(1, 2), 1));  // two parts need not be equal
  compare(Operator::Ne, reg(6), reg(7));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
  code_ = copied;
  add(store(global(1, 1), num(5), 1));
  add(load(6, global(1, 1), 1));
  compare(Operator::Ne, reg(6), num(5));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  add(load(6, global(0, 1), 1));
  compare(Operator::Eq, reg(6), num(5));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, PartOfAStoredWordIsUnknown) {
  add(choose(0));
  add(store(global(0), reg(0)));
  add(load(kShort, global(0, 1), 2));
  compare(Operator::Eq, reg(kShort), num(3), 16);
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, AWordThatIsWrittenInPartEndsTheCheck) {
  add(choose(0));
  add(store(global(0), reg(0)));
  add(store(global(0, 1), num(1), 1));
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, AStoreMakesMemoryKnownAgain) {
  add(choose(0));
  add(store(global(0), reg(0)));
  add(store(global(0), num(4)));
  add(load(1, global(0)));
  compare(Operator::Ne, reg(1), num(4));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, ANewObjectHasNothingOfAnOldOneAtItsAddress) {
  add(choose(0));
  add(sync(SyncOperation::Fence));
  for (int i = 0; i < 2; ++i) {
    add(Allocate{to(kAddress), Allocate::Where::Stack, num(4), true, {}, "s"});
    if (i == 0) add(store(reg(kAddress), reg(0)));
    if (i == 0) add(Lifetime{reg(kAddress), false});
  }
  add(Lifetime{reg(kAddress), true});
  add(store(reg(kAddress), num(0)));
  add(load(1, reg(kAddress)));
  compare(Operator::Eq, reg(1), reg(0));  // only if the input is 0
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, ResultsOfArithmeticCanBeAnything) {
  for (const Operator op : {Operator::Add, Operator::Mul, Operator::Xor, Operator::URem}) {
    code_.clear();
    add(choose(0));
    add(binary(1, op, reg(0), num(3)));
    add(store(global(0), reg(1)));
    EXPECT_EQ(check(), Status::Confirmed);
    EXPECT_EQ(check(Property::NoOverflow), Status::NotChecked);
    compare(Operator::Eq, reg(1), num(2));
    fail_if_bit();
    EXPECT_EQ(check(), Status::NotChecked);
  }
}

TEST_F(UnknownWord, UnknownDivisorsAndAddressesEndTheCheck) {
  add(choose(0));
  add(binary(1, Operator::UDiv, num(6), reg(0)));
  EXPECT_EQ(check(), Status::NotChecked);
  code_.clear();
  add(choose(kAddress, 64));
  add(load(1, reg(kAddress)));
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, AtomicOperationsFollowIt) {
  add(choose(0));
  add(ReadModifyWrite{to(1), ReadModifyWrite::Operation::Exchange, global(0), reg(0), 4});
  add(ReadModifyWrite{to(2), ReadModifyWrite::Operation::Exchange, global(0), num(1), 4});
  compare(Operator::Ne, reg(2), reg(0));
  fail_if_bit();
  add(load(3, global(0)));
  compare(Operator::Ne, reg(3), num(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  add(store(global(0), reg(0)));
  add(ReadModifyWrite{to(1), ReadModifyWrite::Operation::Add, global(0), num(1), 4});
  add(load(3, global(0)));
  compare(Operator::Eq, reg(3), num(1));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, AnExchangeSucceedsIfItExpectsTheSameWord) {
  add(choose(0));
  add(store(global(0), reg(0)));
  add(CompareExchange{to(1), to(kBit), global(0), reg(0), num(5), 4, false});
  compare(Operator::Eq, reg(kBit), num(0), 1);
  fail_if_bit();
  add(load(2, global(0)));
  compare(Operator::Ne, reg(2), num(5));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  code_.clear();
  add(choose(0));
  add(store(global(0), reg(0)));
  add(CompareExchange{to(1), to(kBit), global(0), num(3), num(5), 4, false});
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, FunctionsHandItOn) {
  add(choose(0));
  add(Call{{to(1)}, function(1), {reg(0)}});
  compare(Operator::Ne, reg(1), reg(0));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
}

TEST_F(UnknownWord, MemoryDecidesWhoWaitsOnlyBeforeSections) {
  add(choose(0));
  add(store(global(0), reg(0)));
  EXPECT_EQ(check(), Status::Confirmed);
  EXPECT_EQ(check(Property::NoDeadlock), Status::Confirmed);
  add(sync(SyncOperation::AtomicBegin));
  add(sync(SyncOperation::BlockUntil, {num(1)}));
  add(sync(SyncOperation::AtomicEnd));
  EXPECT_EQ(check(), Status::Confirmed);
  EXPECT_EQ(check(Property::NoDeadlock), Status::NotChecked);
}

TEST_F(UnknownWord, ComparisonsNarrowIt) {
  add(choose(0));
  compare(Operator::ULt, reg(0), num(5));
  stop_unless_bit();
  add(store(global(0), reg(0)));
  add(load(1, global(0)));
  compare(Operator::Eq, reg(1), num(0xfffffffe));
  fail_if_bit();
  compare(Operator::SLt, reg(1), num(0));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  compare(Operator::Eq, reg(1), num(4));
  fail_if_bit();
  EXPECT_EQ(check(), Status::NotChecked);
}

TEST_F(UnknownWord, FewWordsAreTriedOneByOne) {
  built_.add_global("array", 16);
  add(choose(0));
  add(binary(1, Operator::URem, reg(0), num(4)));
  add(resize(kAddress, Operator::ZeroExtend, 1, 32, 64));
  add(binary(kAddress, Operator::Mul, reg(kAddress), num(4), 64));
  add(binary(kAddress, Operator::Add, reg(kAddress), global(2), 64));
  add(store(reg(kAddress), num(7)));
  add(load(2, reg(kAddress)));
  compare(Operator::Ne, reg(2), num(7));
  fail_if_bit();
  EXPECT_EQ(check(), Status::Confirmed);
  EXPECT_EQ(check(Property::Memory), Status::Confirmed);
  code_[1] = binary(1, Operator::URem, reg(0), num(5));
  EXPECT_NE(check(Property::Memory), Status::Confirmed);
}

TEST(Arcs, MeetIsEmptyOnlyIfNoWordIsInBoth) {
  constexpr unsigned kWidth = 3;
  const auto arc = [](std::uint64_t code) { return check::c::Arc{code % 8, code / 8, kWidth}; };
  for (std::uint64_t i = 0; i < 64; ++i) {
    for (std::uint64_t j = 0; j < 64; ++j) {
      const auto both = meet(arc(i), arc(j));
      bool is_empty = true;
      for (std::uint64_t word = 0; word < 8; ++word) {
        if (!arc(i).contains(word) || !arc(j).contains(word)) continue;
        is_empty = false;
        EXPECT_TRUE(both && both->contains(word)) << i << " " << j << " " << word;
      }
      EXPECT_EQ(both.has_value(), !is_empty) << i << " " << j;
      EXPECT_TRUE(!both || (arc(i).contains(both->first) && arc(j).contains(both->first)));
    }
  }
}

// ---- Random programs

class InputPrograms {
 public:
  explicit InputPrograms(std::uint32_t seed) : random_(seed) {}

  Built program() {
    Built built;
    for (const char* name : {"x", "y", "z"}) built.add_global(name, 4);
    const bool has_thread = below(2) == 0;
    std::vector<Effect> entry{
        Allocate{to(kAddress), Allocate::Where::Stack, num(4), below(2) == 0, {}, "own"}};
    if (has_thread)
      entry.push_back(sync(SyncOperation::CreateThread, {num(0), function(2), num(0)}));
    body(entry, 3 + below(6), true);
    entry.push_back(finish());
    built.add_function("main", std::move(entry));
    built.add_function("callee", callee(), 1);
    std::vector<Effect> work;
    body(work, 1 + below(3), false);
    work.push_back(ret());
    built.add_function("work", std::move(work), 1);
    if (below(3) > 0) set_widths(built.program);  // otherwise registers are wider than their words
    return built;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  std::uint32_t word() { return static_cast<std::uint32_t>(below(3)); }
  Operand value() {
    constexpr std::array<std::uint64_t, 6> kWords = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
    const int constant = below(3) == 0 ? below(below(2) == 0 ? 3 : 6) : -1;
    return constant >= 0 ? num(kWords[static_cast<std::size_t>(constant)]) : reg(word());
  }
  Operand place(bool has_own) {
    const auto which = static_cast<std::uint32_t>(below(has_own ? 4 : 3));
    return which == 3 ? reg(kAddress) : global(which);
  }

  std::vector<Effect> callee() {
    std::vector<Effect> code{Allocate{to(kAddress), Allocate::Where::Stack, num(4), true, {}, "i"}};
    if (below(2) == 0) code.push_back(store(reg(kAddress), reg(0)));
    if (below(2) == 0) code.push_back(store(global(0), reg(0)));
    code.push_back(load(1, below(2) == 0 ? reg(kAddress) : global(1)));
    code.push_back(Return{{below(2) == 0 ? reg(0) : reg(1)}});
    return code;
  }

  void body(std::vector<Effect>& code, int length, bool has_own) {
    for (int i = 0; i < length; ++i) statement(code, has_own);
  }

  void statement(std::vector<Effect>& code, bool has_own) {
    const auto at = static_cast<std::uint32_t>(code.size());
    const Operator comparison = static_cast<Operator>(static_cast<int>(Operator::Eq) + below(6));
    switch (below(16)) {
      case 0:
      case 1: code.push_back(choose(word())); return;
      case 2: code.push_back(load(word(), place(has_own))); return;
      case 3:
      case 4: code.push_back(store(place(has_own), value())); return;
      case 5:
        code.push_back(
            binary(word(), below(2) == 0 ? Operator::Add : Operator::And, reg(word()), value()));
        return;
      case 6:
        code.push_back(ReadModifyWrite{
            to(word()),
            below(2) == 0 ? ReadModifyWrite::Operation::Add : ReadModifyWrite::Operation::Exchange,
            place(has_own), value(), 4});
        return;
      case 7:
        code.push_back(
            CompareExchange{to(word()), to(kBit), place(has_own), value(), value(), 4, false});
        return;
      case 8: code.push_back(Call{{to(word())}, function(1), {value()}}); return;
      case 9:
        code.push_back(resize(kShort, Operator::Truncate, word(), 32, 16));
        code.push_back(resize(word(), below(2) == 0 ? Operator::SignExtend : Operator::ZeroExtend,
                              kShort, 16, 32));
        return;
      case 13: code.push_back(store(place(has_own), value(), below(2) == 0 ? 1 : 2)); return;
      case 14: code.push_back(load(word(), place(has_own), below(2) == 0 ? 1 : 2)); return;
      case 15: {  // a copy of a word, which is perhaps known in part
        const std::uint32_t through = word();
        const Operand from = place(has_own), copy = place(has_own);
        code.push_back(store(from, value(), 1));
        code.push_back(load(through, from));
        code.push_back(store(copy, reg(through)));
        code.push_back(load(word(), copy, 2));
        return;
      }
      case 10:
        code.push_back(binary(kBit, comparison, reg(word()), value()));
        code.push_back(Assume{reg(kBit)});
        return;
      case 11:
        code.push_back(binary(kBit, comparison, reg(word()), value()));
        code.push_back(
            Compute{to(word()), Operator::Select, 32, 32, false, reg(kBit), value(), value()});
        return;
      default:
        code.push_back(binary(kBit, comparison, reg(word()), value()));
        code.push_back(branch(reg(kBit), at + 2, at + 3));
        code.push_back(fail());
    }
  }

  std::mt19937 random_;
};

TEST(CUnknownWords, WhatIsConfirmedTheOracleDoesNotRefute) {
  const int programs = test::kAddressSanitizer ? 150 : 3'000;
  int confirmed = 0;
  int found = 0;
  for (int seed = 0; seed < programs; ++seed) {
    const Built built = InputPrograms(static_cast<std::uint32_t>(seed)).program();
    base::RunContext context;
    const auto checked = check::c::check_safe(built.program, Property::Reach, {}, context);
    if (checked.status == Status::NotChecked) continue;
    COracle oracle(built.program, Property::Reach);
    oracle.try_words({0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000, 0x1ffff, 0x10000});
    const bool is_violated = oracle.ask(20'000).is_violated;
    EXPECT_FALSE(checked.status == Status::Confirmed && is_violated) << "seed " << seed;
    confirmed += checked.status == Status::Confirmed ? 1 : 0;
    found += is_violated ? 1 : 0;
  }
  EXPECT_GT(confirmed, programs / 10);
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace heddle::testing::c
