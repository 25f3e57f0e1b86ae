#pragma once

/// Applies invariants to packed demands, and remembers which of them were ever needed, so that a
/// certificate carries no others.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer/certificate.hpp"
#include "base/integer.hpp"
#include "coverability/concurrency_relation.hpp"
#include "coverability/invariants.hpp"
#include "coverability/packed_vector.hpp"
#include "coverability/weighted_sums.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

class Pruner {
 public:
  Pruner() = default;

  explicit Pruner(std::optional<ThreadStateRows> rows) : rows_(std::move(rows)) {}

  Pruner(std::optional<ConcurrencyRelation> relation, std::vector<answer::LinearInvariant> linear,
         std::size_t places)
      : relation_(std::move(relation)), linear_(std::move(linear)), by_counter_(places) {
    used_.assign(linear_.size(), false);
    sums_.assign(linear_.size(), 0);
    for (std::size_t i = 0; i < linear_.size(); ++i) add_weights(i);
  }

  /// From now on `look_for_more` finds further invariants, with these.
  void learn_with(WeightedSums sums) { further_ = std::move(sums); }

  /// How much looking has cost so far, in units of `solver::find_in`; nothing if there is no use in
  /// looking for more.
  std::optional<std::uint64_t> cost_of_learning() const {
    if (!further_ || linear_.size() >= kMostSums) return std::nullopt;
    return further_->work();
  }

  /// Looks for an invariant that excludes this demand and keeps it; false if none is found.
  template <class Word>
  bool look_for_more(const PackedLayout<Word>& layout, std::span<const Word> words) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> demand;
    for (const Word word : words) demand.emplace_back(layout.counter(word), layout.count(word));
    auto found = further_->exceeded_by(demand);
    if (!found) return false;
    linear_.push_back(std::move(*found));
    used_.push_back(false);
    sums_.push_back(0);
    add_weights(linear_.size() - 1);
    return excludes<Word>(layout, 0, words);
  }

  /// Does every configuration above this demand violate an invariant?
  template <class Word>
  bool excludes(const PackedLayout<Word>& layout, Control control, std::span<const Word> words) {
    return outside_rows(layout, control, words) || never_together(layout, words) ||
           above_a_bound(layout, words);
  }

  std::vector<answer::Invariant> used() const {
    std::vector<answer::Invariant> result;
    if (rows_used_) result.emplace_back(rows_->to_certificate());
    if (relation_used_) result.emplace_back(relation_->to_certificate());
    for (std::size_t i = 0; i < linear_.size(); ++i)
      if (used_[i]) result.emplace_back(linear_[i]);
    return result;
  }

 private:
  static constexpr std::size_t kMostSums = 256;

  struct Term {
    std::size_t invariant;
    std::uint64_t weight;
  };

  /// Invariants with numbers beyond a machine word's comfort are left out.
  void add_weights(std::size_t i) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    const auto small = [](const base::Integer& value) { return value >= 0 && value < kLargest; };
    bounds_.push_back(UINT64_MAX);
    for (const auto& [place, weight] : linear_[i].weights)
      if (!small(weight)) return;
    if (!small(linear_[i].bound)) return;
    bounds_.back() = linear_[i].bound.get_ui();
    for (const auto& [place, weight] : linear_[i].weights)
      by_counter_[place.index()].push_back({i, weight.get_ui()});
  }

  template <class Word>
  bool outside_rows(const PackedLayout<Word>& layout, Control control,
                    std::span<const Word> words) {
    if (!rows_) return false;
    bool outside = !rows_->has_shared(control);
    for (std::size_t i = 0; !outside && i < words.size(); ++i)
      outside = !rows_->contains(control, layout.counter(words[i]));
    rows_used_ |= outside;
    return outside;
  }

  template <class Word>
  bool never_together(const PackedLayout<Word>& layout, std::span<const Word> words) {
    if (!relation_) return false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint32_t place = layout.counter(words[i]);
      bool excluded = !relation_->markable(place) ||
                      (layout.count(words[i]) >= 2 && !relation_->related(place, place));
      for (std::size_t j = 0; !excluded && j < i; ++j)
        excluded = !relation_->related(place, layout.counter(words[j]));
      if (!excluded) continue;
      relation_used_ = true;
      return true;
    }
    return false;
  }

  template <class Word>
  bool above_a_bound(const PackedLayout<Word>& layout, std::span<const Word> words) {
    if (linear_.empty()) return false;
    std::ranges::fill(sums_, 0);
    for (const Word word : words) {
      const std::uint64_t count = layout.count(word);
      for (const auto& [i, weight] : by_counter_[layout.counter(word)]) {
        // Counts and weights are below 2^32 and 2^31, so a sum that has not passed its bound
        // (below 2^31) cannot overflow by one more term.
        sums_[i] += weight * count;
        if (sums_[i] <= bounds_[i]) continue;
        used_[i] = true;
        return true;
      }
    }
    return false;
  }

  std::optional<ThreadStateRows> rows_;
  bool rows_used_ = false;
  std::optional<ConcurrencyRelation> relation_;
  bool relation_used_ = false;
  std::vector<answer::LinearInvariant> linear_;
  std::vector<std::uint64_t> bounds_;
  std::vector<bool> used_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::vector<Term>> by_counter_;
  std::optional<WeightedSums> further_;
};

/// The invariants of the model that backward searches prune with; none if they are not wanted.
Pruner find_invariants(const model::CountingTask& task, bool wanted);

/// The same, and those of a net that a search finds it needs. `task` must outlive the pruner.
Pruner find_and_learn_invariants(const model::CountingTask& task, bool wanted);

}  // namespace heddle::coverability
