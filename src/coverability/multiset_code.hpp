#pragma once

/// Configurations as numbers. A multiset of k symbols out of 0 … m−1, written a1 ≤ a2 ≤ … ≤ ak, has
/// the position Σ C(ai + i − 1, i) among all multisets of its size (the combinatorial number system
/// with ai + i − 1 as strictly growing digits); multisets of smaller size come before it. So the
/// code does not depend on the greatest size that a search will meet, and it wastes nothing: for 53
/// local states and 13 threads 44 bits do, where a counter for each would take 212.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/invariant.hpp"
#include "coverability/counter_system.hpp"

namespace heddle::coverability {

__extension__ using WideKey = unsigned __int128;
using NarrowKey = std::uint64_t;

template <class Key>
class MultisetCode {
 public:
  MultisetCode(std::uint32_t symbols, std::uint32_t controls)
      : symbols_(symbols),
        controls_(controls),
        smaller_{0, 1},
        positions_(symbols + 1, Key{1}) {}  // one empty multiset, whatever the symbols

  /// Makes room for multisets of this size. False if their codes do not fit a key.
  bool reach(std::uint32_t size) {
    while (smaller_.size() <= size + 1)
      if (!add_size()) return false;
    return true;
  }

  /// Precondition: the symbols ascend and the size is within reach.
  Key encode(Control control, std::span<const std::uint32_t> ascending) const {
    return encode_without(control, ascending, ascending.size(), ascending.size());
  }

  /// The code of what is left of the symbols without those from `first` to before `last`.
  Key encode_without(Control control, std::span<const std::uint32_t> ascending, std::size_t first,
                     std::size_t last) const {
    Key position = smaller_[ascending.size() - (last - first)];
    const Key* row = positions_.data();
    const std::size_t stride = symbols_ + 1;
    for (std::size_t i = 0; i < first; ++i) position += (row += stride)[ascending[i]];
    for (std::size_t i = last; i < ascending.size(); ++i) position += (row += stride)[ascending[i]];
    return position * controls_ + control;
  }

  Control control(Key key) const { return static_cast<Control>(key % controls_); }

  std::uint32_t size(Key key) const {
    const auto above = std::ranges::upper_bound(smaller_, key / controls_);
    return static_cast<std::uint32_t>(above - smaller_.begin() - 1);
  }

  /// The symbols, ascending. Precondition: `size` is the size of the key's multiset. What `out`
  /// holds before is tried first: states that are decoded one after the other resemble each other.
  void decode(Key key, std::uint32_t size, std::vector<std::uint32_t>& out) const {
    out.resize(size);
    Key rest = key / controls_ - smaller_[size];
    std::uint32_t greatest = symbols_;
    for (std::uint32_t i = size; i > 0; --i) {
      const Key* const row = row_of(i);
      std::uint32_t symbol = out[i - 1];
      if (symbol >= greatest || row[symbol] > rest || row[symbol + 1] <= rest)
        symbol = last_at_most(row, greatest, rest);
      out[i - 1] = symbol;
      rest -= row[symbol];
      greatest = symbol + 1;
    }
  }

 private:
  /// The last of `size` ascending numbers, the first of which is 0, that is ≤ `bound`. It is
  /// usually near the end: steps of growing length towards the front, then halving.
  static std::uint32_t last_at_most(const Key* numbers, std::uint32_t size, Key bound) {
    std::uint32_t above = size, step = 1;
    for (; step < above && numbers[above - step] > bound; step *= 2) above -= step;
    const std::uint32_t from = step < above ? above - step : 0;
    const Key* const found = std::upper_bound(numbers + from, numbers + above, bound);
    return static_cast<std::uint32_t>(found - numbers - 1);
  }

  /// C(a + i − 1, i) = C(a + i − 2, i) + C(a + i − 2, i − 1).
  bool add_size() {
    const Key* const shorter = row_of(smaller_.size() - 2);
    std::vector<Key> row(symbols_ + 1, Key{0});
    for (std::uint32_t a = 1; a <= symbols_; ++a) {
      row[a] = row[a - 1] + shorter[a];
      if (row[a] < shorter[a]) return false;
    }
    const Key all = smaller_.back() + row[symbols_];
    if (all < smaller_.back() || all > ~Key{0} / controls_) return false;
    smaller_.push_back(all);
    positions_.insert(positions_.end(), row.begin(), row.end());
    return true;
  }

  const Key* row_of(std::size_t size) const { return positions_.data() + size * (symbols_ + 1); }

  std::uint32_t symbols_;
  std::uint32_t controls_;
  std::vector<Key> smaller_;    ///< how many multisets have less than i symbols
  std::vector<Key> positions_;  ///< row i, column a: C(a + i − 1, i)
};

}  // namespace heddle::coverability
