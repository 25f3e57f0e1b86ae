#pragma once

/// Conditions on markings, as sets: unions of boxes, which is what a question's targets are.
///
/// A property's formula is built from linear comparisons by `and`, `or` and `not`. A reader pushes
/// the negations down to the comparisons as it goes and computes the union of boxes bottom up, so
/// that no formula is ever stored. Not every comparison is a union of boxes: `p >= q` is none, and
/// `p + q <= 7` only one of many. Those are refused with a reason.

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// A union of target regions in the order in which the formula names them.
using MarkingSet = std::vector<model::Region>;

/// Or the reason why there is none, a clause such as "it compares places with each other".
using MaybeMarkingSet = std::expected<MarkingSet, std::string>;

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
MaybeMarkingSet unite(MarkingSet a, const MarkingSet& b);
MaybeMarkingSet intersect(MarkingSet a, const MarkingSet& b);

/// The markings where `sum relation 0` holds.
MaybeMarkingSet where(const LinearSum& sum, Relation relation);

/// The markings in which the transition is enabled, or those in which it is not. Only for
/// transitions of ordinary nets.
MaybeMarkingSet where_fireable(const model::PetriTransition& transition, bool negated);

}  // namespace heddle::frontend::petri
