#pragma once

/// Every demand that a backward search has found, minimal or not, with the link to the demand it
/// is a predecessor of. Elements are never moved or freed while the search runs: the links are the
/// counterexample. Storage grows by chunks, so nothing is copied and little is held in reserve:
/// 16 bytes for an element, one word for each non-zero counter and one that ends them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/invariant.hpp"
#include "coverability/counter_system.hpp"

namespace heddle::coverability {

using ElementId = std::uint32_t;
constexpr ElementId kNoElement = UINT32_MAX;

/// Runs of non-zero words that stay where they are, each ended by a zero. A run is named by its
/// position, in units.
template <class Word>
class WordArena {
 public:
  std::uint32_t add(std::span<const Word> words) {
    HEDDLE_INVARIANT(words.size() < kChunk, "a demand should fit a chunk");
    if (chunks_.empty() || used_ + words.size() >= kChunk) {
      chunks_.push_back(std::make_unique_for_overwrite<Word[]>(kChunk));
      used_ = 0;
    }
    *std::ranges::copy(words, chunks_.back().get() + used_).out = 0;
    const std::size_t begin = (chunks_.size() - 1) * kChunk + used_;
    if (begin / kUnit >= kPositions) throw std::bad_alloc();  // more than positions can name
    used_ += (words.size() + kUnit) / kUnit * kUnit;
    return static_cast<std::uint32_t>(begin / kUnit);
  }

  const Word* at(std::uint32_t position) const {
    const std::size_t begin = std::size_t{position} * kUnit;
    return chunks_[begin / kChunk].get() + begin % kChunk;
  }

 private:
  static constexpr std::size_t kUnit = 2;  // words; runs begin at multiples of it
  static constexpr std::size_t kPositions = std::size_t{1} << 31;
  static constexpr std::size_t kChunk = std::size_t{1} << 18;
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::size_t used_ = 0;
};

template <class Word>
class ElementStore {
 public:
  struct Link {
    Control control;
    std::uint32_t transition;  ///< index into CounterSystem::transitions; unused for targets
    ElementId parent;          ///< kNoElement for targets
  };

  ElementId add(Control control, std::span<const Word> words, std::uint32_t transition,
                ElementId parent) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Element[]>(kChunk));
    const auto id = static_cast<ElementId>(size_++);
    element(id) = {{control, transition, parent}, arena_.add(words)};
    return id;
  }

  std::size_t size() const { return size_; }
  const Link& link(ElementId id) const { return element(id).link; }
  /// Where its words are, which no other element shares: below 2^31.
  std::uint32_t position(ElementId id) const { return element(id).words; }
  /// The words at a position, up to the first 0.
  const Word* at(std::uint32_t position) const { return arena_.at(position); }
  std::span<const Word> words(ElementId id) const {
    const Word* const begin = at(position(id));
    const Word* end = begin;
    while (*end != 0) ++end;
    return {begin, end};
  }

 private:
  struct Element {
    Link link;
    std::uint32_t words;
  };
  static constexpr std::size_t kChunk = std::size_t{1} << 14;

  Element& element(ElementId id) { return chunks_[id / kChunk][id % kChunk]; }
  const Element& element(ElementId id) const { return chunks_[id / kChunk][id % kChunk]; }

  std::vector<std::unique_ptr<Element[]>> chunks_;
  std::size_t size_ = 0;
  WordArena<Word> arena_;
};

}  // namespace heddle::coverability
