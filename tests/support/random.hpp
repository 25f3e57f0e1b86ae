#pragma once

#include <cstdint>

namespace heddle::test {

/// SplitMix64: the same numbers from the same seed on every machine and with every library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// 0 ≤ result < n.
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  /// low ≤ result ≤ high.
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  /// True once in n times.
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::test
