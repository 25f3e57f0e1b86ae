#pragma once

/// A growing set of codes, in the order in which they were added. A hash table with open addressing
/// holds positions only; the codes lie in chunks that never move. The table grows by half when it
/// is seven eighths full, so that a 64-bit code takes between 12.6 and 14.9 bytes in all.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/invariant.hpp"
#include "coverability/multiset_code.hpp"

namespace heddle::coverability {

using StateId = std::uint32_t;

template <class Key>
class StateSet {
 public:
  StateSet() : slots_(kFirstSlots, kFree) {}

  std::size_t size() const { return size_; }
  Key operator[](StateId id) const { return chunks_[id / kChunk][id % kChunk]; }

  std::optional<StateId> find(Key key) const {
    const StateId id = slots_[slot_of(key)];
    return id == kFree ? std::nullopt : std::optional(id);
  }

  /// The position of the code, and whether it is new.
  std::pair<StateId, bool> insert(Key key) {
    const std::size_t slot = slot_of(key);
    if (slots_[slot] != kFree) return {slots_[slot], false};
    HEDDLE_INVARIANT(size_ < kFree, "a state set should hold fewer than 2^32 states");
    const auto id = static_cast<StateId>(size_);
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Key[]>(kChunk));
    chunks_.back()[size_ % kChunk] = key;
    slots_[slot] = id;
    if (++size_ > slots_.size() / 8 * 7) grow();
    return {id, true};
  }

  /// Fetches what `find` and `insert` will look at first.
  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

  std::size_t bytes() const {
    return chunks_.size() * kChunk * sizeof(Key) + slots_.capacity() * sizeof(StateId);
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 13;
  static constexpr std::size_t kFirstSlots = 1024;
  static constexpr StateId kFree = UINT32_MAX;

  static std::uint64_t hash(Key key) {
    auto bits = static_cast<std::uint64_t>(key);
    if constexpr (sizeof(Key) > 8)
      bits ^= static_cast<std::uint64_t>(key >> 64) * 0x9e3779b97f4a7c15u;
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93u;
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
  }

  std::size_t home(Key key) const {
    return static_cast<std::size_t>(WideKey{hash(key)} * slots_.size() >> 64);
  }

  /// Where the key is, or the free slot where it would be.
  std::size_t slot_of(Key key) const {
    std::size_t slot = home(key);
    while (slots_[slot] != kFree && (*this)[slots_[slot]] != key)
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    return slot;
  }

  void grow() {
    const std::size_t larger = slots_.size() + slots_.size() / 2;
    slots_ = {};  // first: both tables at once would be the peak of the whole search
    slots_ = std::vector<StateId>(larger, kFree);
    for (StateId id = 0; id < size_; ++id) slots_[slot_of((*this)[id])] = id;
  }

  std::vector<std::unique_ptr<Key[]>> chunks_;
  std::size_t size_ = 0;
  std::vector<StateId> slots_;
};

}  // namespace heddle::coverability
