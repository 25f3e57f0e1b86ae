#pragma once

/// The search of one group of starts that have the same open counters. Private to
/// forward_search.cpp.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "coverability/forward_log.hpp"
#include "coverability/multiset_code.hpp"
#include "coverability/state_set.hpp"
#include "coverability/successors.hpp"

namespace heddle::coverability {

/// Starts with the same open counters.
struct StartGroup {
  std::vector<const FamilyStart*> starts;
  std::vector<std::uint32_t> open;  ///< sorted
};

template <class Key>
class Explorer {
 public:
  using Stop = std::optional<base::StopReason>;

  Explorer(const ThreadFamily& family, const StartGroup& group, std::uint32_t number,
           ForwardLog& log)
      : family_(family),
        group_(group),
        number_(number),
        log_(log),
        code_(family.counters, family.controls),
        successors_(family, group.open),
        begin_of_level_{0},
        counts_(family.counters, 0),
        has_state_(family.controls, false) {}

  /// The same search with wider keys; codes do not change their values.
  template <class Narrower>
  explicit Explorer(const Explorer<Narrower>& other)
      : Explorer(other.family_, other.group_, other.number_, other.log_) {
    for (StateId id = 0; id < other.set_.size(); ++id)
      set_.add(set_.place_of(other.set_[id]), other.set_[id]);
    code_.reach(static_cast<std::uint32_t>(other.begin_of_level_.size()) - 1);
    begin_of_level_ = other.begin_of_level_;
    passive_parents_ = other.passive_parents_;
    first_of_control_ = other.first_of_control_;
    has_state_ = other.has_state_;
  }

  std::size_t states() const { return set_.size(); }
  std::size_t bytes() const { return set_.bytes(); }

  /// Goes on with the present level; nothing: it is complete. Steps are successors.
  Stop run(std::uint32_t level, base::RunContext& context, std::size_t byte_limit) {
    if (!started_) {
      if (!code_.reach(level)) return base::StopReason::MemoryLimit;
      start(level);
    }
    while (births_ > 0) {  // states with so many threads fewer give birth to so many
      const std::uint32_t from = level - births_;
      while (cursor_ < begin_of_level_[from + 1])
        if (const Stop stop = advance(begin_of_level_[from + 1], from, context, byte_limit))
          return stop;
      cursor_ = begin_of_level_[level - --births_];  // at last, of the present level
    }
    while (cursor_ < set_.size())
      if (const Stop stop = advance(static_cast<StateId>(set_.size()), level, context, byte_limit))
        return stop;
    begin_of_level_.push_back(static_cast<StateId>(set_.size()));
    started_ = false;
    return std::nullopt;
  }

  ForwardState state(StateId id) const {
    std::vector<std::uint32_t> symbols;
    const Key key = set_[id];
    code_.decode(key, code_.size(key), symbols);
    ForwardState result{code_.control(key), {}};
    for (const std::uint32_t symbol : symbols) {
      if (result.counts.empty() || result.counts.back().first != symbol)
        result.counts.emplace_back(symbol, 0);
      ++result.counts.back().second;
    }
    return result;
  }

  /// The states found before a state, some transition of one of which leads to it. Without passive
  /// moves a transition has few predecessors, and one of them is in the set: no links are stored.
  std::optional<ForwardStep> step_to(StateId id) const {
    if (const auto it = passive_parents_.find(id); it != passive_parents_.end()) {
      const auto [parent, transition] = it->second;
      return ForwardStep{parent, transition, successors_.births(transition, state(parent).counts)};
    }
    const ForwardState after = state(id);
    std::optional<ForwardStep> found;
    successors_.for_each_predecessor(
        after,
        [&](Control control, std::span<const std::uint32_t> symbols, std::uint32_t transition) {
          const auto parent = set_.find(code_.encode(control, symbols));
          if (!parent || *parent >= id) return true;
          found = ForwardStep{*parent, transition,
                              successors_.births(transition, state(*parent).counts)};
          return false;
        });
    return found;
  }

 private:
  template <class>
  friend class Explorer;

  void start(std::uint32_t level) {
    started_ = true;
    for (const auto& [control, where] : std::exchange(first_of_control_, {}))
      for (const std::uint32_t counter : group_.open)
        log_.note({control, counter, level, {number_, where}, true});
    births_ = std::min(successors_.most_births(), level);
    cursor_ = begin_of_level_[level - births_];
    for (const FamilyStart* region : group_.starts) {
      symbols_.clear();
      add_starts(*region, 0, level);
    }
  }

  /// All configurations of the region with `left` threads in its ranges from `range` on.
  void add_starts(const FamilyStart& region, std::size_t range, std::uint64_t left) {
    if (range == region.ranges.size()) {
      if (left == 0) add_start(region.control, symbols_);
      return;
    }
    const auto [counter, lower, upper] = region.ranges[range];
    const std::size_t size = symbols_.size();
    for (std::uint64_t here = lower; here <= upper && here <= left; ++here) {
      symbols_.resize(size);
      symbols_.insert(symbols_.end(), here, counter);
      if (left - here >= rest_of(region, range + 1)) add_starts(region, range + 1, left - here);
    }
    symbols_.resize(size);
  }

  static std::uint64_t rest_of(const FamilyStart& region, std::size_t range) {
    std::uint64_t rest = 0;
    for (; range < region.ranges.size(); ++range) rest += region.ranges[range].lower;
    return rest;
  }

  using Hashed = typename StateSet<Key>::Hashed;

  /// A successor that is still to be looked up: its code and the codes of smaller configurations
  /// that would dominate it.
  struct Found {
    Control control;
    std::uint32_t symbols;  ///< where its symbols begin in found_symbols_
    std::uint32_t size;     ///< how many they are
    std::uint32_t smaller;  ///< where those codes begin in smaller_
    Hashed code;
    StateId parent;
    std::uint32_t transition;
    bool is_passive;
  };

