#pragma once

/// Sets of variables and their values, as bits.

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace heddle::model::boolean {

/// How many shared variables there can be, local ones along a chain of calls (in a procedure, where
/// calls are kept), and `*` in a statement.
inline constexpr std::uint32_t kMostVariables = 128;

/// Values of up to kMostVariables Boolean variables, by position; or the set of those that are 1.
/// A pair of machine words that stays in registers: cubes are compared more often than anything
/// else is done to them.
class Valuation {
 public:
  __extension__ using Bits = unsigned __int128;

  constexpr Valuation() = default;
  /// The number's binary digits are the variables' values, the lowest that of variable 0.
  /// Implicit: small valuations are written as numbers.
  constexpr Valuation(Bits number) : bits_(number) {}  // NOLINT(google-explicit-constructor)

  /// The set of the variables 0 … count − 1.
  static constexpr Valuation first(std::size_t count) {
    return count >= kMostVariables ? ~Bits{0} : (Bits{1} << count) - 1;
  }

  constexpr Bits number() const { return bits_; }
  constexpr std::uint64_t low_word() const { return static_cast<std::uint64_t>(bits_); }
  constexpr std::uint64_t high_word() const { return static_cast<std::uint64_t>(bits_ >> 64); }

  constexpr bool operator[](std::uint32_t index) const { return (bits_ >> index & 1) != 0; }
  /// How many are 1.
  constexpr std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(low_word()) + std::popcount(high_word()));
  }
  /// The first that is 1; kMostVariables if none is.
  constexpr std::uint32_t lowest() const {
    const int zeros =
        low_word() != 0 ? std::countr_zero(low_word()) : 64 + std::countr_zero(high_word());
    return static_cast<std::uint32_t>(zeros);
  }

  /// The subset of `open` after this one, counting in binary; none after the last, `open` itself.
  /// Precondition: a subset of `open`.
  constexpr Valuation next_within(const Valuation& open) const {
    return (bits_ - open.bits_) & open.bits_;
  }

  constexpr Valuation& operator|=(const Valuation& other) { return *this = *this | other; }
  constexpr Valuation& operator^=(const Valuation& other) { return *this = *this ^ other; }
  friend constexpr Valuation operator&(const Valuation& a, const Valuation& b) {
    return a.bits_ & b.bits_;
  }
  friend constexpr Valuation operator|(const Valuation& a, const Valuation& b) {
    return a.bits_ | b.bits_;
  }
  friend constexpr Valuation operator^(const Valuation& a, const Valuation& b) {
    return a.bits_ ^ b.bits_;
  }
  friend constexpr Valuation operator~(const Valuation& a) { return ~a.bits_; }
  friend constexpr auto operator<=>(const Valuation&, const Valuation&) = default;

 private:
  Bits bits_ = 0;
};

/// The set of this variable alone.
constexpr Valuation bit(std::uint32_t index) { return Valuation::Bits{1} << index; }

}  // namespace heddle::model::boolean
