#include "model/c/word_terms.hpp"

#include <algorithm>
#include <bit>

#include "base/invariant.hpp"

namespace heddle::model::c::words {

using base::Integer;
using model::c::Compute;
using model::c::Operator;
using term::Term;

Integer power_of_two(unsigned exponent) { return Integer(1) << exponent; }

Integer least_of(std::uint8_t width, bool is_signed) {
  return is_signed ? Integer(-power_of_two(width - 1U)) : Integer(0);
}

Integer greatest_of(std::uint8_t width, bool is_signed) {
  return power_of_two(is_signed ? width - 1U : width) - 1;
}

namespace {

Term number(const Integer& value) { return term::constant(value); }

Integer from_bits(std::uint64_t bits) {
  Integer value(static_cast<unsigned long>(bits));
  return value;
}

Term in_range(const Term& value, std::uint8_t width, bool is_signed) {
  return term::conjunction({term::at_most(number(least_of(width, is_signed)), value),
                            term::at_most(value, number(greatest_of(width, is_signed)))});
}

/// Of a value that is out of range by less than 2^width.
Term wrap_once(const Term& value, std::uint8_t width, bool is_signed, bool up, bool down) {
  const Integer modulus = power_of_two(width);
  Term result = value;
  if (up)
    result = term::choice(term::at_most(value, number(greatest_of(width, is_signed))), result,
                          term::sum({value, number(-modulus)}));
  if (down)
    result = term::choice(term::at_most(number(least_of(width, is_signed)), value), result,
                          term::sum({value, number(modulus)}));
  return result;
}

Word of_value(const Term& value, std::uint8_t width, bool is_signed) {
  if (width == 1) return {term::equal(term::remainder(value, 2), number(1)), width, is_signed};
  return {value, width, is_signed};
}

Word of_condition(const Term& condition) { return {condition, 1, false}; }

bool is_constant(const Term& term) {
  return term.op() == term::Operator::Integer || term.op() == term::Operator::Boolean;
}

}  // namespace

Word constant_word(std::uint64_t bits, std::uint8_t width, bool is_signed) {
  if (width == 1) return of_condition(term::constant((bits & 1) != 0));
  Integer value = from_bits(width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1));
  if (is_signed && value > greatest_of(width, true)) value -= power_of_two(width);
  return {number(value), width, is_signed};
}

std::optional<std::uint64_t> bits_of(const Word& word) {
  if (word.width == 1) {
    if (word.term.op() != term::Operator::Boolean) return std::nullopt;
    return word.term.boolean() ? 1 : 0;
  }
  if (word.term.op() != term::Operator::Integer) return std::nullopt;
  Integer value = word.term.integer();
  if (value < 0) value += power_of_two(word.width);
  return value.get_ui();
}

Term signed_value(const Word& word) {
  if (word.width == 1) return term::choice(word.term, number(-1), number(0));
  if (word.is_signed) return word.term;
  return term::choice(term::at_most(word.term, number(greatest_of(word.width, true))), word.term,
                      term::sum({word.term, number(-power_of_two(word.width))}));
}

Term unsigned_value(const Word& word) {
  if (word.width == 1) return term::choice(word.term, number(1), number(0));
  if (!word.is_signed) return word.term;
  return term::choice(term::at_most(number(0), word.term), word.term,
                      term::sum({word.term, number(power_of_two(word.width))}));
}

Word represent(const Word& word, bool is_signed) {
  if (word.width == 1 || word.is_signed == is_signed) return word;
  return {is_signed ? signed_value(word) : unsigned_value(word), word.width, is_signed};
}

Term wrap(const Term& value, std::uint8_t width, bool is_signed) {
  const Integer modulus = power_of_two(width);
  const Integer shift = is_signed ? power_of_two(width - 1U) : Integer(0);
  const Term reduced =
      term::sum({term::remainder(term::sum({value, number(shift)}), modulus), number(-shift)});
  return term::choice(in_range(value, width, is_signed), value, reduced);
}

Word resize(const Word& word, std::uint8_t width, bool result_is_signed) {
  if (width == word.width) return represent(word, result_is_signed);
  const Term value = unsigned_value(word);
  if (width > word.width) return of_value(value, width, result_is_signed);
  if (width == 1) return of_value(value, 1, false);
  return {wrap(word.term, width, result_is_signed), width, result_is_signed};
}

Term equal_words(const Word& a, const Word& b) {
  if (a.width == 1) return term::equal(a.term, b.term);
  if (a.is_signed == b.is_signed) return term::equal(a.term, b.term);
  return term::equal(signed_value(a), signed_value(b));
}

namespace {

/// One operation, for operands and a result of one width.
class Computer {
 public:
  Computer(const Compute& effect, const Word& a, const Word& b, const Word& c, bool is_signed)
      : op_(effect.op),
        width_(effect.width),
        to_width_(effect.to_width),
        a_(a),
        b_(b),
        c_(c),
        is_signed_(is_signed) {}

