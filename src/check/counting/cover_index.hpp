#pragma once

/// Is some element of a basis below this configuration?
///
/// The elements of one shared state form a trie over their (counter, amount) entries in the order
/// of counters. A question walks down every branch whose entries the configuration satisfies.
/// Cost of a question: at most the number of entries of the basis, usually little more than the
/// number of branches that agree on the first few counters. Memory: at most one node per entry.

#include <cstdint>
#include <vector>

#include "base/integer.hpp"
#include "check/counting/demand.hpp"

namespace heddle::check {

template <class Amount>
class CoverIndex {
 public:
  CoverIndex(const std::vector<Demand<Amount>>& elements, std::size_t shared_count);

  /// Does the upward closure of the elements contain this one? Uses an inner buffer: not const.
  bool contains(const Demand<Amount>& configuration);

 private:
  struct Node {
    std::uint32_t counter = 0;
    std::uint32_t first_child = 0;
    std::uint32_t end_child = 0;
    bool is_element = false;  ///< then its children are above it and left out
    Amount amount{};
  };
  struct Visit {
    std::uint32_t node;
    std::uint32_t entry;  ///< the first entry of the configuration that is not used yet
  };
  struct Range {
    std::uint32_t node;
    std::size_t begin, end;  ///< of the sorted elements below the node
    std::size_t depth;       ///< how many entries they have in common
  };

  void grow(const std::vector<const Demand<Amount>*>& sorted);
  void push_children(const Visit& at, const Demand<Amount>& configuration);

  std::vector<Node> nodes_;  ///< the roots come first, one for each shared state
  std::vector<Range> ranges_;
  std::vector<Visit> visits_;
};

extern template class CoverIndex<MachineAmount>;
extern template class CoverIndex<base::Integer>;

}  // namespace heddle::check
