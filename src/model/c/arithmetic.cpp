#include "model/c/arithmetic.hpp"

#include <algorithm>
#include <limits>

namespace heddle::model::c {

namespace {

__extension__ using Wide = __int128;  // exact results of 64-bit arithmetic

bool is_comparison(Operator op) { return op >= Operator::Eq && op <= Operator::SLe; }

bool compare(Operator op, unsigned width, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case Operator::Eq: return a == b;
    case Operator::Ne: return a != b;
    case Operator::ULt: return a < b;
    case Operator::ULe: return a <= b;
    case Operator::SLt: return as_signed(a, width) < as_signed(b, width);
    default: return as_signed(a, width) <= as_signed(b, width);
  }
}

/// Whether the exact result is a signed number of this width.
bool fits(Wide exact, unsigned width) {
  const Wide limit = Wide{1} << (width - 1);
  return -limit <= exact && exact < limit;
}

Computed add_like(const Compute& what, std::uint64_t a, std::uint64_t b) {
  const Wide x = as_signed(a, what.width);
  const Wide y = as_signed(b, what.width);
  Computed result;
  Wide exact = 0;
  switch (what.op) {
    case Operator::Add:
      exact = x + y;
      result.value = a + b;
      break;
    case Operator::Sub:
      exact = x - y;
      result.value = a - b;
      break;
    default:
      exact = x * y;
      result.value = a * b;
      break;
  }
  if (what.is_signed && !fits(exact, what.width)) result.error = ArithmeticError::Overflow;
  return result;
}

Computed divide(const Compute& what, std::uint64_t a, std::uint64_t b) {
  if (b == 0) return {0, ArithmeticError::DivisionByZero};
  if (what.op == Operator::UDiv) return {a / b, ArithmeticError::None};
  if (what.op == Operator::URem) return {a % b, ArithmeticError::None};
  const Wide x = as_signed(a, what.width);
  const Wide y = as_signed(b, what.width);
  Computed result;
  result.value = static_cast<std::uint64_t>(what.op == Operator::SDiv ? x / y : x % y);
  if (!fits(x / y, what.width)) result.error = ArithmeticError::Overflow;
  return result;
}

/// C's rule for the signed left shift: both the number and the result are not negative.
bool shift_overflows(const Compute& what, std::uint64_t a, unsigned distance) {
  if (what.op != Operator::Shl || !what.is_signed) return false;
  const std::int64_t x = as_signed(a, what.width);
  return x < 0 || !fits(Wide{x} << distance, what.width);
}

Computed shift(const Compute& what, std::uint64_t a, std::uint64_t b) {
  Computed result;
  if (b >= what.width) result.error = ArithmeticError::ShiftTooFar;
  const auto distance = static_cast<unsigned>(b % what.width);
  if (result.error == ArithmeticError::None && shift_overflows(what, a, distance)) {
    result.error = ArithmeticError::Overflow;
  }
  switch (what.op) {
    case Operator::Shl: result.value = a << distance; break;
    case Operator::LShr: result.value = a >> distance; break;
    default: result.value = static_cast<std::uint64_t>(as_signed(a, what.width) >> distance); break;
  }
  return result;
}

}  // namespace

Computed compute(const Compute& what, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  a = what.op == Operator::Select ? low_bits(a, 1) : low_bits(a, what.width);
  if (is_comparison(what.op)) {
    return {compare(what.op, what.width, a, low_bits(b, what.width)) ? 1u : 0u,
            ArithmeticError::None};
  }
  Computed result;
  switch (what.op) {
    case Operator::Copy:
    case Operator::ZeroExtend:
    case Operator::Truncate: result.value = a; break;
    case Operator::SignExtend:
      result.value = static_cast<std::uint64_t>(as_signed(a, what.width));
      break;
    case Operator::Select: result.value = a != 0 ? b : c; break;
    case Operator::And: result.value = a & b; break;
    case Operator::Or: result.value = a | b; break;
    case Operator::Xor: result.value = a ^ b; break;
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul: result = add_like(what, a, low_bits(b, what.width)); break;
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr: result = shift(what, a, low_bits(b, what.width)); break;
    default: result = divide(what, a, low_bits(b, what.width)); break;
  }
  result.value = low_bits(result.value, what.to_width);
  return result;
}

std::uint64_t modify(ReadModifyWrite::Operation operation, unsigned width, std::uint64_t old,
                     std::uint64_t value) {
  using Operation = ReadModifyWrite::Operation;
  const bool is_less = as_signed(old, width) < as_signed(value, width);
  switch (operation) {
    case Operation::Exchange: return value;
    case Operation::Add: return low_bits(old + value, width);
    case Operation::Sub: return low_bits(old - value, width);
    case Operation::And: return old & value;
    case Operation::Nand: return low_bits(~(old & value), width);
    case Operation::Or: return old | value;
    case Operation::Xor: return old ^ value;
    case Operation::Max: return is_less ? value : old;
    case Operation::Min: return is_less ? old : value;
    case Operation::UMax: return std::max(old, value);
    case Operation::UMin: return std::min(old, value);
  }
  return value;
}

}  // namespace heddle::model::c
