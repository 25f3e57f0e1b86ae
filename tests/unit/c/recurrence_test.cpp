/// Loops that can be executed for ever although no state comes twice: arithmetic with open bits
/// against arithmetic with all words, loops by hand, and random loops that are executed many times.

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string_view>
#include <tuple>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "model/c/arithmetic.hpp"
#include "model/c/open_bits.hpp"
#include "model/c/recurrence.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::testing::c {
namespace {

// ---- Open bits

constexpr unsigned kOpenWidth = 3;
constexpr std::uint64_t kOpenWords = 1u << kOpenWidth;

/// Whether `word` agrees with `known` outside of the open bits.
bool agrees(std::uint64_t word, std::uint64_t known, std::uint64_t open) {
  return ((word ^ known) & ~open) == 0;
}

/// All pairs of a word and open bits.
std::vector<OpenWord> all_open_words() {
  std::vector<OpenWord> all;
  for (std::uint64_t word = 0; word < kOpenWords; ++word)
    for (std::uint64_t open = 0; open < kOpenWords; ++open) all.push_back({word, open});
  return all;
}

std::vector<std::uint64_t> words_of(const OpenWord& open) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t word = 0; word < kOpenWords; ++word)
    if (agrees(word, open.word, open.open)) words.push_back(word);
  return words;
}

/// What is said of an operation is true of all words; how many results are known to the last bit.
int check_rule(Operator op) {
  const bool compares = op >= Operator::Eq && op <= Operator::SLe;
  const Compute what{to(0), op, kOpenWidth, static_cast<std::uint8_t>(compares ? 1 : kOpenWidth),
                     true,  {}, {},         {}};
  int known = 0;
  for (const OpenWord& a : all_open_words())
    for (const OpenWord& b : all_open_words()) {
      const auto open = open_result(what, a, b, {});
      if (!open) continue;
      known += *open == 0 ? 1 : 0;
      const Computed example = compute(what, a.word, b.word, 0);
      for (const std::uint64_t x : words_of(a))
        for (const std::uint64_t y : words_of(b)) {
          const Computed result = compute(what, x, y, 0);
          const bool has_result = result.error != ArithmeticError::DivisionByZero;
          EXPECT_EQ(has_result, example.error != ArithmeticError::DivisionByZero);
          if (has_result && !agrees(result.value, example.value, *open)) {
            ADD_FAILURE() << "operator " << static_cast<int>(op) << ": " << x << ", " << y << " of "
                          << a.word << "?" << a.open << ", " << b.word << "?" << b.open;
            return known;
          }
        }
    }
  return known;
}

TEST(OpenBits, RulesAreTrueOfAllWords) {
  for (const Operator op :
       {Operator::Add, Operator::Sub, Operator::Mul, Operator::UDiv, Operator::SDiv, Operator::URem,
        Operator::SRem, Operator::Shl, Operator::LShr, Operator::AShr, Operator::And, Operator::Or,
        Operator::Xor, Operator::Eq, Operator::Ne, Operator::ULt, Operator::ULe, Operator::SLt,
        Operator::SLe})
    EXPECT_GE(check_rule(op), 64) << static_cast<int>(op);  // as many as known operands give
}

