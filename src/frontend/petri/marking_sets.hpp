#pragma once

/// Conditions on markings, as sets: unions of target regions.
///
/// A property's formula is built from linear comparisons by `and`, `or` and `not`. A reader pushes
/// the negations down to the comparisons as it goes and computes the union bottom up. Where that is
/// a union of boxes, and of not too many, the regions are boxes: that is what engines like best,
/// because boxes without upper bounds ask about covering. What is no box (`p >= q`,
/// `p + q <= 7`), and what would be too many, becomes the condition of a region.

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// A union of target regions in the order in which the formula names them.
using MarkingSet = std::vector<model::Region>;

/// Σ weight·place + constant; no weight is 0.
struct LinearSum {
  std::map<model::PlaceId, base::Integer> weights;
  base::Integer constant = 0;

  void add(model::PlaceId place, const base::Integer& weight);
  void add(const LinearSum& other, const base::Integer& factor);
};

enum class Relation { Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater };

Relation negation(Relation relation);

/// Formulas nested deeper than this are refused, before a reader's stack runs out.
constexpr unsigned kDeepestFormula = 200;

MarkingSet all_markings();
MarkingSet no_markings();
MarkingSet unite(MarkingSet a, const MarkingSet& b);
MarkingSet intersect(MarkingSet a, const MarkingSet& b);

/// The markings where `sum relation 0` holds.
MarkingSet where(const LinearSum& sum, Relation relation);

/// The markings in which the transition is enabled, or those in which it is not. The error says why
/// the transition is not one of an ordinary net; it may have upper bounds.
std::expected<MarkingSet, std::string> where_fireable(const model::PetriTransition& transition,
                                                      bool negated);

/// As targets: a set without markings is a region whose condition is false, since an empty list
/// would mean that nothing is asked.
std::vector<model::Region> to_targets(MarkingSet set);

}  // namespace heddle::frontend::petri
