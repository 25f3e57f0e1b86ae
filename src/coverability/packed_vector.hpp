#pragma once

/// Sparse counter vectors, one machine word per non-zero counter: the counter's number in the high
/// bits, its count in the low bits, sorted. Most counters of a demand are 0 and most others are 1,
/// so 16-bit words hold most searches; one that overflows them is run again with 32-bit, then with
/// 64-bit words. Nothing wraps: packing a count that is too large throws CountOverflow.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

namespace heddle::coverability {

/// A count grew beyond the layout's range. Caught by the search that chose the layout.
class CountOverflow : public std::exception {
 public:
  const char* what() const noexcept override { return "a counter overflowed"; }
};

template <class Word>
class PackedLayout {
 public:
  /// A layout for vectors of that many counters.
  explicit PackedLayout(std::size_t counters)
      : count_bits_(std::min(kWordBits - counter_bits(counters), kMostCountBits)),
        max_count_(static_cast<Word>((std::uint64_t{1} << count_bits_) - 1)) {}

  /// Is there room for counts worth storing?
  static bool fits(std::size_t counters) {
    return counter_bits(counters) + kFewestCountBits <= kWordBits;
  }

  Word pack(std::uint32_t counter, std::uint64_t count) const {
    if (count > max_count_) throw CountOverflow();
    return static_cast<Word>(std::uint64_t{counter} << count_bits_ | count);
  }
  std::uint32_t counter(Word word) const { return static_cast<std::uint32_t>(word >> count_bits_); }
  Word count(Word word) const { return static_cast<Word>(word & max_count_); }

  /// Componentwise ≤ of two sorted vectors.
  bool below(std::span<const Word> small, std::span<const Word> large) const {
    if (small.size() > large.size()) return false;
    const Word* at = large.data();
    const Word* const end = at + large.size();
    for (const Word word : small) {
      // Words are ordered by counter first: the entry for the same counter with at least this
      // count is the first word ≥ it, if it belongs to that counter.
      while (at != end && *at < word) ++at;
      if (at == end || ((*at ^ word) >> count_bits_) != 0) return false;
      ++at;
    }
    return true;
  }

 private:
  static constexpr unsigned kWordBits = 8 * sizeof(Word);
  static constexpr unsigned kFewestCountBits = 6;
  static constexpr unsigned kMostCountBits = 32;  // so that sums of products fit 64 bits

  static unsigned counter_bits(std::size_t counters) {
    return counters <= 2 ? 1 : static_cast<unsigned>(std::bit_width(counters - 1));
  }

  unsigned count_bits_;
  Word max_count_;
};

}  // namespace heddle::coverability
