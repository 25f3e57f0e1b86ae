#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "model/boolean_program/valuation.hpp"

namespace heddle::model::boolean {

/// All valuations that agree with `value` on the variables of `mask`. Bits of `value` outside the
/// mask are 0, so that equal sets are equal cubes.
struct Cube {
  Valuation mask;
  Valuation value;

  static constexpr Cube all() { return {}; }
  static constexpr Cube only(const Valuation& value) { return {~Valuation(), value}; }

  /// The variable's value, if all valuations of the cube agree on it.
  constexpr std::optional<bool> operator[](std::uint32_t index) const {
    return mask[index] ? std::optional(value[index]) : std::nullopt;
  }
  constexpr bool contains(const Valuation& valuation) const { return (valuation & mask) == value; }
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
  constexpr Cube without(const Valuation& variables) const {
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
