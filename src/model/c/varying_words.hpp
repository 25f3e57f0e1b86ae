#pragma once

/// Words that change from round to round of a loop, as far as that is known: open bits, and often a
/// slope.

#include <cstdint>
#include <optional>

#include "model/c/open_bits.hpp"

namespace heddle::model::c {

/// In round t, the word is `word + slope·t` modulo its width, for one and the same t of all words
/// that have a slope; without a slope, it is any that agrees with `word` outside of the open bits.
/// These are open in both cases. A known word has the slope 0.
struct Variation {
  std::uint64_t open = 0;
  std::optional<std::uint64_t> slope = 0;
  friend bool operator==(const Variation&, const Variation&) = default;
};

/// Of words with a slope: bits below the lowest bit of the slope are known.
Variation with_slope(std::uint64_t slope, unsigned width);

struct VaryingWord {
  std::uint64_t word = 0;
  Variation varies;
  OpenWord open() const { return {word, varies.open}; }
  bool is_known() const { return varies.open == 0; }
};

/// How `a op b` or, for Select, `a ? b : c` varies. None if it depends on what varies whether there
/// is a result, or how it comes about.
std::optional<Variation> varying_result(const Compute& what, const VaryingWord& a,
                                        const VaryingWord& b, const VaryingWord& c);

/// Likewise of what an atomic operation stores.
Variation varying_result(ReadModifyWrite::Operation operation, unsigned width,
                         const VaryingWord& old, const VaryingWord& value);

/// Whether two words are equal, in every round or in none; otherwise none.
std::optional<bool> are_equal(const VaryingWord& a, const VaryingWord& b, unsigned width);

}  // namespace heddle::model::c
