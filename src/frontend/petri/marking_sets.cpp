#include "frontend/petri/marking_sets.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using model::CounterBound;
using model::PlaceId;
using model::Region;
using Box = std::vector<CounterBound>;

/// More cases than this are not what anybody meant to write down.
constexpr std::size_t kMostRegions = 4096;

std::unexpected<std::string> too_many() {
  return std::unexpected("it has more than " + std::to_string(kMostRegions) + " cases");
}

Integer ceiling_quotient(const Integer& a, const Integer& b) {
  Integer out;
  mpz_cdiv_q(out.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return out;
}

Integer floor_quotient(const Integer& a, const Integer& b) {
  Integer out;
  mpz_fdiv_q(out.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return out;
}

/// Both bounds of one place; nothing if they exclude each other.
std::optional<CounterBound> both(const CounterBound& a, const CounterBound& b) {
  CounterBound out{a.counter, std::max(a.lower, b.lower), a.upper};
  if (b.upper && (!out.upper || *b.upper < *out.upper)) out.upper = b.upper;
  if (out.upper && *out.upper < out.lower) return std::nullopt;
  return out;
}

std::optional<Region> both(const Region& a, const Region& b) {
  Region out;
  auto left = a.bounds.begin();
  auto right = b.bounds.begin();
  while (left != a.bounds.end() && right != b.bounds.end()) {
    if (left->counter < right->counter) {
      out.bounds.push_back(*left++);
    } else if (right->counter < left->counter) {
      out.bounds.push_back(*right++);
    } else {
      auto bound = both(*left++, *right++);
      if (!bound) return std::nullopt;
      out.bounds.push_back(std::move(*bound));
    }
  }
  std::copy(left, a.bounds.end(), std::back_inserter(out.bounds));
  std::copy(right, b.bounds.end(), std::back_inserter(out.bounds));
  return out;
}

/// One more bound; false if nothing is left. Long conjunctions are read bound by bound.
bool narrow(Box& box, const CounterBound& by) {
  const auto it = std::ranges::lower_bound(box, by.counter, {}, &CounterBound::counter);
  if (it == box.end() || it->counter != by.counter) {
    box.insert(it, by);
    return true;
  }
  auto bound = both(*it, by);
  if (bound) *it = std::move(*bound);
  return bound.has_value();
}

MarkingSet box(Box bounds) { return {Region{model::SharedState(0u), std::move(bounds)}}; }

/// weight·place + constant ≥ 0. A bound that every marking keeps is left out.
MarkingSet at_least_zero(PlaceId place, const Integer& weight, const Integer& constant) {
  if (weight > 0) {
    if (constant >= 0) return all_markings();
    return box({{place, ceiling_quotient(-constant, weight), std::nullopt}});
  }
  if (constant < 0) return no_markings();
  return box({{place, 0, floor_quotient(constant, -weight)}});
}

/// The least vectors of an upward-closed set Σ weight·x ≥ demand with positive weights: finitely
/// many, one box each. Walks over the places in order; a vector is kept if no entry can be lowered.
class LeastVectors {
 public:
  LeastVectors(const LinearSum& sum, Integer demand)
      : weights_(sum.weights.begin(), sum.weights.end()), demand_(std::move(demand)) {}

  MaybeMarkingSet find() {
    if (weights_.size() > kMostRegions || !extend(0, demand_)) return too_many();
    return std::move(found_);
  }

 private:
  /// False once there are too many.
  bool extend(std::size_t next, const Integer& missing) {
    if (missing <= 0) return keep(missing);
    const auto& [place, weight] = weights_[next];
    const Integer enough = ceiling_quotient(missing, weight);
    const bool is_last = next + 1 == weights_.size();
    if (!is_last && !extend(next + 1, missing)) return false;
    for (Integer tokens = is_last ? enough : Integer(1); tokens <= enough; ++tokens) {
      vector_.push_back({place, tokens, std::nullopt});
      const bool continues = extend(next + 1, missing - tokens * weight);
      vector_.pop_back();
      if (!continues) return false;
    }
    return true;
  }

  /// `missing` is at most 0: by how much the demand is exceeded.
  bool keep(const Integer& missing) {
    if (++seen_ > kMostRegions) return false;
    std::size_t next = 0;
    for (const CounterBound& bound : vector_) {
      while (weights_[next].first != bound.counter) ++next;
      if (missing + weights_[next].second <= 0) return true;
    }
    found_.push_back(Region{model::SharedState(0u), vector_});
    return true;
  }

  std::vector<std::pair<PlaceId, Integer>> weights_;
  Integer demand_;
  Box vector_;
  MarkingSet found_;
  std::size_t seen_ = 0;
};

MaybeMarkingSet several_places_at_least_zero(const LinearSum& sum) {
  const auto is_positive = [](const auto& entry) { return entry.second > 0; };
  if (std::ranges::all_of(sum.weights, is_positive)) {
    if (sum.constant >= 0) return all_markings();
    return LeastVectors(sum, -sum.constant).find();
  }
  if (std::ranges::any_of(sum.weights, is_positive))
    return std::unexpected("it compares places with each other");
  if (sum.constant < 0) return no_markings();
  Box zeros;
  for (const auto& [place, weight] : sum.weights) {
    if (sum.constant + weight >= 0)
      return std::unexpected("it bounds the sum of several places from above");
    zeros.push_back({place, 0, Integer(0)});
  }
  return box(std::move(zeros));
}

/// sum ≥ 0
MaybeMarkingSet at_least_zero(const LinearSum& sum) {
  if (sum.weights.empty()) return sum.constant >= 0 ? all_markings() : no_markings();
  if (sum.weights.size() > 1) return several_places_at_least_zero(sum);
  const auto& [place, weight] = *sum.weights.begin();
  return at_least_zero(place, weight, sum.constant);
}

/// factor·sum + offset ≥ 0
MaybeMarkingSet at_least_zero(const LinearSum& sum, int factor, int offset) {
  LinearSum scaled;
  scaled.add(sum, factor);
  scaled.constant += offset;
  return at_least_zero(scaled);
}

}  // namespace

void LinearSum::add(PlaceId place, const Integer& weight) {
  Integer& sum = weights[place];
  sum += weight;
  if (sum == 0) weights.erase(place);
}

void LinearSum::add(const LinearSum& other, const Integer& factor) {
  for (const auto& [place, weight] : other.weights) add(place, factor * weight);
  constant += factor * other.constant;
}

Relation negation(Relation relation) {
  switch (relation) {
    case Relation::Less: return Relation::GreaterEqual;
    case Relation::LessEqual: return Relation::Greater;
    case Relation::Equal: return Relation::NotEqual;
    case Relation::NotEqual: return Relation::Equal;
    case Relation::GreaterEqual: return Relation::Less;
    case Relation::Greater: return Relation::LessEqual;
  }
  return relation;
}

MarkingSet all_markings() { return box({}); }
MarkingSet no_markings() { return {}; }

MaybeMarkingSet unite(MarkingSet a, const MarkingSet& b) {
  if (a.size() + b.size() > kMostRegions) return too_many();
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

MaybeMarkingSet intersect(MarkingSet a, const MarkingSet& b) {
  if (!a.empty() && b.size() > kMostRegions / a.size()) return too_many();
  if (a.size() == 1 && b.size() == 1 && b[0].bounds.size() <= 1) {
    if (!b[0].bounds.empty() && !narrow(a[0].bounds, b[0].bounds[0])) return no_markings();
    return a;
  }
  MarkingSet out;
  for (const Region& left : a)
    for (const Region& right : b)
      if (auto region = both(left, right)) out.push_back(std::move(*region));
  return out;
}

MaybeMarkingSet where(const LinearSum& sum, Relation relation) {
  switch (relation) {
    case Relation::GreaterEqual: return at_least_zero(sum, 1, 0);
    case Relation::Greater: return at_least_zero(sum, 1, -1);
    case Relation::LessEqual: return at_least_zero(sum, -1, 0);
    case Relation::Less: return at_least_zero(sum, -1, -1);
    case Relation::Equal:
    case Relation::NotEqual: break;
  }
  const bool equal = relation == Relation::Equal;
  auto above = where(sum, equal ? Relation::GreaterEqual : Relation::Greater);
  if (!above) return above;
  const auto below = where(sum, equal ? Relation::LessEqual : Relation::Less);
  if (!below) return below;
  if (equal) return intersect(std::move(*above), *below);
  return unite(std::move(*above), *below);
}

MaybeMarkingSet where_fireable(const model::PetriTransition& transition, bool negated) {
  if (const auto reason = not_ordinary(transition)) return std::unexpected(*reason);
  MarkingSet out = negated ? no_markings() : all_markings();
  const Arcs arcs = arcs_of(transition);
  for (const auto& [place, tokens] : arcs.consume.entries()) {
    LinearSum sum;
    sum.add(place, 1);
    sum.constant = -tokens;
    const auto side = where(sum, negated ? Relation::Less : Relation::GreaterEqual);
    auto next = negated ? unite(std::move(out), *side) : intersect(std::move(out), *side);
    if (!next) return next;
    out = std::move(*next);
  }
  return out;
}

}  // namespace heddle::frontend::petri
