#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace heddle::model::boolean {

/// Values of up to 64 Boolean variables, by position.
using Valuation = std::uint64_t;
inline constexpr std::uint32_t kMostVariables = 64;

constexpr Valuation bit(std::uint32_t index) { return Valuation{1} << index; }

/// All valuations that agree with `value` on the variables of `mask`. Bits of `value` outside the
/// mask are 0, so that equal sets are equal cubes.
struct Cube {
  Valuation mask = 0;
  Valuation value = 0;

  static constexpr Cube all() { return {}; }
  static constexpr Cube only(Valuation value) { return {~Valuation{0}, value}; }

  constexpr bool contains(Valuation valuation) const { return (valuation & mask) == value; }
  /// Set inclusion: every valuation of `other` is one of this cube.
  constexpr bool contains(const Cube& other) const {
    return (mask & ~other.mask) == 0 && (other.value & mask) == value;
  }
  constexpr bool meets(const Cube& other) const {
    return ((value ^ other.value) & mask & other.mask) == 0;
  }
  /// The intersection of two cubes that meet.
  constexpr Cube with(const Cube& other) const { return {mask | other.mask, value | other.value}; }
  constexpr Cube with(std::uint32_t index, bool b) const {
    return {mask | bit(index), b ? value | bit(index) : value & ~bit(index)};
  }
  constexpr Cube without(Valuation variables) const {
    return {mask & ~variables, value & ~variables};
  }
  /// The least cube that contains both.
  constexpr Cube hull(const Cube& other) const {
    const Valuation common = mask & other.mask & ~(value ^ other.value);
    return {common, value & common};
  }
  friend auto operator<=>(const Cube&, const Cube&) = default;
};

}  // namespace heddle::model::boolean
