#pragma once

/// Arithmetic of machine words: what `Compute` and the atomic operations mean on numbers.

#include <cstdint>

#include "model/c/program.hpp"

namespace heddle::model::c {

/// The low `width` bits.
constexpr std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// A word of `width` bits read as a signed number.
constexpr std::int64_t as_signed(std::uint64_t value, unsigned width) {
  if (width >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((low_bits(value, width) ^ sign) - sign);
}

enum class ArithmeticError : std::uint8_t {
  None,
  Overflow,       ///< the result wraps
  ShiftTooFar,    ///< the distance counts modulo the width
  DivisionByZero  ///< there is no result
};

struct Computed {
  std::uint64_t value = 0;
  ArithmeticError error = ArithmeticError::None;
};

/// `a op b` or, for Select, `a ? b : c`.
Computed compute(const Compute& what, std::uint64_t a, std::uint64_t b, std::uint64_t c);

std::uint64_t modify(ReadModifyWrite::Operation operation, unsigned width, std::uint64_t old,
                     std::uint64_t value);

}  // namespace heddle::model::c
