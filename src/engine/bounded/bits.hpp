#pragma once

/// Arithmetic of machine words as circuits, the lowest bit first. Each function means on every
/// assignment of its inputs what model/c/arithmetic.hpp computes on numbers.

#include <optional>

#include "engine/bounded/circuit.hpp"
#include "model/c/program.hpp"

namespace heddle::engine::bounded {

using Bits = std::vector<Wire>;

Bits constant_bits(std::uint64_t value, unsigned width);
/// The number, if no bit depends on an input.
std::optional<std::uint64_t> constant_value(const Bits& bits);
Bits input_bits(Circuit& circuit, unsigned width);

/// Truncated, or extended with zeros or with the sign.
Bits resized(Bits bits, std::size_t width);
Bits sign_extended(Bits bits, std::size_t width);

Wire conjunction(Circuit& circuit, const std::vector<Wire>& wires);
Wire disjunction(Circuit& circuit, const std::vector<Wire>& wires);
Wire equal(Circuit& circuit, const Bits& a, const Bits& b);
Wire equal(Circuit& circuit, const Bits& a, std::uint64_t value);
Wire less(Circuit& circuit, const Bits& a, const Bits& b, bool is_signed);
Bits choice(Circuit& circuit, Wire condition, const Bits& then, const Bits& otherwise);
Bits sum(Circuit& circuit, const Bits& a, const Bits& b, Wire carry = kFalse);
Bits difference(Circuit& circuit, const Bits& a, const Bits& b);

/// Precondition: a divisor is not 0.
Bits compute(Circuit& circuit, const model::c::Compute& what, const Bits& a, const Bits& b,
             const Bits& c);
/// Signed arithmetic wraps, or a shift goes too far.
Wire overflows(Circuit& circuit, const model::c::Compute& what, const Bits& a, const Bits& b);
bool is_division(model::c::Operator op);
/// What an atomic operation leaves in memory.
Bits modify(Circuit& circuit, model::c::ReadModifyWrite::Operation operation, const Bits& old,
            const Bits& operand);

}  // namespace heddle::engine::bounded
