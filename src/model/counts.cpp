#include "model/counts.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::model {

namespace {

template <class Entries>
auto position(Entries& entries, Counter counter) {
  return std::ranges::lower_bound(entries, counter, {}, &Counts::Entry::first);
}

}  // namespace

Counts::Counts(std::initializer_list<Entry> entries) {
  for (const auto& [counter, amount] : entries) add(counter, amount);
}

base::Integer Counts::operator[](Counter counter) const {
  const auto it = position(entries_, counter);
  return it != entries_.end() && it->first == counter ? it->second : base::Integer(0);
}

void Counts::set(Counter counter, base::Integer value) {
  HEDDLE_INVARIANT(value >= 0, "a count should not be negative");
  const auto it = position(entries_, counter);
  const bool present = it != entries_.end() && it->first == counter;
  if (value == 0) {
    if (present) entries_.erase(it);
  } else if (present) {
    it->second = std::move(value);
  } else {
    entries_.emplace(it, counter, std::move(value));
  }
}

void Counts::add(Counter counter, const base::Integer& amount) {
  if (amount != 0) set(counter, (*this)[counter] + amount);
}

bool Counts::covers(const Counts& other) const {
  auto mine = entries_.begin();
  for (const auto& [counter, needed] : other.entries_) {
    while (mine != entries_.end() && mine->first < counter) ++mine;
    if (mine == entries_.end() || mine->first != counter || mine->second < needed) return false;
  }
  return true;
}

base::Integer Counts::total() const {
  base::Integer sum = 0;
  for (const Entry& entry : entries_) sum += entry.second;
  return sum;
}

}  // namespace heddle::model
