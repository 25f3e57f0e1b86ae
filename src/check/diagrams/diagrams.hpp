#pragma once

/// The checkers' own decision diagrams: no engine uses them. A rule "premises give a conclusion"
/// over sets is an inclusion, and `entails` looks for a valuation that is in the premises but not
/// in the conclusion.

#include <cstdint>
#include <span>
#include <vector>

#include "answer/context_evidence.hpp"

namespace heddle::check {

/// Variables are numbered in their order. Memory grows with use; what `forget_results` drops is
/// used again. Operations recur once for each variable at most, products twice.
class Diagrams {
 public:
  /// A set of valuations: 0 is the empty one, 1 all.
  using Set = std::uint32_t;

  /// The i-th node of the list becomes set i + 2. Precondition: its form is right
  /// (`check_form` of diagram_support.hpp). Nodes need not be reduced; then a set may have several
  /// numbers, and what holds of sets may not be seen, but nothing is seen that does not hold.
  explicit Diagrams(const std::vector<answer::DiagramNode>& nodes);

  Set variable(std::uint32_t which) { return make(which, 0, 1); }
  Set conjunction(Set a, Set b) { return choose(a, b, 0); }
  Set disjunction(Set a, Set b) { return choose(a, 1, b); }
  Set complement(Set a) { return choose(a, 0, 1); }
  Set equivalence(Set a, Set b);
  /// In valuations of `condition` as in `then`, in others as in `otherwise`.
  Set choose(Set condition, Set then, Set otherwise);
  bool disjoint(Set a, Set b) { return conjunction(a, b) == 0; }

  /// Valuations of both, with any values of the variables v for which `forgotten[v]` holds.
  Set product(Set a, Set b, const std::vector<bool>& forgotten);
  /// The same, with every variable v of `a` replaced by `image[v]` first.
  Set product(Set a, std::span<const std::uint32_t> image, Set b,
              const std::vector<bool>& forgotten);

  /// With every variable v replaced by `image[v]`, which need not be injective.
  Set substitute(Set set, std::span<const std::uint32_t> image);

  /// Is every valuation of both a and b in `conclusion`, with its variables replaced as above?
  /// Makes no nodes if the image keeps the order of the conclusion's variables.
  bool entails(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image);

  /// Sets made from now on are lost at the next `forget_results`.
  void keep_all() { kept_ = nodes_.size(); }
  void forget_results();
  std::size_t size() const { return nodes_.size(); }
  std::size_t node_count(Set set) const { return nodes_of(set).size(); }

 private:
  struct Node {
    std::uint32_t variable;
    Set low, high;
    std::uint32_t next;  ///< in its bucket
  };
  /// What is known of triples. One that finds no room takes the place of another.
  class Memo {
   public:
    struct Entry {
      std::uint32_t a = 0, b = 0, c = 0, value = 0;
    };
    Entry& of(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    void resize(std::size_t power_of_two) { entries_.assign(power_of_two, {}); }
    void clear() { resize(entries_.size()); }

   private:
    std::vector<Entry> entries_;
  };
  /// A product under way: what `a` is renamed by, and what is forgotten. Below `last` there is
  /// neither.
  struct Factors {
    std::span<const std::uint32_t> image;
    const std::vector<bool>& forgotten;
    std::uint32_t last;
  };

  Set make(std::uint32_t variable, Set low, Set high);
  Set append(std::uint32_t variable, Set low, Set high);
  std::uint32_t top(Set set) const { return nodes_[set].variable; }
  Set below(Set set, std::uint32_t variable, bool value) const;
  std::vector<Set> nodes_of(Set set) const;
  void grow();
  Set multiplied(Set a, Set b, const Factors& factors);
  Set substituted(Set set, std::span<const std::uint32_t> image, bool in_order);
  bool entailed(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image);
  bool keeps_order(Set set, std::span<const std::uint32_t> image) const;
  void begin_call();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> buckets_;
  Memo chosen_;        ///< (condition, then, otherwise): the result
  Memo entailed_;      ///< (a, b, conclusion): the number of the call that found it to hold
  Memo of_this_call_;  ///< (a, b, call) of a product, (set, 0, call) of a substitution: the result
  std::uint32_t call_ = 0;
  std::size_t kept_ = 0;
};

}  // namespace heddle::check
