#pragma once

/// Functions of up to six variables as the 64 bits of their truth tables: bit v is the function's
/// value where the variables are the bits of v.

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/onthefly/edge_image.hpp"

namespace heddle::engine::onthefly {

inline constexpr std::uint32_t kTableVariables = 6;

struct Table {
  std::uint64_t bits = 0;

  bool is_false() const { return bits == 0; }
  bool is_true() const { return bits == ~std::uint64_t{0}; }
  Table operator&(Table other) const { return {bits & other.bits}; }
  Table operator|(Table other) const { return {bits | other.bits}; }
  Table operator-(Table other) const { return {bits & ~other.bits}; }
  Table operator!() const { return {~bits}; }
  Table iff(Table other) const { return {~(bits ^ other.bits)}; }
  Table ite(Table then, Table otherwise) const {
    return {(bits & then.bits) | (~bits & otherwise.bits)};
  }
};

/// See edge_image.hpp.
struct TableAlgebra {
  using Function = Table;

  Table constant(bool value) const { return value ? !Table{} : Table{}; }
  Table variable(std::uint32_t x) const { return {kVariables[x]}; }

  std::pair<Table, Table> cofactors(Table f, std::uint32_t x) const {
    const std::uint32_t distance = 1U << x;
    const std::uint64_t low = f.bits & ~kVariables[x];
    const std::uint64_t high = f.bits & kVariables[x];
    return {{low | low << distance}, {high | high >> distance}};
  }
  Table choose(std::uint32_t x, Table then, Table otherwise) const {
    return variable(x).ite(then, otherwise);
  }
  std::uint32_t first(Table f, Table g) const {
    std::uint32_t x = 0;
    while (!depends(f, x) && !depends(g, x)) ++x;
    return x;
  }
  Table restricted(Table f, const AtomValues& values) const {
    for (const auto& [x, value] : values) {
      const auto [low, high] = cofactors(f, x);
      f = value ? high : low;
    }
    return f;
  }
  Table without(Table f, std::span<const std::uint32_t> variables) const {
    for (const std::uint32_t x : variables) {
      const auto [low, high] = cofactors(f, x);
      f = low | high;
    }
    return f;
  }

 private:
  static constexpr std::array<std::uint64_t, kTableVariables> kVariables = {
      0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
      0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

  bool depends(Table f, std::uint32_t x) const {
    return (((f.bits >> (1U << x)) ^ f.bits) & ~kVariables[x]) != 0;
  }
};

}  // namespace heddle::engine::onthefly
