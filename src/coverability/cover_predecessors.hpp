#pragma once

/// All minimal p with post(p) ≥ m, one transition at a time (counter_system.hpp has the formulas).
///
/// An ordinary transition has exactly one minimal cover predecessor, computed by merging two sorted
/// lists. A redistributing one has one per way to split the demands over their sources; some of
/// them may lie above others, which the caller's antichain takes care of.
///
/// `CandidateIndex` leaves out what cannot matter: an ordinary transition that keeps the control
/// state yields p ≥ m unless it gives, net, some counter that m demands more of than it takes.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coverability/counter_system.hpp"
#include "coverability/packed_vector.hpp"

namespace heddle::coverability {

/// Which transitions (indices into CounterSystem::transitions) can have a useful predecessor.
class CandidateIndex {
 public:
  explicit CandidateIndex(const CounterSystem& system);

  /// Into any control state: transitions whose predecessors always have to be looked at.
  std::span<const std::uint32_t> always(Control to) const { return always_[to]; }

  /// Ordinary transitions that keep control state `to` and give `counter`.
  std::span<const std::uint32_t> giving(Control to, std::uint32_t counter) const;

 private:
  struct Giver {
    std::uint32_t counter;
    std::uint32_t transition;
  };
  std::vector<std::vector<std::uint32_t>> always_;
  std::vector<std::vector<Giver>> givers_;  // per control state, sorted by counter
  std::vector<std::vector<std::uint32_t>> giver_transitions_;
};

/// The predecessor of `m` by an ordinary transition, into `out` (cleared first).
template <class Word>
void ordinary_predecessor(const PackedLayout<Word>& layout, const Transition& t,
                          std::span<const Word> m, std::vector<Word>& out) {
  out.clear();
  auto at = m.begin();
  for (const Touched& touched : t.touched) {
    while (at != m.end() && layout.counter(*at) < touched.counter) out.push_back(*at++);
    std::uint64_t demand = 0;
    if (at != m.end() && layout.counter(*at) == touched.counter) demand = layout.count(*at++);
    const std::uint64_t before = (demand > touched.give ? demand - touched.give : 0) + touched.take;
    if (before > 0) out.push_back(layout.pack(touched.counter, before));
  }
  out.insert(out.end(), at, m.end());
}

/// Enumerates the predecessors of one demand by one redistributing transition. Holds scratch space
/// of the size of the counter vector, so make one and reuse it.
template <class Word>
class Redistributor {
 public:
  /// How much of the demand on `to` is drawn from `from`.
  struct Draw {
    std::uint32_t from;
    std::uint32_t to;
    std::uint64_t amount;
  };

  Redistributor(const PackedLayout<Word>& layout, std::size_t counters)
      : layout_(layout), value_(counters, 0), asked_(counters, 0) {}

  /// Calls `visit(std::span<const Word> p, std::span<const Draw> draws)` for each split. A visit
  /// that returns false ends the enumeration.
  template <class Visit>
  void enumerate(const Transition& t, std::span<const Word> m, Visit&& visit) {
    begin(t, m);
    split(t, 0, 0, 0, visit);
    for (const std::uint32_t counter : support_) value_[counter] = 0;
    support_.clear();
    demands_.clear();
    draws_.clear();
  }

 private:
  void set(std::uint32_t counter, std::uint64_t value) {
    support_.push_back(counter);
    value_[counter] = value;
  }

  /// The part of p that does not depend on the split, and the demands that are to be split.
  void begin(const Transition& t, std::span<const Word> m) {
    for (const Word word : m) asked_[layout_.counter(word)] = layout_.count(word);
    for (const Redistribution& r : t.redistributed) add_demand(r);
    for (const Word word : m) {
      const std::uint64_t left = std::exchange(asked_[layout_.counter(word)], 0);
      if (left > 0) set(layout_.counter(word), left);
    }
    for (const Touched& touched : t.touched) {
      const std::uint64_t demand = value_[touched.counter];
      set(touched.counter, (demand > touched.give ? demand - touched.give : 0) + touched.take);
    }
  }

  void add_demand(const Redistribution& r) {
    const auto asked = static_cast<std::int64_t>(std::exchange(asked_[r.counter], 0));
    if (asked <= r.constant) return;
    demands_.push_back({&r, static_cast<std::uint64_t>(asked - r.constant)});
    for (const Source& source : r.sources) support_.push_back(source.counter);
  }

  /// Splits demand number `target`, of which `covered` is met, over its sources from `source` on.
  /// Chooses the first of them that gives something: there may be many sources, and each level of
  /// the recursion should meet a part of the demand. From the last source to the first, so that
  /// splits come in the lexicographic order of their amounts.
  template <class Visit>
  bool split(const Transition& t, std::size_t target, std::size_t source, std::uint64_t covered,
             Visit&& visit) {
    if (target == demands_.size()) return emit(t, visit);
    const auto [r, demand] = demands_[target];
    if (covered >= demand) return split(t, target + 1, 0, 0, visit);
    for (std::size_t first = r->sources.size(); first-- > source;) {
      const auto [from, weight] = r->sources[first];
      const std::uint64_t most = (demand - covered + weight - 1) / weight;
      const bool last = first + 1 == r->sources.size();
      for (std::uint64_t amount = last ? most : 1; amount <= most; ++amount) {
        const std::uint64_t old = value_[from];
        value_[from] = t.sharing == Sharing::Divide ? old + amount : std::max(old, amount);
        draws_.push_back({from, r->counter, amount});
        const bool continues = split(t, target, first + 1, covered + amount * weight, visit);
        draws_.pop_back();
        value_[from] = old;
        if (!continues) return false;
      }
    }
    return true;
  }

  template <class Visit>
  bool emit(const Transition& t, Visit&& visit) {
    out_.clear();
    std::vector<std::uint32_t>& counters = sorted_support_;
    counters.assign(support_.begin(), support_.end());
    for (const auto& entry : t.floor) counters.push_back(entry.first);
    std::ranges::sort(counters);
    counters.erase(std::ranges::unique(counters).begin(), counters.end());
    for (const std::uint32_t counter : counters) {
      std::uint64_t value = value_[counter];
      for (const auto& [place, lower] : t.floor)
        if (place == counter) value = std::max<std::uint64_t>(value, lower);
      if (value > 0) out_.push_back(layout_.pack(counter, value));
    }
    return visit(std::span<const Word>(out_), std::span<const Draw>(draws_));
  }

  PackedLayout<Word> layout_;
  std::vector<std::uint64_t> value_;
  std::vector<std::uint32_t> support_;
  std::vector<std::uint32_t> sorted_support_;
  struct Asked {
    const Redistribution* of;
    std::uint64_t amount;
  };
  std::vector<std::uint64_t> asked_;  // the demand's count for each counter
  std::vector<Asked> demands_;
  std::vector<Draw> draws_;
  std::vector<Word> out_;
};

}  // namespace heddle::coverability
