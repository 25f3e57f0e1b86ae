#pragma once

/// A growing set of codes, in the order in which they were added; the codes lie in chunks that
/// never move. A hash table with open addressing holds positions only, eight in a group, and for
/// each of them a byte of the code's hash, its tag. A look-up compares the tags of a group in one
/// word and goes on to the next group only if this one is full, so that codes that are not there,
/// which most are, are told by one access to memory as a rule. The table grows by a third when it
/// is seven eighths full: a 64-bit code takes between 13.7 and 15.6 bytes in all.

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/invariant.hpp"
#include "coverability/multiset_code.hpp"

namespace heddle::coverability {

using StateId = std::uint32_t;

template <class Key>
class StateSet {
 public:
  StateSet() { make_table(kFirstGroups); }

  std::size_t size() const { return size_; }
  Key operator[](StateId id) const { return chunks_[id / kChunk][id % kChunk]; }

  /// Where a code is, or where it would be; valid until the next `add`.
  struct Bucket {
    std::size_t slot;
    bool is_taken;
  };

  /// A code with its hash, which is worth keeping where a code is looked up more than once.
  struct Hashed {
    Key key;
    std::uint64_t hash;
  };
  static Hashed hashed(Key key) { return {key, hash(key)}; }

  Bucket place_of(Key key) const { return place_of(hashed(key)); }
  Bucket place_of(const Hashed& wanted) const {
    const auto& [key, hashed] = wanted;
    const std::uint64_t tag = tag_of(hashed);
    std::size_t group = home(hashed);
    while (true) {
      const std::uint64_t tags = tags_[group];
      for (std::uint64_t equal = zero_bytes(tags ^ tag * kEachByte); equal; equal &= equal - 1) {
        const std::size_t slot = group * kGroup + first_byte(equal);
        if (slots_[slot] != kFree && (*this)[slots_[slot]] == key) return {slot, true};
      }
      if (const std::uint64_t free = zero_bytes(tags))
        return {group * kGroup + first_byte(free), false};
      group = group + 1 == tags_.size() ? 0 : group + 1;
    }
  }

  /// Fetches what a look-up of the code will look at first.
  void prefetch(const Hashed& wanted) const {
    const std::size_t group = home(wanted.hash);
    __builtin_prefetch(&tags_[group]);
    __builtin_prefetch(&slots_[group * kGroup]);
  }
  /// What it will look at next: the code that it is perhaps equal to.
  void prefetch_equal(const Hashed& wanted) const {
    const std::size_t group = home(wanted.hash);
    const std::uint64_t equal = zero_bytes(tags_[group] ^ tag_of(wanted.hash) * kEachByte);
    if (!equal) return;
    const StateId id = slots_[group * kGroup + first_byte(equal)];
    if (id != kFree) __builtin_prefetch(&chunks_[id / kChunk][id % kChunk]);
  }

  bool contains(const Hashed& wanted) const { return place_of(wanted).is_taken; }

  std::optional<StateId> find(Key key) const {
    const Bucket place = place_of(key);
    return place.is_taken ? std::optional(slots_[place.slot]) : std::nullopt;
  }

  /// Precondition: `place` is the code's and is not taken.
  StateId add(Bucket place, Key key) { return add(place, hashed(key)); }
  StateId add(Bucket place, const Hashed& wanted) {
    HEDDLE_INVARIANT(size_ < kFree, "a state set should hold fewer than 2^32 states");
    const auto id = static_cast<StateId>(size_);
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Key[]>(kChunk));
    chunks_.back()[size_ % kChunk] = wanted.key;
    fill(place.slot, wanted.hash, id);
    if (++size_ > slots_.size() / 8 * 7) grow();
    return id;
  }

  std::size_t bytes() const {
    return chunks_.size() * kChunk * sizeof(Key) + slots_.capacity() * sizeof(StateId) +
           tags_.capacity() * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 13;
  static constexpr std::size_t kGroup = 8;
  static constexpr std::size_t kFirstGroups = 128;
  static constexpr std::uint64_t kEachByte = 0x0101010101010101u;
  static constexpr StateId kFree = UINT32_MAX;
  static constexpr StateId kAhead = 16;  ///< codes whose places are fetched while the table grows

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

  /// 1 to 255; 0 is the tag of a free slot.
  static std::uint64_t tag_of(std::uint64_t hashed) { return (hashed & 0xff) % 255 + 1; }

  std::size_t home(std::uint64_t hashed) const {
    return static_cast<std::size_t>(WideKey{hashed} * tags_.size() >> 64);
  }

  /// The highest bit of each byte that is 0. Bytes above such a one may be marked by mistake.
  static std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - kEachByte) & ~word & (kEachByte << 7);
  }
  static std::size_t first_byte(std::uint64_t marked) {
    return static_cast<std::size_t>(std::countr_zero(marked)) / 8;
  }

  void fill(std::size_t slot, std::uint64_t hashed, StateId id) {
    slots_[slot] = id;
    tags_[slot / kGroup] |= tag_of(hashed) << (slot % kGroup * 8);
  }

  void make_table(std::size_t groups) {
    tags_.assign(groups, 0);
    slots_.assign(groups * kGroup, kFree);
  }

  void grow() {
    const std::size_t larger = tags_.size() + tags_.size() / 3;
    slots_ = {};  // first: both tables at once would be the peak of the whole search
    tags_ = {};
    make_table(larger);
    for (StateId id = 0; id < size_; ++id) {
      if (id + kAhead < size_) prefetch(StateSet::hashed((*this)[id + kAhead]));
      const std::uint64_t hashed = hash((*this)[id]);
      fill(free_slot(hashed), hashed, id);
    }
  }

  /// For a code that is not there.
  std::size_t free_slot(std::uint64_t hashed) const {
    std::size_t group = home(hashed);
    std::uint64_t free = zero_bytes(tags_[group]);
    while (!free) {
      group = group + 1 == tags_.size() ? 0 : group + 1;
      free = zero_bytes(tags_[group]);
    }
    return group * kGroup + first_byte(free);
  }

  std::vector<std::unique_ptr<Key[]>> chunks_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> tags_;  ///< of a group each, the first slot's in the lowest byte
  std::vector<StateId> slots_;
};

}  // namespace heddle::coverability
