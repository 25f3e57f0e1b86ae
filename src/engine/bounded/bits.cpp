#include "engine/bounded/bits.hpp"

#include <algorithm>
#include <bit>

#include "model/c/arithmetic.hpp"

namespace heddle::engine::bounded {

using model::c::Compute;
using model::c::Operator;
using model::c::ReadModifyWrite;

// ---- Words

Bits constant_bits(std::uint64_t value, unsigned width) {
  Bits bits(width, kFalse);
  for (unsigned i = 0; i < width && i < 64; ++i) bits[i] = constant((value >> i & 1) != 0);
  return bits;
}

std::optional<std::uint64_t> constant_value(const Bits& bits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!bits[i].is_constant()) return std::nullopt;
    if (bits[i] == kTrue) value |= std::uint64_t{1} << i;
  }
  return value;
}

Bits input_bits(Circuit& circuit, unsigned width) {
  Bits bits(width);
  std::ranges::generate(bits, [&] { return circuit.input(); });
  return bits;
}

Bits resized(Bits bits, std::size_t width) {
  bits.resize(width, kFalse);
  return bits;
}

Bits sign_extended(Bits bits, std::size_t width) {
  const Wire sign = bits.back();
  bits.resize(width, sign);
  return bits;
}

Wire conjunction(Circuit& circuit, const std::vector<Wire>& wires) {
  Wire result = kTrue;
  for (const Wire wire : wires) result = circuit.conjunction(result, wire);
  return result;
}

Wire disjunction(Circuit& circuit, const std::vector<Wire>& wires) {
  Wire result = kFalse;
  for (const Wire wire : wires) result = circuit.disjunction(result, wire);
  return result;
}

Wire equal(Circuit& circuit, const Bits& a, const Bits& b) {
  Wire result = kTrue;
  for (std::size_t i = 0; i < a.size() && result != kFalse; ++i)
    result = circuit.conjunction(result, circuit.equal(a[i], b[i]));
  return result;
}

Wire equal(Circuit& circuit, const Bits& a, std::uint64_t value) {
  return equal(circuit, a, constant_bits(value, static_cast<unsigned>(a.size())));
}

Wire less(Circuit& circuit, const Bits& a, const Bits& b, bool is_signed) {
  Wire result = kFalse;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool is_sign = is_signed && i + 1 == a.size();
    result = circuit.choice(circuit.equal(a[i], b[i]), result, is_sign ? a[i] : b[i]);
  }
  return result;
}

Bits choice(Circuit& circuit, Wire condition, const Bits& then, const Bits& otherwise) {
  Bits bits(then.size());
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = circuit.choice(condition, then[i], otherwise[i]);
  return bits;
}

// ---- Arithmetic

Bits sum(Circuit& circuit, const Bits& a, const Bits& b, Wire carry) {
  Bits bits(a.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Wire different = circuit.exclusive(a[i], b[i]);
    bits[i] = circuit.exclusive(different, carry);
    carry = circuit.choice(different, carry, a[i]);
  }
  return bits;
}

Bits difference(Circuit& circuit, const Bits& a, const Bits& b) {
  Bits inverse = b;
  for (Wire& wire : inverse) wire = !wire;
  return sum(circuit, a, inverse, kTrue);
}

