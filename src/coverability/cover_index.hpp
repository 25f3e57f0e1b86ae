#pragma once

/// The demands of a backward search, kept apart by control state.
///
/// What a search needs is the concept `CoverIndex`: a set of demands that answers "is some other
/// element below this one?". Elements that a smaller newcomer makes superfluous may stay until
/// the index sees fit to let them go; a search finds out by asking before it takes one up.
///
/// `CoverTrie` is a trie over the packed words, in the order of the counters. A query for p walks
/// only the branches whose counts p reaches, so its cost is in the part of the trie that lies below
/// p. Paths without branching are not stored: a leaf names the element, whose remaining words are
/// compared where they are stored.
///
/// The branches of a node lie side by side in one pool, in blocks of 2, 4, 8, … entries; a node
/// that outgrows its block moves to a larger one and leaves the old one to others.

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "coverability/element_store.hpp"
#include "coverability/packed_vector.hpp"

namespace heddle::coverability {

template <class I, class Word>
concept CoverIndex = requires(I index, Control control, std::span<const Word> words, ElementId id) {
  /// Is some element other than `id` ≤ words?
  { index.covers(control, words, id) } -> std::same_as<bool>;
  /// Precondition: the element is stored and no element of the index is equal to it.
  { index.insert(id) } -> std::same_as<void>;
};

template <class Word>
class CoverTrie {
 public:
  CoverTrie(const PackedLayout<Word>& layout, const ElementStore<Word>& store, std::size_t controls,
            std::size_t counters)
      : layout_(layout), store_(store), roots_(controls), dense_(counters, 0) {}

  bool covers(Control control, std::span<const Word> words, ElementId except) {
    if (roots_[control].is_empty()) return false;
    for (const Word word : words) dense_[layout_.counter(word)] = word;
    const bool found = below(roots_[control], 0, except);
    for (const Word word : words) dense_[layout_.counter(word)] = 0;
    return found;
  }

  void insert(ElementId id) {
    Child& root = roots_[store_.link(id).control];
    root = with(root, 0, id);
  }

 private:
  /// Nothing, an element (whose words from the branching on are still to be compared), or a node.
  class Child {
   public:
    Child() = default;
    static Child element(ElementId id) { return Child(id); }
    static Child node(std::uint32_t index) { return Child(index | kNodeBit); }

    bool is_empty() const { return bits_ == kNone; }
    bool is_node() const { return (bits_ & kNodeBit) != 0 && bits_ != kNone; }
    std::uint32_t index() const { return bits_ & ~kNodeBit; }

   private:
    static constexpr std::uint32_t kNodeBit = std::uint32_t{1} << 31;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    explicit Child(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = kNone;
  };

  struct Branch {
    Word word;
    Child child;
  };

  struct Node {
    ElementId ends_here = kNoElement;  ///< the element whose words end at this node
    std::uint32_t begin = 0;           ///< of its block in the pool
    std::uint32_t size = 0;
    std::uint32_t size_class = 0;  ///< the block has room for 2^size_class branches, none if 0
  };

  /// dense_ holds the query's whole words: the same counter with at least this count.
  bool reaches(Word word) const { return dense_[layout_.counter(word)] >= word; }

  bool below(Child at, std::size_t depth, ElementId except) const {
    if (!at.is_node()) return at.index() != except && tail_below(at.index(), depth);
    const Node& node = nodes_[at.index()];
    if (node.ends_here != kNoElement && node.ends_here != except) return true;
    const Branch* branch = pool_.data() + node.begin;
    for (const Branch* const end = branch + node.size; branch != end; ++branch)
      if (reaches(branch->word) && below(branch->child, depth + 1, except)) return true;
    return false;
  }

  bool tail_below(ElementId id, std::size_t depth) const {
    for (const Word word : store_.words(id).subspan(depth))
      if (!reaches(word)) return false;
    return true;
  }

  /// The subtree `at` with one more element, all of whose words before `depth` lead here.
  Child with(Child at, std::size_t depth, ElementId id) {
    if (at.is_empty()) return Child::element(id);
    if (!at.is_node()) {  // make room for two
      const ElementId other = at.index();
      at = Child::node(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.emplace_back();
      add_branch(at.index(), depth, other);
    }
    add_branch(at.index(), depth, id);
    return at;
  }

  void add_branch(std::uint32_t node, std::size_t depth, ElementId id) {
    const std::span<const Word> words = store_.words(id);
    if (depth == words.size()) {
      nodes_[node].ends_here = id;
      return;
    }
    const std::uint32_t at = find_or_insert(nodes_[node], words[depth]);
    const Child grown = with(pool_[nodes_[node].begin + at].child, depth + 1, id);
    pool_[nodes_[node].begin + at].child = grown;
  }

  /// The position of the branch for `word` within the node.
  std::uint32_t find_or_insert(Node& node, Word word) {
    const auto branches = std::span(pool_).subspan(node.begin, node.size);
    const auto it = std::ranges::lower_bound(branches, word, {}, &Branch::word);
    const auto at = static_cast<std::uint32_t>(it - branches.begin());
    if (it != branches.end() && it->word == word) return at;
    if (node.size_class == 0 || node.size == std::uint32_t{1} << node.size_class) enlarge(node);
    Branch* const first = pool_.data() + node.begin;
    std::move_backward(first + at, first + node.size, first + node.size + 1);
    first[at] = {word, Child{}};
    ++node.size;
    return at;
  }

  void enlarge(Node& node) {
    const std::uint32_t size_class = node.size_class + 1;
    auto& free = free_blocks_[size_class];
    std::uint32_t begin = static_cast<std::uint32_t>(pool_.size());
    if (free.empty()) {
      pool_.resize(pool_.size() + (std::size_t{1} << size_class));
    } else {
      begin = free.back();
      free.pop_back();
    }
    std::copy_n(pool_.begin() + node.begin, node.size, pool_.begin() + begin);
    if (node.size_class > 0) free_blocks_[node.size_class].push_back(node.begin);
    node.begin = begin;
    node.size_class = size_class;
  }

  PackedLayout<Word> layout_;
  const ElementStore<Word>& store_;
  std::vector<Child> roots_;
  std::vector<Node> nodes_;
  std::vector<Branch> pool_;
  std::array<std::vector<std::uint32_t>, 32> free_blocks_;
  std::vector<Word> dense_;
};

}  // namespace heddle::coverability
