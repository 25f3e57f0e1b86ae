#pragma once

/// Words of the model as expressions of C. A word of up to 32 bits is an `unsigned int`, a wider
/// one an `unsigned long long`, whatever the data model; bits above its width are 0.

#include <cstdint>
#include <string>

#include "model/c/program.hpp"

namespace heddle::transform::sequential_c {

inline std::string number(std::uint64_t n) { return std::to_string(n); }
/// The type of a variable that holds words of this width.
std::string type_of(unsigned width);
/// `5u`, `5ull`
std::string literal(std::uint64_t value, unsigned width);
/// The low bits of an expression whose type is that of words of `of` bits.
std::string narrowed(const std::string& text, unsigned of, unsigned width);
/// `__VERIFIER_nondet_uint()`, of which there may be too many bits.
std::string any_word(unsigned width);

/// An operand in place: its text, as a word of the instruction's width, and its value if known.
struct Word {
  std::string text;
  bool is_constant = false;
  std::uint64_t value = 0;
};

/// `a op b` as a word of `to_width` bits, as model/c/arithmetic.hpp computes it. Division: the
/// divisor is not 0. Nothing that gcc -Wall -Wextra finds always true or false.
Word computed(const model::c::Compute& what, const Word& a, const Word& b, const Word& c);
/// What an atomic operation stores.
std::string modified(model::c::ReadModifyWrite::Operation operation, unsigned width,
                     const std::string& old, const std::string& value);

}  // namespace heddle::transform::sequential_c
