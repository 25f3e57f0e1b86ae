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

#include <algorithm>
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
    if (roots_[control] == Child{}) return false;
    for (const Word word : words) dense_[layout_.counter(word)] = layout_.count(word);
    const bool found = below(roots_[control], 0, except);
    for (const Word word : words) dense_[layout_.counter(word)] = 0;
    return found;
  }

  void insert(ElementId id) { insert(roots_[store_.link(id).control], 0, id); }

 private:
  /// Nothing, an element (all of whose words after the branching are still to be compared), or a
  /// branching node.
  struct Child {
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::uint32_t index = kNone;
    bool is_node = false;
    friend bool operator==(const Child&, const Child&) = default;
  };
  struct Branch {
    Word word;
    Child child;
  };
  struct Node {
    ElementId ends_here = kNoElement;  ///< the element whose words end at this node
    std::vector<Branch> branches;      ///< sorted by word
  };

  bool reaches(Word word) const { return dense_[layout_.counter(word)] >= layout_.count(word); }

  bool below(Child at, std::size_t depth, ElementId except) const {
    if (!at.is_node) return at.index != except && tail_below(at.index, depth);
    const Node& node = nodes_[at.index];
    if (node.ends_here != kNoElement && node.ends_here != except) return true;
    for (const Branch& branch : node.branches)
      if (reaches(branch.word) && below(branch.child, depth + 1, except)) return true;
    return false;
  }

  bool tail_below(ElementId id, std::size_t depth) const {
    return std::ranges::all_of(store_.words(id).subspan(depth),
                               [&](Word word) { return reaches(word); });
  }

  void insert(Child& at, std::size_t depth, ElementId id) {
    if (at == Child{}) {
      at = {id, false};
      return;
    }
    if (!at.is_node) {  // make room for two
      const ElementId other = at.index;
      at = {static_cast<std::uint32_t>(nodes_.size()), true};
      nodes_.emplace_back();
      add_branch(at.index, depth, other);
    }
    add_branch(at.index, depth, id);
  }

  void add_branch(std::uint32_t node, std::size_t depth, ElementId id) {
    const std::span<const Word> words = store_.words(id);
    if (depth == words.size()) {
      nodes_[node].ends_here = id;
      return;
    }
    auto& branches = nodes_[node].branches;
    auto it = std::ranges::lower_bound(branches, words[depth], {}, &Branch::word);
    if (it == branches.end() || it->word != words[depth])
      it = branches.insert(it, {words[depth], Child{}});
    // Growing the node table moves the nodes, so the child is worked on outside of it.
    const auto position = it - branches.begin();
    Child child = it->child;
    insert(child, depth + 1, id);
    nodes_[node].branches[static_cast<std::size_t>(position)].child = child;
  }

  PackedLayout<Word> layout_;
  const ElementStore<Word>& store_;
  std::vector<Child> roots_;
  std::vector<Node> nodes_;
  std::vector<Word> dense_;
};

}  // namespace heddle::coverability