TEST(OpenBits, ExtensionsAndChoicesAreTrueOfAllWords) {
  for (const auto& [op, from, width] :
       {std::tuple(Operator::Copy, 3, 3), std::tuple(Operator::ZeroExtend, 3, 5),
        std::tuple(Operator::SignExtend, 3, 5), std::tuple(Operator::Truncate, 3, 2)})
    for (const OpenWord& a : all_open_words()) {
      const Compute what{
          to(0), op, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(width), false, {},
          {},    {}};
      const auto open = open_result(what, a, {}, {});
      ASSERT_TRUE(open);
      for (const std::uint64_t x : words_of(a))
        EXPECT_TRUE(agrees(compute(what, x, 0, 0).value, compute(what, a.word, 0, 0).value, *open));
    }
  const Compute choice{to(0), Operator::Select, kOpenWidth, kOpenWidth, false, {}, {}, {}};
  for (const OpenWord& a : {OpenWord{0, 0}, OpenWord{1, 0}, OpenWord{0, 1}, OpenWord{1, 1}})
    for (const OpenWord& b : all_open_words())
      for (const OpenWord& c : all_open_words()) {
        const auto open = open_result(choice, a, b, c);
        ASSERT_TRUE(open);
        for (const std::uint64_t x : words_of(a)) {
          if (x > 1) continue;
          for (const std::uint64_t y : words_of(b))
            for (const std::uint64_t z : words_of(c))
              ASSERT_TRUE(agrees(compute(choice, x, y, z).value,
                                 compute(choice, a.word, b.word, c.word).value, *open));
        }
      }
}

TEST(OpenBits, AtomicOperationsAreTrueOfAllWords) {
  using Operation = ReadModifyWrite::Operation;
  for (int i = 0; i <= static_cast<int>(Operation::UMin); ++i)
    for (const OpenWord& a : all_open_words())
      for (const OpenWord& b : all_open_words()) {
        const auto operation = static_cast<Operation>(i);
        const std::uint64_t open = open_result(operation, kOpenWidth, a, b);
        for (const std::uint64_t x : words_of(a))
          for (const std::uint64_t y : words_of(b))
            ASSERT_TRUE(agrees(modify(operation, kOpenWidth, x, y),
                               modify(operation, kOpenWidth, a.word, b.word), open))
                << i;
      }
}

TEST(OpenBits, ComparesAndLocates) {
  EXPECT_EQ(are_equal({4, 0}, {4, 0}), true);
  EXPECT_EQ(are_equal({5, 2}, {4, 2}), false);
  EXPECT_EQ(are_equal({5, 1}, {4, 0}), std::nullopt);
  EXPECT_TRUE(may_lie_in({8, 7}, 15, 16));
  EXPECT_FALSE(may_lie_in({8, 7}, 16, 20));
  EXPECT_FALSE(may_lie_in({8, 7}, 4, 8));
}

// ---- Loops by hand

constexpr std::string_view kRecurrence =
    "the loop returns to where it began, but for data that do not matter to it";

/// A run of the program that does not end, confirmed.
std::optional<model::c::Run> endless_run(const Built& built,
                                         Property property = Property::Termination) {
  base::Limits limits;
  limits.steps = 20'000;
  base::RunContext context(limits);
  engine::explore::ExploreResult result =
      engine::explore::explore(built.program, property, {}, context);
  if (!result.run) return std::nullopt;
  const auto checked = check::c::check_run(built.program, property, *result.run);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  EXPECT_EQ(result.run->violation.kind, Violation::Kind::Lasso);
  return std::move(result.run);
}

/// The loop between two states of the program's first thread: instructions to its beginning, and of
/// one round.
std::optional<std::string> refuted(const Built& built, std::uint32_t stem, std::uint32_t round) {
  const Interpreter interpreter(built.program);
  State state = interpreter.initial();
  for (std::uint32_t i = 0; i < stem; ++i)
    EXPECT_EQ(interpreter.step(state, ThreadId(0u)).outcome, Outcome::Continued);
  const std::vector<RunStep> loop{{ThreadId(0u), round, {}}};
  return refute_recurrence(interpreter, state, loop);
}

/// x += 2 for ever, with some instructions in front of the jump; x is also in register 1.
Built counts(std::vector<Effect> more) {
  Built built;
  built.add_global("x", 4);
  built.add_global("m", 40);
  built.add_global("handle", 8);
  std::vector<Effect> code = {load(0, global(0)), binary(1, Operator::Add, reg(0), num(2)),
                              store(global(0), reg(1))};
  for (Effect& effect : more) code.push_back(std::move(effect));
  code.push_back(jump(0));
  built.add_function("main", std::move(code));
  built.add_function("work", {ret()}, 1);
  return built;
}

