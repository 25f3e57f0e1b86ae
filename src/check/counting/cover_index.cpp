#include "check/counting/cover_index.hpp"

#include <algorithm>
#include <limits>

#include "base/invariant.hpp"

namespace heddle::check {

template <class Amount>
CoverIndex<Amount>::CoverIndex(const std::vector<Demand<Amount>>& elements,
                               std::size_t shared_count) {
  std::vector<const Demand<Amount>*> sorted;
  sorted.reserve(elements.size());
  for (const Demand<Amount>& element : elements) sorted.push_back(&element);
  std::ranges::sort(sorted, [](const auto* a, const auto* b) {
    return a->shared != b->shared ? a->shared < b->shared : a->entries < b->entries;
  });
  nodes_.resize(shared_count);
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end]->shared == sorted[begin]->shared) ++end;
    ranges_.push_back({sorted[begin]->shared, begin, end, 0});
    begin = end;
  }
  grow(sorted);
}

/// The children of a node are the different entries at its depth, one after the other.
template <class Amount>
void CoverIndex<Amount>::grow(const std::vector<const Demand<Amount>*>& sorted) {
  while (!ranges_.empty()) {
    const Range range = ranges_.back();
    ranges_.pop_back();
    if (sorted[range.begin]->entries.size() == range.depth) {
      nodes_[range.node].is_element = true;
      continue;
    }
    HEDDLE_INVARIANT(nodes_.size() < std::numeric_limits<std::uint32_t>::max() / 2,
                     "a basis should have fewer than 2^31 entries");
    nodes_[range.node].first_child = static_cast<std::uint32_t>(nodes_.size());
    for (std::size_t begin = range.begin; begin < range.end;) {
      const auto& entry = sorted[begin]->entries[range.depth];
      std::size_t end = begin + 1;
      while (end < range.end && sorted[end]->entries[range.depth] == entry) ++end;
      ranges_.push_back({static_cast<std::uint32_t>(nodes_.size()), begin, end, range.depth + 1});
      nodes_.push_back({entry.first, 0, 0, false, entry.second});
      begin = end;
    }
    nodes_[range.node].end_child = static_cast<std::uint32_t>(nodes_.size());
  }
}

template <class Amount>
void CoverIndex<Amount>::push_children(const Visit& at, const Demand<Amount>& configuration) {
  const auto end = nodes_.begin() + nodes_[at.node].end_child;
  auto child = nodes_.begin() + nodes_[at.node].first_child;
  for (std::size_t i = at.entry; i < configuration.entries.size() && child != end; ++i) {
    const auto& [counter, amount] = configuration.entries[i];
    if (child->counter < counter)
      child = std::ranges::lower_bound(child, end, counter, {}, &Node::counter);
    for (; child != end && child->counter == counter && child->amount <= amount; ++child)
      visits_.push_back(
          {static_cast<std::uint32_t>(child - nodes_.begin()), static_cast<std::uint32_t>(i + 1)});
  }
}

template <class Amount>
bool CoverIndex<Amount>::contains(const Demand<Amount>& configuration) {
  visits_.clear();
  visits_.push_back({configuration.shared, 0});
  while (!visits_.empty()) {
    const Visit at = visits_.back();
    visits_.pop_back();
    if (nodes_[at.node].is_element) return true;
    push_children(at, configuration);
  }
  return false;
}

template class CoverIndex<MachineAmount>;
template class CoverIndex<base::Integer>;

}  // namespace heddle::check