  std::optional<Word> result() {
    const bool divides_or_shifts = op_ >= Operator::UDiv && op_ <= Operator::AShr;
    if (width_ == 1 && divides_or_shifts) return std::nullopt;  // nobody writes that
    switch (op_) {
      case Operator::Copy: return represent(a_, is_signed_);
      case Operator::Add:
      case Operator::Sub: return width_ == 1 ? exclusive_or() : add(op_ == Operator::Sub);
      case Operator::Mul: return width_ == 1 ? both() : multiply();
      case Operator::UDiv:
      case Operator::URem: return divide_unsigned();
      case Operator::SDiv:
      case Operator::SRem: return divide_signed();
      case Operator::Shl:
      case Operator::LShr:
      case Operator::AShr: return shift();
      case Operator::And: return width_ == 1 ? both() : bitwise_and();
      case Operator::Or: return bitwise_or();
      case Operator::Xor: return width_ == 1 ? exclusive_or() : bitwise_xor();
      case Operator::Eq: return of_condition(equal_words(a_, b_));
      case Operator::Ne: return of_condition(term::negation(equal_words(a_, b_)));
      case Operator::ULt:
        return of_condition(term::negation(term::at_most(unsigned_value(b_), unsigned_value(a_))));
      case Operator::ULe:
        return of_condition(term::at_most(unsigned_value(a_), unsigned_value(b_)));
      case Operator::SLt:
        return of_condition(term::negation(term::at_most(signed_value(b_), signed_value(a_))));
      case Operator::SLe: return of_condition(term::at_most(signed_value(a_), signed_value(b_)));
      case Operator::ZeroExtend: return resize(a_, to_width_, is_signed_);
      case Operator::SignExtend: return sign_extend();
      case Operator::Truncate: return resize(a_, to_width_, is_signed_);
      case Operator::Select: return select();
    }
    return std::nullopt;
  }

 private:
  Word word(const Term& value) const { return of_value(value, width_, is_signed_); }
  Term value(const Word& word) const {
    return is_signed_ ? signed_value(word) : unsigned_value(word);
  }

  std::optional<Word> add(bool subtracts) {
    const Term a = value(a_);
    const Term b = subtracts ? term::product(-1, value(b_)) : value(b_);
    const Term total = term::sum({a, b});
    if (is_constant(total)) return word(wrap(total, width_, is_signed_));
    bool up = !subtracts || is_signed_;
    bool down = subtracts || is_signed_;
    // The other operand is any word. Negated, it reaches one further up, and one less far down.
    const auto is_number = [](const Term& side) { return side.op() == term::Operator::Integer; };
    if (is_number(b) || (is_number(a) && !subtracts)) {
      const Integer shift = is_number(b) ? b.integer() : a.integer();
      up = shift > 0;
      down = shift < 0;
    } else if (is_number(a) && is_signed_) {
      up = a.integer() >= 0;
      down = a.integer() < -1;
    }
    return word(wrap_once(total, width_, is_signed_, up, down));
  }

  std::optional<Word> multiply() {
    const Term a = value(a_);
    const Term b = value(b_);
    if (a.op() == term::Operator::Integer)
      return word(wrap(term::product(a.integer(), b), width_, is_signed_));
    if (b.op() == term::Operator::Integer)
      return word(wrap(term::product(b.integer(), a), width_, is_signed_));
    return std::nullopt;
  }

  std::optional<Word> divide_unsigned() {
    const Term b = unsigned_value(b_);
    if (b.op() != term::Operator::Integer || b.integer() <= 0) return std::nullopt;
    const Term a = unsigned_value(a_);
    const Term result =
        op_ == Operator::UDiv ? term::quotient(a, b.integer()) : term::remainder(a, b.integer());
    return represent({result, width_, false}, is_signed_);
  }

  std::optional<Word> divide_signed() {
    const Term b = signed_value(b_);
    if (b.op() != term::Operator::Integer || b.integer() == 0) return std::nullopt;
    const Term a = signed_value(a_);
    const Term minus_a = term::product(-1, a);
    const Integer divisor = abs(b.integer());
    const bool negates = op_ == Operator::SDiv && b.integer() < 0;
    const auto part = [&](const Term& t) {
      return op_ == Operator::SDiv ? term::quotient(t, divisor) : term::remainder(t, divisor);
    };
    const Term plain =
        term::choice(term::at_most(number(0), a), part(a), term::product(-1, part(minus_a)));
    const Term result = negates ? term::product(-1, plain) : plain;
    return represent({wrap(result, width_, true), width_, true}, is_signed_);
  }

  std::optional<Word> shift() {
    const std::optional<std::uint64_t> by = bits_of(b_);
    if (!by || *by >= width_) return std::nullopt;
    const Integer factor = power_of_two(static_cast<unsigned>(*by));
    if (op_ == Operator::Shl)
      return word(wrap(term::product(factor, value(a_)), width_, is_signed_));
    if (op_ == Operator::LShr)
      return represent({term::quotient(unsigned_value(a_), factor), width_, false}, is_signed_);
    return represent({term::quotient(signed_value(a_), factor), width_, true}, is_signed_);
  }

