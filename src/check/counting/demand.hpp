#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/integer.hpp"
#include "model/configuration.hpp"

namespace heddle::check {

/// The checker of backward bases runs on machine words if every number of the task and of the
/// basis is at most kGreatestMachineInput, else on exact integers. Both are the same templates.
///
/// Why words never wrap: a demanded count of a predecessor is at most the sum of the counts of one
/// element plus one, or the quotient of a difference of two inputs plus one; with inputs of at most
/// 2^31 and fewer than 2^31 entries that is below 2^63. Sums over weights are always exact.
using MachineAmount = std::int64_t;
constexpr MachineAmount kGreatestMachineInput = MachineAmount{1} << 31;

inline void convert(const base::Integer& from, MachineAmount& to) { to = from.get_si(); }
inline void convert(const base::Integer& from, base::Integer& to) { to = from; }

/// ⌈a / b⌉ for a > 0 and b > 0.
inline MachineAmount ceiling_quotient(MachineAmount a, MachineAmount b) { return (a - 1) / b + 1; }
inline base::Integer ceiling_quotient(const base::Integer& a, const base::Integer& b) {
  return (a - 1) / b + 1;
}

/// A shared state and how many are asked for of each counter: the least element of an upward-closed
/// set of configurations. The checker's own form of a configuration.
template <class Amount>
struct Demand {
  using Entry = std::pair<std::uint32_t, Amount>;

  std::uint32_t shared = 0;
  std::vector<Entry> entries;  ///< sorted by counter, positive amounts

  Demand() = default;
  explicit Demand(const model::Configuration& configuration) : shared(configuration.shared.value) {
    entries.resize(configuration.counts.entries().size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].first = configuration.counts.entries()[i].first.value;
      convert(configuration.counts.entries()[i].second, entries[i].second);
    }
  }

  model::Configuration configuration() const {
    model::Configuration result{model::SharedState(shared), {}};
    for (const auto& [counter, amount] : entries)
      result.counts.set(model::Counter(counter), base::Integer(amount));
    return result;
  }

  Amount operator[](std::uint32_t counter) const {
    const auto it = position(entries, counter);
    return it != entries.end() && it->first == counter ? it->second : Amount(0);
  }

  /// Asks for `change` more (or fewer), but never for less than nothing.
  void add(std::uint32_t counter, const Amount& change) {
    const auto it = position(entries, counter);
    const bool present = it != entries.end() && it->first == counter;
    if (present) {
      it->second += change;
      if (it->second <= 0) entries.erase(it);
    } else if (change > 0) {
      entries.emplace(it, counter, change);
    }
  }

  /// Asks for at least `amount`.
  void raise(std::uint32_t counter, const Amount& amount) {
    const Amount missing = amount - (*this)[counter];
    if (missing > 0) add(counter, missing);
  }

  void clear(std::uint32_t counter) {
    const auto it = position(entries, counter);
    if (it != entries.end() && it->first == counter) entries.erase(it);
  }

  bool covers(const Demand& other) const {
    if (shared != other.shared) return false;
    auto mine = entries.begin();
    for (const auto& [counter, amount] : other.entries) {
      while (mine != entries.end() && mine->first < counter) ++mine;
      if (mine == entries.end() || mine->first != counter || mine->second < amount) return false;
    }
    return true;
  }

 private:
  template <class Entries>
  static auto position(Entries& entries, std::uint32_t counter) {
    return std::ranges::lower_bound(entries, counter, {}, &Entry::first);
  }
};

}  // namespace heddle::check
