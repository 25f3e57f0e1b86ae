#pragma once

/// Every demand that a backward search has found, minimal or not, with the link to the demand it
/// is a predecessor of. Elements are never moved or freed while the search runs: the links are the
/// counterexample. Storage grows by chunks, so nothing is copied and little is held in reserve:
/// 20 bytes for an element, one word for each non-zero counter.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/invariant.hpp"
#include "coverability/counter_system.hpp"

namespace heddle::coverability {

using ElementId = std::uint32_t;
constexpr ElementId kNoElement = UINT32_MAX;

/// Runs of words that stay where they are. A run is named by where it begins, in units.
template <class Word>
class WordArena {
 public:
  static constexpr std::size_t kUnit = 4;  // words; runs begin at multiples, so that 32 bits do

  std::uint32_t add(std::span<const Word> words) {
    HEDDLE_INVARIANT(words.size() <= kChunk, "a demand should fit a chunk");
    if (chunks_.empty() || used_ + words.size() > kChunk) {
      chunks_.push_back(std::make_unique_for_overwrite<Word[]>(kChunk));
      used_ = 0;
    }
    std::ranges::copy(words, chunks_.back().get() + used_);
    const std::size_t begin = (chunks_.size() - 1) * kChunk + used_;
    HEDDLE_INVARIANT(begin / kUnit < UINT32_MAX, "demands should take less than 2^34 words");
    used_ += (words.size() + kUnit - 1) / kUnit * kUnit;
    return static_cast<std::uint32_t>(begin / kUnit);
  }

  const Word* at(std::uint32_t unit) const {
    const std::size_t begin = std::size_t{unit} * kUnit;
    return chunks_[begin / kChunk].get() + begin % kChunk;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;
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
    HEDDLE_INVARIANT(id < UINT32_MAX / 2, "a search should find fewer than 2^31 demands");
    element(id) = {
        {control, transition, parent}, arena_.add(words), static_cast<std::uint32_t>(words.size())};
    return id;
  }

  std::size_t size() const { return size_; }
  const Link& link(ElementId id) const { return element(id).link; }
  std::span<const Word> words(ElementId id) const {
    const Element& e = element(id);
    return {arena_.at(e.begin), e.size};
  }

 private:
  struct Element {
    Link link;
    std::uint32_t begin;
    std::uint32_t size;
  };
  static constexpr std::size_t kChunk = std::size_t{1} << 14;

  Element& element(ElementId id) { return chunks_[id / kChunk][id % kChunk]; }
  const Element& element(ElementId id) const { return chunks_[id / kChunk][id % kChunk]; }

  std::vector<std::unique_ptr<Element[]>> chunks_;
  std::size_t size_ = 0;
  WordArena<Word> arena_;
};

}  // namespace heddle::coverability