namespace {

Bits negated(Circuit& circuit, const Bits& a) {
  return difference(circuit, Bits(a.size(), kFalse), a);
}

Bits product(Circuit& circuit, const Bits& a, const Bits& b) {
  const auto constants = [](const Bits& bits) {
    return std::ranges::count_if(bits, [](Wire wire) { return wire.is_constant(); });
  };
  const bool swaps = constants(a) > constants(b);
  const Bits& factor = swaps ? a : b;  // rows of zeros cost nothing
  Bits shifted = swaps ? b : a;
  Bits result(a.size(), kFalse);
  for (const Wire bit : factor) {
    if (bit != kFalse) {
      Bits row = shifted;
      for (Wire& wire : row) wire = circuit.conjunction(wire, bit);
      result = sum(circuit, result, row);
    }
    shifted.insert(shifted.begin(), kFalse);
    shifted.pop_back();
  }
  return result;
}

struct Division {
  Bits quotient, remainder;
};

Division divide(Circuit& circuit, const Bits& a, const Bits& b) {
  const std::size_t width = a.size();
  const Bits divisor = resized(b, width + 1);
  Division result{Bits(width, kFalse), Bits(width + 1, kFalse)};
  for (std::size_t i = width; i-- > 0;) {
    result.remainder.insert(result.remainder.begin(), a[i]);
    result.remainder.pop_back();
    const Wire fits = !less(circuit, result.remainder, divisor, false);
    result.quotient[i] = fits;
    const Bits rest = difference(circuit, result.remainder, divisor);
    result.remainder = choice(circuit, fits, rest, result.remainder);
  }
  result.remainder.pop_back();
  return result;
}

Division divide_signed(Circuit& circuit, const Bits& a, const Bits& b) {
  const auto magnitude = [&](const Bits& x) {
    return choice(circuit, x.back(), negated(circuit, x), x);
  };
  Division result = divide(circuit, magnitude(a), magnitude(b));
  const Wire differ = circuit.exclusive(a.back(), b.back());
  result.quotient = choice(circuit, differ, negated(circuit, result.quotient), result.quotient);
  result.remainder =
      choice(circuit, a.back(), negated(circuit, result.remainder), result.remainder);
  return result;
}

/// The distance counts modulo the width.
Bits distance_of(Circuit& circuit, const Bits& b) {
  const auto width = static_cast<unsigned>(b.size());
  if (std::has_single_bit(width))
    return resized(b, static_cast<std::size_t>(std::countr_zero(width)));
  return divide(circuit, b, constant_bits(width, width)).remainder;
}

Bits shift(Circuit& circuit, Operator op, Bits bits, const Bits& distance) {
  const std::size_t width = bits.size();
  const Wire filling = op == Operator::AShr ? bits.back() : kFalse;
  for (std::size_t stage = 0; stage < distance.size() && (std::size_t{1} << stage) < width;
       ++stage) {
    const std::size_t by = std::size_t{1} << stage;
    Bits moved(width, filling);
    for (std::size_t i = by; i < width; ++i) {
      if (op == Operator::Shl)
        moved[i] = bits[i - by];
      else
        moved[i - by] = bits[i];
    }
    bits = choice(circuit, distance[stage], moved, bits);
  }
  return bits;
}

Bits bitwise(Circuit& circuit, Operator op, const Bits& a, const Bits& b) {
  Bits bits(a.size());
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = op == Operator::And  ? circuit.conjunction(a[i], b[i])
              : op == Operator::Or ? circuit.disjunction(a[i], b[i])
                                   : circuit.exclusive(a[i], b[i]);
  return bits;
}

Bits divided(Circuit& circuit, Operator op, const Bits& a, const Bits& b) {
  const bool is_signed = op == Operator::SDiv || op == Operator::SRem;
  Division both = is_signed ? divide_signed(circuit, a, b) : divide(circuit, a, b);
  return op == Operator::UDiv || op == Operator::SDiv ? both.quotient : both.remainder;
}

/// Operands have the width of the operation.
Bits apply(Circuit& circuit, const Compute& what, const Bits& a, const Bits& b) {
  switch (what.op) {
    case Operator::Copy:
    case Operator::ZeroExtend:
    case Operator::Truncate: return a;
    case Operator::SignExtend: return sign_extended(a, what.to_width);
    case Operator::Add: return sum(circuit, a, b);
    case Operator::Sub: return difference(circuit, a, b);
    case Operator::Mul: return product(circuit, a, b);
    case Operator::UDiv:
    case Operator::SDiv:
    case Operator::URem:
    case Operator::SRem: return divided(circuit, what.op, a, b);
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr: return shift(circuit, what.op, a, distance_of(circuit, b));
    case Operator::And:
    case Operator::Or:
    case Operator::Xor: return bitwise(circuit, what.op, a, b);
    case Operator::Eq: return {equal(circuit, a, b)};
    case Operator::Ne: return {!equal(circuit, a, b)};
    case Operator::ULt: return {less(circuit, a, b, false)};
    case Operator::ULe: return {!less(circuit, b, a, false)};
    case Operator::SLt: return {less(circuit, a, b, true)};
    case Operator::SLe: return {!less(circuit, b, a, true)};
    case Operator::Select: break;
  }
  return a;
}

}  // namespace

