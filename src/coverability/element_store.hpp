#pragma once

/// Every demand that a backward search has found, minimal or not, with the link to the demand it
/// is a predecessor of. Elements are never moved or freed while the search runs: the links are the
/// counterexample.

#include <cstdint>
#include <span>
#include <vector>

#include "coverability/counter_system.hpp"

namespace heddle::coverability {

using ElementId = std::uint32_t;
constexpr ElementId kNoElement = UINT32_MAX;

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
    const auto id = static_cast<ElementId>(links_.size());
    links_.push_back({control, transition, parent});
    words_.insert(words_.end(), words.begin(), words.end());
    ends_.push_back(words_.size());
    return id;
  }

  std::size_t size() const { return links_.size(); }
  const Link& link(ElementId id) const { return links_[id]; }

  /// Valid until the next `add`.
  std::span<const Word> words(ElementId id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return {words_.data() + begin, ends_[id] - begin};
  }

 private:
  std::vector<Link> links_;
  std::vector<Word> words_;
  std::vector<std::size_t> ends_;
};

}  // namespace heddle::coverability
