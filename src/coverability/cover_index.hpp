#pragma once

/// The demands of a backward search, kept apart by control state.
///
/// What a search needs is the concept `CoverIndex`: a set of demands that answers "is some element
/// below this demand?" before it takes one in. Elements that a smaller newcomer makes superfluous
/// may stay until the index sees fit to let them go; a search finds out by asking before it takes
/// one up. Nothing older can lie below an element, so that question is about younger ones alone.
///
/// `CoverTrie` is a trie over the packed words, in the order of the counters. A query for p walks
/// only the branches whose counts p reaches, so its cost is in the part of the trie that lies below
/// p. Paths without branching are not stored: a leaf names the element by the position of its
/// words, the rest of which is compared there.
///
/// A node is a block of 2, 4, 8, … slots of one pool: a head, which says how many branches there
/// are and which element ends here, and the branches, sorted by their words. A node that outgrows
/// its block moves to a larger one and leaves the old one to others. Each branch knows how young
/// the youngest element behind it is, in epochs of 1024 elements.
///
/// A node may have far more branches than p has words, if there are many elements without a counter
/// in common. Then the words of p are looked up among the branches, instead of the other way round.

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "coverability/element_store.hpp"
#include "coverability/packed_vector.hpp"

namespace heddle::coverability {

template <class I, class Word>
concept CoverIndex = requires(I index, Control control, std::span<const Word> words, ElementId id) {
  /// Is some element ≤ words?
  { index.covers(control, words) } -> std::same_as<bool>;
  /// Is some element that was inserted after this one ≤ it?
  { index.is_superfluous(id) } -> std::same_as<bool>;
  /// Precondition: the element is stored, younger than all others, and none of them is ≤ it.
  { index.insert(id) } -> std::same_as<void>;
};

template <class Word>
class CoverTrie {
 public:
  CoverTrie(const PackedLayout<Word>& layout, const ElementStore<Word>& store, std::size_t controls,
            std::size_t counters)
      : layout_(layout), store_(store), roots_(controls), dense_(counters, 0) {}

  bool covers(Control control, std::span<const Word> words) {
    return is_above_an_element(control, words, {});
  }

  bool is_superfluous(ElementId id) {
    return is_above_an_element(store_.link(id).control, store_.words(id),
                               {epoch_of(id), store_.position(id)});
  }

  void insert(ElementId id) {
    Child& root = roots_[store_.link(id).control];
    root = with(root, 0, store_.position(id), epoch_of(id));
  }

 private:
  using Position = std::uint32_t;
  using Epoch = std::uint16_t;

  /// So many branches are looked at in the time in which a word is looked up.
  static constexpr std::size_t kMoreBranches = 16;

  /// Nothing, an element (whose words from the branching on are still to be compared), or a node.
  class Child {
   public:
    Child() = default;
    static Child element(Position position) { return Child(position); }
    static Child node(std::uint32_t block) { return Child(block | kNodeBit); }

    bool is_empty() const { return bits_ == kNone; }
    bool is_node() const { return (bits_ & kNodeBit) != 0 && bits_ != kNone; }
    Position position() const { return bits_; }
    std::uint32_t block() const { return bits_ & ~kNodeBit; }

   private:
    static constexpr std::uint32_t kNodeBit = std::uint32_t{1} << 31;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    explicit Child(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = kNone;
  };

  /// A branch, or the head of a node: the number of its branches, and the element that ends here.
  struct Slot {
    Word word = 0;
    Epoch youngest = 0;
    Child child;
  };

  /// Which elements count: those of an epoch and later ones, but for one of them.
  struct Scope {
    Epoch since = 0;
    Position except = UINT32_MAX;
  };

  /// The last epoch has no end.
  static Epoch epoch_of(ElementId id) {
    return static_cast<Epoch>(std::min<ElementId>(id / 1024, UINT16_MAX));
  }

  bool is_above_an_element(Control control, std::span<const Word> words, Scope scope) {
    if (roots_[control].is_empty()) return false;
    for (const Word word : words) dense_[layout_.counter(word)] = word;
    query_ = words;
    const bool found = below(roots_[control], 0, scope);
    for (const Word word : words) dense_[layout_.counter(word)] = 0;
    return found;
  }

  /// dense_ holds the query's whole words: the same counter with at least this count.
  bool reaches(Word word) const { return dense_[layout_.counter(word)] >= word; }

