#pragma once

/// Machine arithmetic as terms over mathematical integers. A word of `width` bits is represented by
/// its signed or its unsigned value, a word of 1 bit by a Boolean. Every function is exact for
/// operands in their ranges; what linear arithmetic cannot say comes back as `std::nullopt`.

#include <cstdint>
#include <optional>

#include "model/c/program.hpp"
#include "term/term.hpp"

namespace heddle::model::c::words {

struct Word {
  term::Term term;
  std::uint8_t width = 32;
  bool is_signed = true;  ///< how `term` represents it; without meaning for 1 bit
};

base::Integer power_of_two(unsigned exponent);
base::Integer least_of(std::uint8_t width, bool is_signed);
base::Integer greatest_of(std::uint8_t width, bool is_signed);

/// The word with these bits.
Word constant_word(std::uint64_t bits, std::uint8_t width, bool is_signed);
/// The bits, if the word is a constant.
std::optional<std::uint64_t> bits_of(const Word& word);

/// The same word in the other representation.
Word represent(const Word& word, bool is_signed);
term::Term signed_value(const Word& word);
term::Term unsigned_value(const Word& word);

/// Any integer, reduced modulo 2^width into the range.
term::Term wrap(const term::Term& value, std::uint8_t width, bool is_signed);

/// The result of an operation; none if it is not linear. Division by zero and shifts that are too
/// far are excluded by the caller.
std::optional<Word> compute(const model::c::Compute& effect, const Word& a, const Word& b,
                            const Word& c, bool result_is_signed);

/// The sum, difference or product of signed operands over mathematical integers; none for other
/// operations, and if it is not linear.
std::optional<term::Term> unbounded(const model::c::Compute& effect, const Word& a, const Word& b);
/// The value is one of a word.
term::Term fits(const term::Term& value, std::uint8_t width, bool is_signed);

/// Extended with zeros or truncated.
Word resize(const Word& word, std::uint8_t width, bool result_is_signed);

term::Term equal_words(const Word& a, const Word& b);

}  // namespace heddle::model::c::words
