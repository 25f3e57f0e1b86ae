#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/id.hpp"
#include "base/integer.hpp"

namespace heddle::model {

struct CounterTag;
/// Something that is counted: the threads in a local state, the tokens in a place.
using Counter = base::Id<CounterTag>;
using PlaceId = Counter;

struct WeightedPlace {
  PlaceId place;
  base::Integer weight;
  friend bool operator==(const WeightedPlace&, const WeightedPlace&) = default;
};

/// A multiset of counters: exact, sparse, sorted by counter, no zero stored, never negative.
/// This is the form in which models, traces and certificates speak; engines pack it tighter.
class Counts {
 public:
  using Entry = std::pair<Counter, base::Integer>;

  Counts() = default;
  Counts(std::initializer_list<Entry> entries);

  base::Integer operator[](Counter counter) const;  ///< 0 if absent; logarithmic
  void set(Counter counter, base::Integer value);   ///< value ≥ 0
  void add(Counter counter, const base::Integer& amount);

  bool covers(const Counts& other) const;  ///< componentwise ≥; linear
  base::Integer total() const;
  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }

  friend bool operator==(const Counts&, const Counts&) = default;
  friend bool operator<(const Counts& a, const Counts& b) { return a.entries_ < b.entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace heddle::model
