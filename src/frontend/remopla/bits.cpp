#include "frontend/remopla/bits.hpp"

#include <algorithm>

namespace heddle::frontend::remopla {

using model::boolean::Operator;

namespace {

bool is(const Bit& bit, Operator op) { return bit.op == op; }

std::pair<Bits, Bits> widened(Bits a, Bits b) {
  const std::size_t width = std::max(a.size(), b.size());
  return {resized(std::move(a), width), resized(std::move(b), width)};
}

/// a + b + carry, each bit's carry mentioned once in the next one's: quadratic in all.
Bits add(Bits a, Bits b, Bit carry) {
  const auto [x, y] = widened(std::move(a), std::move(b));
  Bits result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(binary(Operator::Xor, binary(Operator::Xor, x[i], y[i]), carry));
    carry = binary(Operator::Or, binary(Operator::And, x[i], y[i]),
                   binary(Operator::And, std::move(carry), binary(Operator::Or, x[i], y[i])));
  }
  return result;
}

void count(const Bit& bit, std::size_t most, std::size_t& size) {
  if (++size > most) return;
  for (const Bit& operand : bit.operands) count(operand, most, size);
}

/// A list of operands in braces would be copied, with all that is below them.
template <class... Operands>
Bit operation(Operator op, Operands... operands) {
  Bit bit{op, {}, {}, {}};
  bit.operands.reserve(sizeof...(operands));
  (bit.operands.push_back(std::move(operands)), ...);
  return bit;
}

}  // namespace

Bit constant(bool value) { return {value ? Operator::True : Operator::False, {}, {}, {}}; }

Bit variable(std::string name) { return {Operator::Variable, std::move(name), {}, {}}; }

Bit choice() { return {Operator::Choice, {}, {}, {}}; }

Bit negation(Bit a) {
  if (is(a, Operator::True)) return constant(false);
  if (is(a, Operator::False)) return constant(true);
  if (is(a, Operator::Not)) {
    Bit inner = std::move(a.operands.front());
    return inner;
  }
  return operation(Operator::Not, std::move(a));
}

Bit binary(Operator op, Bit a, Bit b) {
  if (is(a, Operator::True) || is(a, Operator::False)) std::swap(a, b);
  const bool one = is(b, Operator::True);
  if (one || is(b, Operator::False)) {
    if (op == Operator::And) return std::move(one ? a : b);
    if (op == Operator::Or) return std::move(one ? b : a);
    if (op == Operator::Xor) return one ? negation(std::move(a)) : std::move(a);
    if (op == Operator::Equal) return one ? std::move(a) : negation(std::move(a));
  }
  return operation(op, std::move(a), std::move(b));
}

Bit conditional(Bit condition, Bit then, Bit otherwise) {
  if (is(condition, Operator::True)) return then;
  if (is(condition, Operator::False)) return otherwise;
  return operation(Operator::Conditional, std::move(condition), std::move(then),
                   std::move(otherwise));
}

Bits number(std::uint64_t value) {
  Bits bits;
  do {
    bits.push_back(constant((value & 1) != 0));
    value >>= 1;
  } while (value != 0);
  return bits;
}

std::optional<std::uint64_t> value_of(const Bits& bits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (is(bits[i], Operator::False)) continue;
    if (!is(bits[i], Operator::True) || i >= 64) return std::nullopt;
    value |= std::uint64_t{1} << i;
  }
  return value;
}

std::size_t size_of(const Bits& bits, std::size_t most) {
  std::size_t size = 0;
  for (const Bit& bit : bits)
    if (size <= most) count(bit, most, size);
  return size;
}

Bits resized(Bits bits, std::size_t width) {
  bits.resize(width, constant(false));
  return bits;
}

Bits one_bit(Bit bit) {
  Bits bits;
  bits.push_back(std::move(bit));
  return bits;
}

Bits sum(Bits a, Bits b) {
  if (const auto x = value_of(a), y = value_of(b); x && y) return number(*x + *y);
  return add(std::move(a), std::move(b), constant(false));
}

Bits difference(Bits a, Bits b) {
  if (const auto x = value_of(a), y = value_of(b); x && y) return number(*x - *y);
  auto [x, y] = widened(std::move(a), std::move(b));
  for (Bit& bit : y) bit = negation(std::move(bit));
  return add(std::move(x), std::move(y), constant(true));
}

Bits bitwise(Operator op, Bits a, Bits b) {
  auto [x, y] = widened(std::move(a), std::move(b));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = binary(op, std::move(x[i]), std::move(y[i]));
  return std::move(x);
}

Bits shifted_left(const Bits& a, std::uint64_t by) {
  if (const auto x = value_of(a)) return number(by < 64 ? *x << by : 0);
  Bits result(a.size(), constant(false));
  for (std::size_t i = by; i < a.size(); ++i) result[i] = a[i - by];
  return result;
}

Bits shifted_right(const Bits& a, std::uint64_t by) {
  Bits result(a.size(), constant(false));
  for (std::size_t i = by; i < a.size(); ++i) result[i - by] = a[i];
  return result;
}

Bit equal(Bits a, Bits b) {
  auto [x, y] = widened(std::move(a), std::move(b));
  Bit result = constant(true);
  for (std::size_t i = 0; i < x.size(); ++i)
    result = binary(Operator::And, std::move(result),
                    binary(Operator::Equal, std::move(x[i]), std::move(y[i])));
  return result;
}

/// From the least significant bit on: a < b where the higher bits are equal, or by a higher bit.
Bit less(Bits a, Bits b) {
  const auto [x, y] = widened(std::move(a), std::move(b));
  Bit result = constant(false);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Bit here = binary(Operator::And, negation(x[i]), y[i]);
    Bit equal_here = binary(Operator::Or, negation(x[i]), y[i]);
    result = binary(Operator::Or, std::move(here),
                    binary(Operator::And, std::move(equal_here), std::move(result)));
  }
  return result;
}

Bit truth(Bits a) {
  Bit result = constant(false);
  for (Bit& bit : a) result = binary(Operator::Or, std::move(result), std::move(bit));
  return result;
}

}  // namespace heddle::frontend::remopla
