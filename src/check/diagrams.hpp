#pragma once

/// The checker's own decision diagrams: no engine uses them. A rule "premises give a conclusion"
/// over sets is checked as "premises and not the conclusion is empty".

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "answer/context_evidence.hpp"

namespace heddle::check {

/// Variables are numbered in their order. Memory grows with use; `forget_results` gives it back.
class Diagrams {
 public:
  /// A set of valuations: 0 is the empty one, 1 all.
  using Set = std::uint32_t;

  /// The i-th node of the list becomes set i + 2. Precondition: it is ordered (`why_not_ordered`).
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

  /// With every variable v replaced by `image[v]`, which need not be injective.
  Set substitute(Set set, std::span<const std::uint32_t> image);

  /// Is every valuation of both a and b in `conclusion`, with its variables replaced as above?
  /// Makes no nodes if the image keeps the order of the conclusion's variables.
  bool entails(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image);

  /// Sets made from now on are lost at the next `forget_results`.
  void keep_all() { kept_ = nodes_.size(); }
  void forget_results();
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    std::uint32_t variable;
    Set low, high;
    std::uint32_t next;  ///< in its bucket
  };
  struct Result {
    Set a = 0, b = 0, c = 0, out = 0;
    bool used = false;
  };

  Set make(std::uint32_t variable, Set low, Set high);
  Set append(std::uint32_t variable, Set low, Set high);
  std::uint32_t top(Set set) const { return nodes_[set].variable; }
  Set below(Set set, std::uint32_t variable, bool value) const;
  void grow_buckets();
  Set multiplied(Set a, Set b, const std::vector<bool>& forgotten);
  Set substituted(Set set, std::span<const std::uint32_t> image, bool in_order,
                  std::unordered_map<Set, Set>& known);
  bool entailed(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image);
  bool keeps_order(Set set, std::span<const std::uint32_t> image) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> buckets_;
  std::vector<Result> results_;
  /// Triples that `entails` has found to hold; those of earlier calls are void.
  struct Entailed {
    Set a = 0, b = 0, conclusion = 0;
    std::uint32_t call = 0;
  };
  std::vector<Entailed> entailed_;
  /// What `product` has found; again, those of earlier calls are void.
  struct Product {
    Set a = 0, b = 0, out = 0;
    std::uint32_t call = 0;
  };
  std::vector<Product> products_;
  std::uint32_t call_ = 0;
  std::size_t kept_ = 0;
};

}  // namespace heddle::check
