#pragma once

/// What a forward search has to tell: thread states and targets, each with the fewest threads.
/// Private to forward_search.cpp.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coverability/forward_search.hpp"

namespace heddle::coverability {

class ForwardLog {
 public:
  ForwardLog(const ThreadFamily& family, std::vector<Demand> targets)
      : family_(family),
        words_((family.counters + 63) / 64),
        rows_(family.controls),
        targets_(std::move(targets)),
        wants_targets_(family.controls, false) {
    for (const Demand& target : targets_) wants_targets_[target.control] = true;
  }

  /// Called for each thread state that is new.
  ForwardSearch::OnFound on_found;

  const std::vector<FoundThreadState>& found() const { return found_; }
  const std::optional<FoundTarget>& target() const { return target_; }

  bool contains(Control control, std::uint32_t counter) const {
    const auto& row = rows_[control];
    return !row.empty() && (row[counter / 64] >> (counter % 64) & 1) != 0;
  }

  void note(const FoundThreadState& state) {
    if (family_.is_pool(state.counter) || contains(state.control, state.counter)) return;
    auto& row = rows_[state.control];
    if (row.empty()) row.assign(words_, 0);
    row[state.counter / 64] |= std::uint64_t{1} << (state.counter % 64);
    found_.push_back(state);
    if (on_found) on_found(state);
  }

  bool wants_targets(Control control) const { return wants_targets_[control]; }

  /// Looks whether the configuration covers a target, with births in open counters if need be.
  /// `counts` is dense.
  void look_for_target(Control control, std::span<const Count> counts,
                       const std::vector<bool>& open, std::uint32_t threads, StateRef where) {
    for (const Demand& target : targets_) {
      if (target.control != control) continue;
      std::vector<CounterCount> births;
      const auto missing = births_for(target, counts, open, births);
      if (!missing || (target_ && target_->threads <= threads + *missing)) continue;
      target_ = FoundTarget{threads + *missing, where, std::move(births)};
    }
  }

 private:
  static std::optional<Count> births_for(const Demand& target, std::span<const Count> counts,
                                         const std::vector<bool>& open,
                                         std::vector<CounterCount>& births) {
    Count missing = 0;
    for (const auto& [counter, wanted] : target.counts) {
      if (counts[counter] >= wanted) continue;
      if (!open[counter]) return std::nullopt;
      births.emplace_back(counter, wanted - counts[counter]);
      missing += births.back().second;
    }
    return missing;
  }

  const ThreadFamily& family_;
  std::size_t words_;
  std::vector<std::vector<std::uint64_t>> rows_;
  std::vector<FoundThreadState> found_;
  std::vector<Demand> targets_;
  std::vector<bool> wants_targets_;
  std::optional<FoundTarget> target_;
};

}  // namespace heddle::coverability
