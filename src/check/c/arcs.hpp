#pragma once

/// Arcs of the circle of all words of a width: the words that are met from `first` on, counting up
/// and past the greatest word to 0, until `last`. What a comparison with a known word says about
/// another one, signed or unsigned, is that it lies in an arc.

#include <cstdint>
#include <optional>

#include "model/c/arithmetic.hpp"

namespace heddle::check::c {

struct Arc {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint8_t width = 0;
  friend bool operator==(const Arc&, const Arc&) = default;

  static Arc whole(std::uint8_t width) {
    return {0, model::c::low_bits(~std::uint64_t{0}, width), width};
  }
  /// How many words follow the first one.
  std::uint64_t length() const { return model::c::low_bits(last - first, width); }
  bool is_whole() const { return length() == model::c::low_bits(~std::uint64_t{0}, width); }
  bool contains(std::uint64_t word) const {
    return model::c::low_bits(word - first, width) <= length();
  }
  /// The words plus a constant.
  Arc shifted(std::uint64_t by) const {
    return {model::c::low_bits(first + by, width), model::c::low_bits(last + by, width), width};
  }
};

/// An arc with all words that are in both, as short as is easy; nothing if there is no such word.
/// Its first word is in both.
inline std::optional<Arc> meet(const Arc& a, const Arc& b) {
  if (a.is_whole()) return b;
  if (b.is_whole()) return a;
  const bool a_begins_in_b = b.contains(a.first);
  const bool b_begins_in_a = a.contains(b.first);
  if (!a_begins_in_b && !b_begins_in_a) return std::nullopt;
  if (a_begins_in_b && b_begins_in_a && a.first != b.first)  // they may meet at both ends
    return a.length() < b.length() ? a : b;
  const Arc& inner = a_begins_in_b ? a : b;
  const Arc& outer = a_begins_in_b ? b : a;
  const std::uint64_t rest = model::c::low_bits(outer.last - inner.first, inner.width);
  return Arc{inner.first, rest < inner.length() ? outer.last : inner.last, inner.width};
}

}  // namespace heddle::check::c
