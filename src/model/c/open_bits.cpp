#include "model/c/open_bits.hpp"

#include <bit>

#include "model/c/arithmetic.hpp"

/// Every rule has to be true of all words that are meant; it need not be the best one. Sums,
/// differences and products modulo 2^k depend on their operands modulo 2^k, so that bits below the
/// lowest open one are known. A comparison is known if the least word of one side and the greatest
/// of the other one decide it. tests/unit/model/c/open_bits_test.cpp compares the rules with
/// arithmetic on all words of a few bits.

namespace heddle::model::c {

namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

/// The lowest of these bits and all above it.
std::uint64_t from_lowest(std::uint64_t bits) {
  return bits == 0 ? 0 : kAllBits << std::countr_zero(bits);
}

std::uint64_t least(const OpenWord& word) { return word.word & ~word.open; }
std::uint64_t greatest(const OpenWord& word) { return word.word | word.open; }

OpenWord cut(const OpenWord& word, unsigned width) {
  return {low_bits(word.word, width), low_bits(word.open, width)};
}

/// Both in the order of unsigned words; `or_equal`: at most instead of less.
std::optional<bool> is_less(const OpenWord& a, const OpenWord& b, bool or_equal) {
  if (greatest(a) < least(b)) return true;
  if (greatest(b) < least(a)) return false;
  if (or_equal && greatest(a) <= least(b)) return true;
  if (!or_equal && greatest(b) <= least(a)) return false;
  return std::nullopt;
}

std::optional<bool> compared(Operator op, unsigned width, OpenWord a, OpenWord b) {
  switch (op) {
    case Operator::Eq: return are_equal(a, b);
    case Operator::Ne: {
      const auto equal = are_equal(a, b);
      return equal ? std::optional(!*equal) : std::nullopt;
    }
    case Operator::SLt:
    case Operator::SLe: {  // with the sign inverted, signed words have the order of unsigned ones
      const std::uint64_t sign = std::uint64_t{1} << (width - 1);
      a.word ^= sign;
      b.word ^= sign;
      return is_less(a, b, op == Operator::SLe);
    }
    default: return is_less(a, b, op == Operator::ULe);
  }
}

std::uint64_t open_and(const OpenWord& a, const OpenWord& b) {
  return (a.open | b.open) & greatest(a) & greatest(b);
}

std::uint64_t open_or(const OpenWord& a, const OpenWord& b) {
  return (a.open | b.open) & ~least(a) & ~least(b);
}

/// Of a remainder by a known power of two. The remainder of a signed word has the sign of the word,
/// so that beyond the low bits it is known only if it is 0.
std::uint64_t open_remainder(bool is_signed, const OpenWord& a, std::uint64_t divisor) {
  const std::uint64_t low = divisor - 1;
  if (!is_signed) return a.open & low;
  if ((greatest(a) & low) == 0) return 0;
  return (a.open & low) | ~low;
}

std::optional<std::uint64_t> open_quotient(const Compute& what, const OpenWord& a,
                                           const OpenWord& b) {
  if (!b.is_known()) return std::nullopt;
  if (a.is_known()) return 0;
  const bool is_remainder = what.op == Operator::URem || what.op == Operator::SRem;
  const std::uint64_t sign = std::uint64_t{1} << (what.width - 1);
  if (is_remainder && std::has_single_bit(b.word) && b.word != sign)
    return open_remainder(what.op == Operator::SRem, a, b.word);
  return kAllBits;
}

std::optional<std::uint64_t> open_shift(const Compute& what, const OpenWord& a, const OpenWord& b) {
  if (!b.is_known()) return std::nullopt;
  const auto distance = static_cast<unsigned>(b.word % what.width);
  switch (what.op) {
    case Operator::Shl: return a.open << distance;
    case Operator::LShr: return a.open >> distance;
    default: return static_cast<std::uint64_t>(as_signed(a.open, what.width) >> distance);
  }
}

std::optional<std::uint64_t> open_choice(const OpenWord& a, const OpenWord& b, const OpenWord& c) {
  if (!a.is_known()) return b.open | c.open | (b.word ^ c.word);
  return (a.word & 1) != 0 ? b.open : c.open;
}

std::optional<std::uint64_t> open_value(const Compute& what, const OpenWord& a, const OpenWord& b,
                                        const OpenWord& c) {
  switch (what.op) {
    case Operator::Copy:
    case Operator::ZeroExtend:
    case Operator::Truncate: return a.open;
    case Operator::SignExtend: return static_cast<std::uint64_t>(as_signed(a.open, what.width));
    case Operator::Select: return open_choice(a, b, c);
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul: return from_lowest(a.open | b.open);
    case Operator::And: return open_and(a, b);
    case Operator::Or: return open_or(a, b);
    case Operator::Xor: return a.open | b.open;
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr: return open_shift(what, a, b);
    case Operator::UDiv:
    case Operator::SDiv:
    case Operator::URem:
    case Operator::SRem: return open_quotient(what, a, b);
    default: return compared(what.op, what.width, a, b) ? 0 : 1;
  }
}

}  // namespace

bool may_lie_in(const OpenWord& word, std::uint64_t first, std::uint64_t end) {
  return least(word) < end && greatest(word) >= first;
}

std::optional<bool> are_equal(const OpenWord& a, const OpenWord& b) {
  if (((a.word ^ b.word) & ~(a.open | b.open)) != 0) return false;
  if (a.is_known() && b.is_known()) return true;
  return std::nullopt;
}

std::optional<std::uint64_t> open_result(const Compute& what, OpenWord a, OpenWord b, OpenWord c) {
  a = cut(a, what.op == Operator::Select ? 1 : what.width);
  const auto open = open_value(what, a, cut(b, what.width), cut(c, what.width));
  return open ? std::optional(low_bits(*open, what.to_width)) : std::nullopt;
}

std::uint64_t open_result(ReadModifyWrite::Operation operation, unsigned width, OpenWord old,
                          OpenWord value) {
  using Operation = ReadModifyWrite::Operation;
  old = cut(old, width);
  value = cut(value, width);
  std::uint64_t open = 0;
  switch (operation) {
    case Operation::Exchange: open = value.open; break;
    case Operation::Add:
    case Operation::Sub: open = from_lowest(old.open | value.open); break;
    case Operation::And:
    case Operation::Nand: open = open_and(old, value); break;
    case Operation::Or: open = open_or(old, value); break;
    case Operation::Xor: open = old.open | value.open; break;
    case Operation::Max:
    case Operation::Min:
    case Operation::UMax:
    case Operation::UMin: open = (old.open | value.open) == 0 ? 0 : kAllBits; break;
  }
  return low_bits(open, width);
}

}  // namespace heddle::model::c