  bool below(Child at, std::size_t depth, Scope scope) const {
    if (!at.is_node()) return at.position() != scope.except && tail_below(at.position(), depth);
    const Slot* slot = pool_.data() + at.block();
    if (!slot->child.is_empty() && slot->child.position() != scope.except &&
        slot->youngest >= scope.since)
      return true;
    if (slot->word > kMoreBranches * (query_.size() + 1)) return below_by_word(at, depth, scope);
    for (const Slot* const last = slot + slot->word; slot != last;) {
      ++slot;
      if (reaches(slot->word) && slot->youngest >= scope.since &&
          below(slot->child, depth + 1, scope))
        return true;
    }
    return false;
  }

  /// Goes on from a node with many branches, by those that begin with a counter of the query.
  bool below_by_word(Child at, std::size_t depth, Scope scope) const {
    const auto branches = std::span(pool_).subspan(at.block() + 1, pool_[at.block()].word);
    for (const Word word : query_) {
      const Word first = layout_.pack(layout_.counter(word), 1);
      for (auto it = std::ranges::lower_bound(branches, first, {}, &Slot::word);
           it != branches.end() && it->word <= word; ++it)
        if (it->youngest >= scope.since && below(it->child, depth + 1, scope)) return true;
    }
    return false;
  }

  bool tail_below(Position position, std::size_t depth) const {
    for (const Word* word = store_.at(position) + depth; *word != 0; ++word)
      if (!reaches(*word)) return false;
    return true;
  }

  /// The subtree `at` with one more element, all of whose words before `depth` lead here.
  Child with(Child at, std::size_t depth, Position position, Epoch epoch) {
    if (at.is_empty()) return Child::element(position);
    if (at.is_node()) return with_branch(at.block(), depth, position, epoch);
    // Make room for two. How old the other one is, its branch from above knows; here it counts as
    // young as the newcomer, which is on the safe side.
    const Child node = with_branch(new_block(0), depth, at.position(), epoch);
    return with_branch(node.block(), depth, position, epoch);
  }

  Child with_branch(std::uint32_t block, std::size_t depth, Position position, Epoch epoch) {
    const Word word = store_.at(position)[depth];
    if (word == 0) {
      pool_[block].child = Child::element(position);
      pool_[block].youngest = epoch;
      return Child::node(block);
    }
    const std::uint32_t at = find_or_insert(block, word);
    const Child grown = with(pool_[at].child, depth + 1, position, epoch);
    pool_[at].child = grown;
    pool_[at].youngest = epoch;
    return Child::node(block);
  }

  /// The slot of the branch for `word`. The block may become another one.
  std::uint32_t find_or_insert(std::uint32_t& block, Word word) {
    const auto size = static_cast<std::uint32_t>(pool_[block].word);
    const auto branches = std::span(pool_).subspan(block + 1, size);
    const auto it = std::ranges::lower_bound(branches, word, {}, &Slot::word);
    const auto at = static_cast<std::uint32_t>(it - branches.begin()) + 1;
    if (it != branches.end() && it->word == word) return block + at;
    if (std::has_single_bit(size)) enlarge(block);  // it is full
    Slot* const head = pool_.data() + block;
    std::move_backward(head + at, head + size + 1, head + size + 2);
    head[at] = {word, 0, Child{}};
    ++head->word;
    return block + at;
  }

  void enlarge(std::uint32_t& block) {
    const auto size = static_cast<std::uint32_t>(pool_[block].word);
    const auto size_class = static_cast<unsigned>(std::countr_zero(size));
    const std::uint32_t larger = new_block(size_class + 1);
    std::copy_n(pool_.begin() + block, size + 1, pool_.begin() + larger);
    free_blocks_[size_class].push_back(block);
    block = larger;
  }

  /// The head of a node without branches, and room for 2^size_class of them.
  std::uint32_t new_block(unsigned size_class) {
    auto& free = free_blocks_[size_class];
    if (free.empty()) {
      const std::size_t size = pool_.size() + (std::size_t{1} << size_class) + 1;
      if (size > std::size_t{1} << 31) throw std::bad_alloc();  // more than a child can name
      free.push_back(static_cast<std::uint32_t>(pool_.size()));
      if (size > pool_.capacity()) pool_.reserve(size + size / 8);  // doubling would waste a half
      pool_.resize(size);
    }
    const std::uint32_t block = free.back();
    free.pop_back();
    pool_[block] = {};
    return block;
  }

  PackedLayout<Word> layout_;
  const ElementStore<Word>& store_;
  std::vector<Child> roots_;
  std::vector<Slot> pool_;
  std::array<std::vector<std::uint32_t>, 32> free_blocks_;
  std::vector<Word> dense_;      // the query's word for each counter
  std::span<const Word> query_;  // the same as they come
};

}  // namespace heddle::coverability
