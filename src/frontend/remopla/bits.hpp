#pragma once

/// Integers of fixed width as vectors of Boolean expressions, least significant bit first.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::frontend::remopla {

using Bit = model::boolean::Expression;
using Bits = std::vector<Bit>;

Bit constant(bool value);
Bit variable(std::string name);
Bit choice();
Bit negation(Bit a);
Bit binary(model::boolean::Operator op, Bit a, Bit b);
Bit conditional(Bit condition, Bit then, Bit otherwise);

/// A list in braces would copy the expression, with all that is below it.
Bits one_bit(Bit bit);
/// A number with as many bits as it needs, at least one.
Bits number(std::uint64_t value);
/// What number it is, if no bit depends on a variable.
std::optional<std::uint64_t> value_of(const Bits& bits);

/// How many operators, constants and variables it has; stops counting beyond `most`.
std::size_t size_of(const Bits& bits, std::size_t most);

/// Widened by zeros or cut to so many bits.
Bits resized(Bits bits, std::size_t width);

// The narrower argument is widened. Sums have the width of the wider argument: they wrap around,
// but for those of numbers, which have 64 bits until they meet a variable.
Bits sum(Bits a, Bits b);
Bits difference(Bits a, Bits b);
Bits bitwise(model::boolean::Operator op, Bits a, Bits b);
Bits shifted_left(const Bits& a, std::uint64_t by);
Bits shifted_right(const Bits& a, std::uint64_t by);
Bit equal(Bits a, Bits b);
Bit less(Bits a, Bits b);
/// Is it other than 0?
Bit truth(Bits a);

}  // namespace heddle::frontend::remopla