TEST(CRecurrence, ACounterThatNobodyComparesRunsForEver) {
  const auto run = endless_run(counts({}));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->violation.what, kRecurrence);
  EXPECT_EQ(refuted(counts({}), 0, 4), std::nullopt);
  EXPECT_EQ(refuted(counts({}), 4, 4), std::nullopt);
}

/// do x += 2 while (x != 7): x stays even.
TEST(CRecurrence, BitsThatDoNotChangeDecide) {
  const Built even = counts({binary(2, Operator::Ne, reg(1), num(7)), branch(reg(2), 0, 5)});
  EXPECT_EQ(refuted(even, 0, 5), std::nullopt);
  EXPECT_TRUE(endless_run(even));
  const Built may_end = counts({binary(2, Operator::Ne, reg(1), num(8)), branch(reg(2), 0, 5)});
  EXPECT_NE(refuted(may_end, 0, 5), std::nullopt);
  const Built at_least_0 = counts({binary(2, Operator::ULe, num(0), reg(1)), branch(reg(2), 0, 5)});
  EXPECT_EQ(refuted(at_least_0, 0, 5), std::nullopt);
  const Built not_negative =
      counts({binary(2, Operator::SLe, num(0), reg(1)), branch(reg(2), 0, 5)});
  EXPECT_NE(refuted(not_negative, 0, 5), std::nullopt);  // it wraps
}

TEST(CRecurrence, ThreadsAreCreatedForEver) {
  const Built built = counts({sync(SyncOperation::CreateThread, {global(2), function(1), reg(1)})});
  EXPECT_EQ(refuted(built, 0, 5), std::nullopt);
  EXPECT_TRUE(endless_run(built));
}

TEST(CRecurrence, NothingIsSaidOfLoopsThatMayDoSomethingElse) {
  using enum SyncOperation;
  const auto create = [](Operand handle) {
    return sync(CreateThread, {handle, function(1), num(0)});
  };
  EXPECT_NE(refuted(counts({binary(2, Operator::UDiv, num(9), reg(1))}), 0, 5), std::nullopt);
  EXPECT_NE(refuted(counts({binary(2, Operator::Shl, num(9), reg(1))}), 0, 5), std::nullopt);
  EXPECT_EQ(refuted(counts({binary(2, Operator::UDiv, reg(1), num(9))}), 0, 5), std::nullopt);
  // an address, the owner of a mutex
  const Built indexed =
      counts({binary(2, Operator::Add, global(1), reg(1), 64), load(3, reg(2), 1)});
  EXPECT_NE(refuted(indexed, 0, 6), std::nullopt);
  EXPECT_NE(refuted(counts({store(global(1), reg(1)), sync(MutexLock, {global(1)})}), 0, 5),
            std::nullopt);
  // objects pile up, memory is initialised, a thread ends
  EXPECT_NE(refuted(counts({Allocate{to(2), Allocate::Where::Heap, num(4), false, {}, ""}}), 0, 5),
            std::nullopt);
  // the handle of a thread that was created
  EXPECT_NE(
      refuted(counts({create(global(2)), load(2, global(2), 8), sync(DetachThread, {reg(2)})}), 0,
              7),
      std::nullopt);
  EXPECT_NE(refuted(counts({create(num(0)), sync(DetachThread, {num(5)})}), 0, 6), std::nullopt);
  // something that is not executed at all
  EXPECT_NE(refuted(counts({}), 0, 3), std::nullopt);
  EXPECT_NE(refuted(counts({}), 1, 1), std::nullopt);
  EXPECT_NE(refuted(counts({Assume{num(0)}}), 0, 5), std::nullopt);
}

