#include "model/c/word_terms.hpp"

#include <gtest/gtest.h>

#include <random>

#include "model/c/arithmetic.hpp"
#include "term/evaluate.hpp"

namespace heddle::model::c::words {
namespace {

using model::c::Compute;
using model::c::Operator;
using term::Term;

/// The bits of a word whose variables have these values.
std::uint64_t bits(const Word& word, const term::Assignment& values) {
  if (word.width == 1) return term::holds(word.term, values) ? 1 : 0;
  base::Integer value = term::evaluate(word.term, values);
  EXPECT_LE(least_of(word.width, word.is_signed), value);
  EXPECT_LE(value, greatest_of(word.width, word.is_signed));
  if (value < 0) value += power_of_two(word.width);
  return value.get_ui();
}

Word variable_word(const std::string& name, std::uint8_t width, bool is_signed) {
  const auto sort = width == 1 ? term::Sort::Boolean : term::Sort::Integer;
  return {term::variable(name, sort), width, is_signed};
}

base::Integer value_of(std::uint64_t word, std::uint8_t width, bool is_signed) {
  const Term term = constant_word(word, width, is_signed).term;
  return width == 1 ? base::Integer(term.boolean() ? 1 : 0) : term.integer();
}

/// One operation on random operands: as terms over variables, and as the interpreter computes it.
void compare(const Compute& effect, std::mt19937_64& random) {
  const bool selects = effect.op == Operator::Select;
  const auto a_width = static_cast<std::uint8_t>(selects ? 1 : effect.width);
  const bool a_signed = random() % 2 == 0, b_signed = random() % 2 == 0,
             to_signed = random() % 2 == 0;
  const std::uint64_t edge[] = {0, 1, 2, ~std::uint64_t{0}, std::uint64_t{1} << (effect.width - 1)};
  const auto pick = [&](std::uint8_t width) {
    return model::c::low_bits(random() % 3 == 0 ? edge[random() % 5] : random(), width);
  };
  const std::uint64_t a = pick(a_width), b = pick(effect.width), c = pick(effect.width);
  const bool a_is_constant = random() % 4 == 0;
  const bool b_is_constant = random() % 2 == 0;
  const Word word_a =
      a_is_constant ? constant_word(a, a_width, a_signed) : variable_word("a", a_width, a_signed);
  const Word word_b = b_is_constant ? constant_word(b, effect.width, b_signed)
                                    : variable_word("b", effect.width, b_signed);
  const model::c::Computed expected = model::c::compute(effect, a, b, c);
  if (expected.error == model::c::ArithmeticError::DivisionByZero ||
      expected.error == model::c::ArithmeticError::ShiftTooFar)
    return;
  const auto result =
      compute(effect, word_a, word_b, variable_word("c", effect.width, b_signed), to_signed);
  if (!result) return;
  const auto values = [&](const Term& v) {
    if (v.name() == "a") return value_of(a, a_width, a_signed);
    return value_of(v.name() == "b" ? b : c, effect.width, b_signed);
  };
  EXPECT_EQ(bits(*result, values), expected.value)
      << "operator " << static_cast<int>(effect.op) << " width " << int(effect.width) << " of " << a
      << (a_is_constant ? " (constant) and " : " and ") << b << (b_is_constant ? " (constant)" : "")
      << ", signed " << a_signed << b_signed << to_signed;
}

TEST(WordTerms, ComputeWhatTheInterpreterComputes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round)
    for (int op = 0; op <= static_cast<int>(Operator::Select); ++op)
      for (const int bits_wide : {1, 8, 32, 64}) {
        const auto width = static_cast<std::uint8_t>(bits_wide);
        Compute effect;
        effect.op = static_cast<Operator>(op);
        effect.width = effect.to_width = width;
        if (effect.op == Operator::ZeroExtend || effect.op == Operator::SignExtend) {
          if (width == 64) continue;
          effect.to_width = 64;
        }
        if (effect.op == Operator::Truncate) {
          if (width <= 8) continue;
          effect.to_width = 8;
        }
        if (effect.op >= Operator::Eq && effect.op <= Operator::SLe) effect.to_width = 1;
        compare(effect, random);
      }
}

TEST(WordTerms, SayWhenTheyAreNotLinear) {
  Compute effect;
  effect.op = Operator::Mul;
  const Word a = variable_word("a", 32, true), b = variable_word("b", 32, true);
  EXPECT_FALSE(compute(effect, a, b, b, true));
  EXPECT_TRUE(compute(effect, a, constant_word(3, 32, true), b, true));
}

TEST(WordTerms, UnboundedSumsSayWhenTheyFit) {
  Compute effect;
  effect.op = Operator::Add;
  effect.is_signed = true;
  const auto total = unbounded(effect, variable_word("a", 32, true), constant_word(1, 32, true));
  ASSERT_TRUE(total);
  const auto at = [&](const base::Integer& a) {
    return term::holds(fits(*total, 32, true), [&](const Term&) { return a; });
  };
  EXPECT_TRUE(at((base::Integer(1) << 31) - 2));
  EXPECT_FALSE(at((base::Integer(1) << 31) - 1));
  effect.is_signed = false;
  EXPECT_FALSE(unbounded(effect, variable_word("a", 32, true), constant_word(1, 32, true)));
}

}  // namespace
}  // namespace heddle::model::c::words