  /// Expands some states from the cursor on and adds what is found. Look-ups wait for memory, so
  /// the table is told of all of them before the first is made. After a stop, the state at which it
  /// happened is expanded again, which finds nothing twice.
  Stop advance(StateId end, std::uint32_t size, base::RunContext& context, std::size_t byte_limit) {
    constexpr StateId kAtOnce = 16;
    Stop stop;
    for (const StateId last = std::min(end, cursor_ + kAtOnce); cursor_ < last; ++cursor_) {
      stop = expand(cursor_, size, context);
      if (stop) break;
    }
    for (const Found& found : found_) set_.prefetch_equal(found.code);
    for (std::size_t i = 0; i < found_.size(); ++i) add_unless_known(i);
    found_.clear();
    found_symbols_.clear();
    smaller_.clear();
    if (!stop && set_.bytes() > byte_limit) stop = base::StopReason::MemoryLimit;
    return stop;
  }

  Stop expand(StateId id, std::uint32_t size, base::RunContext& context) {
    const Key key = set_[id];
    code_.decode(key, size, symbols_);
    Stop stop;
    successors_.for_each(code_.control(key), symbols_, births_, [&](const Successor& next) {
      stop = context.step();
      if (stop) return false;
      note(next, id);
      return true;
    });
    return stop;
  }

  void note(const Successor& next, StateId parent) {
    const Hashed code = set_.hashed(code_.encode(next.control, next.symbols));
    set_.prefetch(code);
    found_.push_back({next.control, static_cast<std::uint32_t>(found_symbols_.size()),
                      static_cast<std::uint32_t>(next.symbols.size()),
                      static_cast<std::uint32_t>(smaller_.size()), code, parent, next.transition,
                      next.is_passive});
    found_symbols_.insert(found_symbols_.end(), next.symbols.begin(), next.symbols.end());
    note_smaller(next.control, next.symbols);
  }

  /// The same configuration without one thread, and without all threads, in an open counter: if one
  /// of these is there already, those threads were not needed, and could be born at any time.
  void note_smaller(Control control, std::span<const std::uint32_t> symbols) {
    for (std::size_t first = 0, last = 0; first < symbols.size(); first = last) {
      for (last = first + 1; last < symbols.size() && symbols[last] == symbols[first];) ++last;
      if (!successors_.open()[symbols[first]]) continue;
      note_without(control, symbols, first, first + 1);
      if (last - first > 1) note_without(control, symbols, first, last);
    }
  }

  void note_without(Control control, std::span<const std::uint32_t> symbols, std::size_t first,
                    std::size_t last) {
    smaller_.push_back(set_.hashed(code_.encode_without(control, symbols, first, last)));
    set_.prefetch(smaller_.back());
  }

  void add_unless_known(std::size_t i) {
    const Found& found = found_[i];
    const auto place = set_.place_of(found.code);
    if (place.is_taken) return;
    const std::size_t end = i + 1 < found_.size() ? found_[i + 1].smaller : smaller_.size();
    for (std::size_t k = found.smaller; k < end; ++k)
      if (set_.contains(smaller_[k])) return;
    const StateId id = set_.add(place, found.code);
    if (found.is_passive) passive_parents_.emplace(id, std::pair(found.parent, found.transition));
    tell(found.control, std::span(found_symbols_).subspan(found.symbols, found.size), id);
  }

  void add_start(Control control, std::span<const std::uint32_t> symbols) {
    const Key key = code_.encode(control, symbols);
    const auto place = set_.place_of(key);
    if (place.is_taken) return;
    smaller_.clear();
    note_smaller(control, symbols);
    const bool is_dominated = std::ranges::any_of(
        smaller_, [&](const Hashed& smaller) { return set_.contains(smaller); });
    smaller_.clear();
    if (!is_dominated) tell(control, symbols, set_.add(place, key));
  }

  void tell(Control control, std::span<const std::uint32_t> symbols, StateId id) {
    const auto threads = static_cast<std::uint32_t>(symbols.size());
    for (const std::uint32_t symbol : symbols)
      if (!log_.contains(control, symbol))
        log_.note({control, symbol, threads, {number_, id}, false});
    if (!has_state_[control]) {
      has_state_[control] = true;
      first_of_control_.emplace_back(control, id);
    }
    if (!log_.wants_targets(control)) return;
    for (const std::uint32_t symbol : symbols) ++counts_[symbol];
    log_.look_for_target(control, counts_, successors_.open(), threads, {number_, id});
    for (const std::uint32_t symbol : symbols) counts_[symbol] = 0;
  }

  const ThreadFamily& family_;
  const StartGroup& group_;
  std::uint32_t number_;
  ForwardLog& log_;
  MultisetCode<Key> code_;
  StateSet<Key> set_;
  Successors successors_;
  std::vector<StateId> begin_of_level_;  ///< of each complete level and of the present one
  bool started_ = false;
  std::uint32_t births_ = 0;  ///< of the states that are being revisited; 0: the present level's
  StateId cursor_ = 0;
  std::unordered_map<StateId, std::pair<StateId, std::uint32_t>> passive_parents_;
  std::vector<std::pair<Control, StateId>> first_of_control_;  ///< found on the last level
  std::vector<std::uint32_t> symbols_;
  std::vector<Found> found_;
  std::vector<std::uint32_t> found_symbols_;
  std::vector<Hashed> smaller_;
  std::vector<Count> counts_;
  std::vector<bool> has_state_;
};

}  // namespace heddle::coverability