TEST(CRecurrence, ForgeriesAreRefuted) {
  const Built built = counts({binary(2, Operator::Ne, reg(1), num(8)), branch(reg(2), 0, 5)});
  model::c::Run run;
  const auto rounds = [](std::uint32_t instructions) {
    return std::vector<RunStep>(2, RunStep{ThreadId(0u), instructions, {}});
  };
  run.steps = rounds(5);
  run.loop_steps = 1;
  for (const std::string_view what : {kRecurrence, std::string_view("the loop returns to the state "
                                                                    "it began in")}) {
    run.violation = {Violation::Kind::Lasso, std::string(what), ThreadId(0u), {0, 1, 0}};
    EXPECT_EQ(check::c::check_run(built.program, Property::Termination, run).status,
              answer::EvidenceStatus::Refuted);
  }
  const Built endless = counts({});
  run.steps = rounds(4);
  EXPECT_EQ(check::c::check_run(endless.program, Property::Termination, run).status,
            answer::EvidenceStatus::Refuted);  // not the same state
  run.violation.what = kRecurrence;
  EXPECT_EQ(check::c::check_run(endless.program, Property::Termination, run).status,
            answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(check::c::check_run(endless.program, Property::FairTermination, run).status,
            answer::EvidenceStatus::Refuted);
}

// ---- Random loops

/// A loop of one thread over three bytes, the words of which decide where it goes now and then.
Built random_loop(std::mt19937& random) {
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  Built built;
  for (const char* name : {"x", "y", "z"}) built.add_global(name, 1);
  std::vector<Effect> code;
  const std::uint32_t statements = 2 + below(4);
  for (std::uint32_t i = 0; i < statements; ++i) {
    constexpr std::array kOperators{Operator::Add, Operator::Sub,  Operator::Mul,
                                    Operator::And, Operator::Or,   Operator::Xor,
                                    Operator::Shl, Operator::LShr, Operator::URem};
    constexpr std::array kComparisons{Operator::Eq, Operator::Ne, Operator::ULt, Operator::SLe};
    code.push_back(load(0, global(below(3)), 1));
    code.push_back(load(1, global(below(3)), 1));
    const Operand second = below(2) == 0 ? reg(1) : num(1 + below(5));
    const auto at = static_cast<std::uint32_t>(code.size());
    if (below(3) == 0) {  // skips the next store
      code.push_back(binary(2, kComparisons[below(kComparisons.size())], reg(0), second, 8));
      code.push_back(branch(reg(2), at + 2, at + 3));
    }
    code.push_back(below(3) == 0
                       ? binary(3, Operator::Add, num(below(9)), num(0), 8)
                       : binary(3, kOperators[below(kOperators.size())], reg(0), second, 8));
    code.push_back(store(global(below(3)), reg(3), 1));
  }
  code.push_back(jump(0));
  built.add_function("main", std::move(code));
  return built;
}

/// Whatever is said to be repeatable is repeated: the same instructions, in the same order.
TEST(CRecurrence, RandomLoopsThatAreAcceptedCanBeRepeated) {
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < 400; ++i) {
    const Built built = random_loop(random);
    const Interpreter interpreter(built.program);
    State state = interpreter.initial();
    const ThreadId thread(0u);
    const auto location = [&] { return state.thread(thread).frames.back().at; };
    const auto round = [&] {  // the instructions up to the beginning, while they can be executed
      std::vector<Location> trace;
      do {
        trace.push_back(location());
        if (interpreter.step(state, thread).outcome != Outcome::Continued) return trace;
      } while (location().value != 0);
      return trace;
    };
    for (auto skipped = random() % 3; skipped > 0; --skipped) round();
    if (location().value != 0) continue;
    const State begin = state;
    const std::vector<Location> trace = round();
    if (location().value != 0) continue;
    const std::vector<RunStep> loop{{thread, static_cast<std::uint32_t>(trace.size()), {}}};
    if (refute_recurrence(interpreter, begin, loop)) continue;
    ++accepted;
    for (int again = 0; again < 600; ++again) ASSERT_EQ(round(), trace) << i;
  }
  EXPECT_GE(accepted, 40);
}

}  // namespace
}  // namespace heddle::testing::c