bool is_division(Operator op) {
  return op == Operator::UDiv || op == Operator::SDiv || op == Operator::URem ||
         op == Operator::SRem;
}

Bits compute(Circuit& circuit, const Compute& what, const Bits& a, const Bits& b, const Bits& c) {
  if (what.op == Operator::Select) {
    const Bits then = resized(b, what.to_width);
    return choice(circuit, a.front(), then, resized(c, what.to_width));
  }
  const Bits first = resized(a, what.width);
  const Bits second = resized(b, what.width);
  return resized(apply(circuit, what, first, second), what.to_width);
}

Wire overflows(Circuit& circuit, const Compute& what, const Bits& a, const Bits& b) {
  const Bits x = resized(a, what.width);
  const Bits y = resized(b, what.width);
  const auto leaves = [&](const Bits& exact) {
    const Bits kept = sign_extended(resized(exact, what.width), exact.size());
    return !equal(circuit, exact, kept);
  };
  const bool is_shift =
      what.op == Operator::Shl || what.op == Operator::LShr || what.op == Operator::AShr;
  if (is_shift) {
    const Wire too_far = !less(circuit, y, constant_bits(what.width, what.width), false);
    if (what.op != Operator::Shl || !what.is_signed) return too_far;
    const Bits wide = shift(circuit, Operator::Shl, sign_extended(x, 2u * what.width), y);
    return circuit.disjunction(too_far, circuit.disjunction(x.back(), leaves(wide)));
  }
  if (what.op == Operator::SDiv || what.op == Operator::SRem) {
    const Wire is_least = equal(circuit, x, std::uint64_t{1} << (what.width - 1));
    return circuit.conjunction(is_least, equal(circuit, y, ~std::uint64_t{0}));
  }
  if (!what.is_signed) return kFalse;
  const std::size_t width = what.op == Operator::Mul ? 2u * what.width : what.width + 1u;
  const Bits wide_x = sign_extended(x, width);
  const Bits wide_y = sign_extended(y, width);
  if (what.op == Operator::Add) return leaves(sum(circuit, wide_x, wide_y));
  if (what.op == Operator::Sub) return leaves(difference(circuit, wide_x, wide_y));
  if (what.op == Operator::Mul) return leaves(product(circuit, wide_x, wide_y));
  return kFalse;
}

Bits modify(Circuit& circuit, ReadModifyWrite::Operation operation, const Bits& old,
            const Bits& operand) {
  using enum ReadModifyWrite::Operation;
  const auto smaller = [&](bool is_signed) { return less(circuit, old, operand, is_signed); };
  switch (operation) {
    case Exchange: return operand;
    case Add: return sum(circuit, old, operand);
    case Sub: return difference(circuit, old, operand);
    case And: return bitwise(circuit, Operator::And, old, operand);
    case Or: return bitwise(circuit, Operator::Or, old, operand);
    case Xor: return bitwise(circuit, Operator::Xor, old, operand);
    case Max: return choice(circuit, smaller(true), operand, old);
    case Min: return choice(circuit, smaller(true), old, operand);
    case UMax: return choice(circuit, smaller(false), operand, old);
    case UMin: return choice(circuit, smaller(false), old, operand);
    case Nand: break;
  }
  Bits both = bitwise(circuit, Operator::And, old, operand);
  for (Wire& wire : both) wire = !wire;
  return both;
}

}  // namespace heddle::engine::bounded
