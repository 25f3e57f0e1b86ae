#pragma once

/// The minimal elements of an upward-closed set, kept apart by control state.
///
/// What an antichain must offer is the concept below; the search is written against it.
/// `SignatureAntichain` is a flat list per control state. Each element has a 64-bit signature with
/// one bit per class of facts "counter c is at least 1 (at least 2)"; u ≤ p implies that the
/// signature of u is a subset of that of p, so a scan over contiguous words rejects almost every
/// element before its counters are looked at.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "coverability/element_store.hpp"
#include "coverability/packed_vector.hpp"

namespace heddle::coverability {

template <class A, class Word>
concept Antichain = requires(A a, const A& c, Control control, std::span<const Word> words,
                             ElementId id, std::vector<ElementId>& dropped) {
  /// Is some element ≤ words?
  { a.covers(control, words) } -> std::same_as<bool>;
  /// Adds an element that is not covered; those above it leave and are appended to `dropped`.
  { a.insert(control, words, id, dropped) } -> std::same_as<void>;
  { c.elements() } -> std::same_as<std::vector<ElementId>>;
};

template <class Word>
class SignatureAntichain {
 public:
  SignatureAntichain(const PackedLayout<Word>& layout, const ElementStore<Word>& store,
                     std::size_t controls)
      : layout_(layout), store_(store), lists_(controls) {}

  bool covers(Control control, std::span<const Word> words) {
    List& list = lists_[control];
    const std::uint64_t missing = ~signature(words);
    const std::size_t size = list.signatures.size();
    for (std::size_t i = 0; i < size; ++i) {
      if ((list.signatures[i] & missing) != 0) continue;
      if (!layout_.below(store_.words(list.ids[i]), words)) continue;
      promote(list, i);
      return true;
    }
    return false;
  }

  void insert(Control control, std::span<const Word> words, ElementId id,
              std::vector<ElementId>& dropped) {
    List& list = lists_[control];
    const std::uint64_t bits = signature(words);
    for (std::size_t i = 0; i < list.signatures.size();) {
      const bool maybe = (bits & ~list.signatures[i]) == 0;
      if (maybe && layout_.below(words, store_.words(list.ids[i]))) {
        dropped.push_back(list.ids[i]);
        remove(list, i);
      } else {
        ++i;
      }
    }
    list.signatures.push_back(bits);
    list.ids.push_back(id);
  }

  std::vector<ElementId> elements() const {
    std::vector<ElementId> all;
    for (const List& list : lists_) all.insert(all.end(), list.ids.begin(), list.ids.end());
    return all;
  }

 private:
  struct List {
    std::vector<std::uint64_t> signatures;
    std::vector<ElementId> ids;
  };

  std::uint64_t signature(std::span<const Word> words) const {
    constexpr unsigned kPresentBits = 48;  // the other 16 say "at least 2"
    std::uint64_t bits = 0;
    for (const Word word : words) {
      const std::uint32_t counter = layout_.counter(word);
      bits |= std::uint64_t{1} << (counter % kPresentBits);
      if (layout_.count(word) >= 2)
        bits |= std::uint64_t{1} << (kPresentBits + counter % (64 - kPresentBits));
    }
    return bits;
  }

  /// Elements that cover once tend to cover again: halve the way to the front.
  static void promote(List& list, std::size_t i) {
    const std::size_t j = i / 2;
    std::swap(list.signatures[i], list.signatures[j]);
    std::swap(list.ids[i], list.ids[j]);
  }

  static void remove(List& list, std::size_t i) {
    list.signatures[i] = list.signatures.back();
    list.ids[i] = list.ids.back();
    list.signatures.pop_back();
    list.ids.pop_back();
  }

  PackedLayout<Word> layout_;
  const ElementStore<Word>& store_;
  std::vector<List> lists_;
};

}  // namespace heddle::coverability