  std::optional<Word> both() { return of_condition(term::conjunction({a_.term, b_.term})); }

  std::optional<Word> exclusive_or() {
    return of_condition(term::negation(term::equal(a_.term, b_.term)));
  }

  /// The condition, if the word is 0 or 1 by construction.
  static std::optional<Term> truth(const Word& word) {
    if (word.width == 1) return word.term;
    if (word.term.op() == term::Operator::Integer && word.term.integer() >= 0 &&
        word.term.integer() <= 1)
      return term::constant(word.term.integer() == 1);
    if (word.term.op() != term::Operator::Choice) return std::nullopt;
    const auto& arguments = word.term.arguments();
    if (!is_constant(arguments[1]) || !is_constant(arguments[2])) return std::nullopt;
    if (arguments[1].integer() == 1 && arguments[2].integer() == 0) return arguments[0];
    if (arguments[1].integer() == 0 && arguments[2].integer() == 1)
      return term::negation(arguments[0]);
    return std::nullopt;
  }

  Word of_truth(const Term& condition) const {
    return word(term::choice(condition, number(1), number(0)));
  }

  std::optional<Word> bitwise_and() {
    const auto p = truth(a_);
    const auto q = truth(b_);
    if (p && q) return of_truth(term::conjunction({*p, *q}));
    const auto mask = bits_of(b_) ? bits_of(b_) : bits_of(a_);
    const Word& other = bits_of(b_) ? a_ : b_;
    if (!mask) return std::nullopt;
    if (*mask == 0) return word(number(0));
    const Term u = unsigned_value(other);
    if (std::has_single_bit(*mask + 1) && *mask + 1 != 0)
      return represent({term::remainder(u, from_bits(*mask) + 1), width_, false}, is_signed_);
    if (std::has_single_bit(*mask)) {
      const Integer bit = from_bits(*mask);
      const Term isolated = term::product(bit, term::remainder(term::quotient(u, bit), 2));
      return represent({isolated, width_, false}, is_signed_);
    }
    return std::nullopt;
  }

  std::optional<Word> bitwise_or() {
    if (width_ == 1) return of_condition(term::disjunction({a_.term, b_.term}));
    const auto p = truth(a_);
    const auto q = truth(b_);
    if (p && q) return of_truth(term::disjunction({*p, *q}));
    if (bits_of(b_) == std::uint64_t{0}) return represent(a_, is_signed_);
    if (bits_of(a_) == std::uint64_t{0}) return represent(b_, is_signed_);
    return std::nullopt;
  }

  std::optional<Word> bitwise_xor() {
    const auto p = truth(a_);
    const auto q = truth(b_);
    if (p && q) return of_truth(term::negation(term::equal(*p, *q)));
    const auto mask = bits_of(b_);
    if (mask == std::uint64_t{0}) return represent(a_, is_signed_);
    const bool is_complement =
        signed_value(b_).op() == term::Operator::Integer && signed_value(b_).integer() == -1;
    if (!is_complement) return std::nullopt;
    const Term result = term::sum({term::product(-1, signed_value(a_)), number(-1)});
    return represent({result, width_, true}, is_signed_);
  }

  std::optional<Word> sign_extend() {
    const Term value = signed_value(a_);
    if (is_signed_) return Word{value, to_width_, true};
    return represent({value, to_width_, true}, false);
  }

  std::optional<Word> select() {
    const Word b = represent(b_, is_signed_);
    const Word c = represent(c_, is_signed_);
    return Word{term::choice(a_.term, b.term, c.term), width_, is_signed_};
  }

  Operator op_;
  std::uint8_t width_, to_width_;
  const Word& a_;
  const Word& b_;
  const Word& c_;
  bool is_signed_;
};

}  // namespace

Term fits(const Term& value, std::uint8_t width, bool is_signed) {
  return in_range(value, width, is_signed);
}

std::optional<Term> unbounded(const Compute& effect, const Word& a, const Word& b) {
  if (!effect.is_signed || effect.width == 1) return std::nullopt;
  const Term x = signed_value(a);
  const Term y = signed_value(b);
  switch (effect.op) {
    case Operator::Add: return term::sum({x, y});
    case Operator::Sub: return term::sum({x, term::product(-1, y)});
    case Operator::Mul:
      if (x.op() == term::Operator::Integer) return term::product(x.integer(), y);
      if (y.op() == term::Operator::Integer) return term::product(y.integer(), x);
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<Word> compute(const Compute& effect, const Word& a, const Word& b, const Word& c,
                            bool result_is_signed) {
  return Computer(effect, a, b, c, result_is_signed).result();
}

}  // namespace heddle::model::c::words
