#include "frontend/petri/marking_sets.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using model::Condition;
using model::CounterBound;
using model::PlaceId;
using model::Region;
using Box = std::vector<CounterBound>;

/// More boxes than this are not what anybody meant to write down.
constexpr std::size_t kMostBoxes = 4096;
/// Questions that are not about covering are decided by looking at markings one by one, for which a
/// condition is better than many regions.
constexpr std::size_t kMostRegions = 16;

bool is_upward_closed(const MarkingSet& set) {
  return std::ranges::all_of(set, model::is_upward_closed);
}

bool are_boxes(const MarkingSet& set) {
  return std::ranges::all_of(set, [](const Region& region) { return region.condition.is_true(); });
}

/// The region's markings by a condition alone.
Condition condition_of(Region region) {
  std::vector<Condition> parts = {std::move(region.condition)};
  for (const CounterBound& bound : region.bounds) {
    if (bound.lower > 0) parts.push_back(Condition::at_least({{bound.counter, 1}}, bound.lower));
    if (bound.upper) parts.push_back(Condition::at_least({{bound.counter, -1}}, -*bound.upper));
  }
  return Condition::all(std::move(parts));
}

Condition condition_of(MarkingSet set) {
  std::vector<Condition> cases;
  for (Region& region : set) cases.push_back(condition_of(std::move(region)));
  return Condition::any(std::move(cases));
}

Condition both(Condition a, Condition b) {
  std::vector<Condition> parts;
  parts.push_back(std::move(a));
  parts.push_back(std::move(b));
  return Condition::all(std::move(parts));
}

/// The box narrowed by a condition; no region if that is false.
MarkingSet one_region(Box box, Condition condition) {
  if (condition.is_false()) return no_markings();
  return {Region{model::SharedState(0u), std::move(box), std::move(condition)}};
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

/// The markings of both, as one region at most. Cheap where `by` is small.
MarkingSet narrowed(Region box, const Region& by) {
  for (const CounterBound& bound : by.bounds)
    if (!narrow(box.bounds, bound)) return no_markings();
  return one_region(std::move(box.bounds), both(std::move(box.condition), by.condition));
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

  /// Nothing if there are too many.
  std::optional<MarkingSet> find() {
    if (weights_.size() > kMostBoxes || !extend(0, demand_)) return std::nullopt;
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
    if (++seen_ > kMostBoxes) return false;
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

/// sum ≥ 0 as a condition.
MarkingSet inequality(const LinearSum& sum) {
  std::vector<model::WeightedPlace> terms;
  for (const auto& [place, weight] : sum.weights) terms.push_back({place, weight});
  return one_region({}, Condition::at_least(std::move(terms), -sum.constant));
}

MarkingSet several_places_at_least_zero(const LinearSum& sum) {
  const auto is_positive = [](const auto& entry) { return entry.second > 0; };
  if (std::ranges::all_of(sum.weights, is_positive)) {
    if (sum.constant >= 0) return all_markings();
    if (auto boxes = LeastVectors(sum, -sum.constant).find()) return std::move(*boxes);
    return inequality(sum);
  }
  if (std::ranges::any_of(sum.weights, is_positive)) return inequality(sum);
  if (sum.constant < 0) return no_markings();
  Box zeros;
  for (const auto& [place, weight] : sum.weights) {
    if (sum.constant + weight >= 0) return inequality(sum);
    zeros.push_back({place, 0, Integer(0)});
  }
  return box(std::move(zeros));
}

/// sum ≥ 0
MarkingSet at_least_zero(const LinearSum& sum) {
  if (sum.weights.empty()) return sum.constant >= 0 ? all_markings() : no_markings();
  if (sum.weights.size() > 1) return several_places_at_least_zero(sum);
  const auto& [place, weight] = *sum.weights.begin();
  return at_least_zero(place, weight, sum.constant);
}

/// factor·sum + offset ≥ 0
MarkingSet at_least_zero(const LinearSum& sum, int factor, int offset) {
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

/// What has become a disjunction takes in what follows, so that a union is the same however it is
/// bracketed.
MarkingSet unite(MarkingSet a, const MarkingSet& b) {
  a.insert(a.end(), b.begin(), b.end());
  const std::size_t most = is_upward_closed(a) ? kMostBoxes : kMostRegions;
  const bool has_disjunction =
      a.size() > 1 && std::ranges::any_of(a, [](const Region& region) {
        return region.bounds.empty() && region.condition.kind == Condition::Kind::Any;
      });
  return has_disjunction || a.size() > most ? one_region({}, condition_of(std::move(a))) : a;
}

/// Boxes are multiplied out if covering stays covering, or one side is a single box. Otherwise a
/// condition says it more briefly, and searches see what its parts have in common.
MarkingSet intersect(MarkingSet a, const MarkingSet& b) {
  if (a.empty() || b.empty()) return no_markings();
  if (b == all_markings()) return a;
  if (a == all_markings()) return b;
  if (a.size() == 1 && b.size() == 1) return narrowed(std::move(a[0]), b[0]);
  const bool is_one_box = (a.size() == 1 || b.size() == 1) && are_boxes(a) && are_boxes(b);
  const bool ask_about_covering = is_upward_closed(a) && is_upward_closed(b);
  if (!is_one_box && !(ask_about_covering && b.size() <= kMostBoxes / a.size())) {
    // A single region keeps its bounds.
    if (a.size() == 1)
      return one_region(std::move(a[0].bounds), both(std::move(a[0].condition), condition_of(b)));
    if (b.size() == 1)
      return one_region(b[0].bounds, both(condition_of(std::move(a)), b[0].condition));
    return one_region({}, both(condition_of(std::move(a)), condition_of(b)));
  }
  MarkingSet out;
  for (const Region& left : a)
    for (const Region& right : b) std::ranges::move(narrowed(left, right), std::back_inserter(out));
  return out;
}

MarkingSet where(const LinearSum& sum, Relation relation) {
  switch (relation) {
    case Relation::GreaterEqual: return at_least_zero(sum, 1, 0);
    case Relation::Greater: return at_least_zero(sum, 1, -1);
    case Relation::LessEqual: return at_least_zero(sum, -1, 0);
    case Relation::Less: return at_least_zero(sum, -1, -1);
    case Relation::Equal: {
      const MarkingSet at_most = where(sum, Relation::LessEqual);
      if (!are_boxes(at_most)) return intersect(inequality(sum), at_most);
      return intersect(where(sum, Relation::GreaterEqual), at_most);
    }
    case Relation::NotEqual: break;
  }
  return unite(where(sum, Relation::Greater), where(sum, Relation::Less));
}

std::expected<MarkingSet, std::string> where_fireable(const model::PetriTransition& transition,
                                                      bool negated) {
  model::PetriTransition monotone = transition;
  MarkingSet out = negated ? no_markings() : all_markings();
  const auto add = [&](PlaceId place, const Integer& tokens, Relation relation) {
    LinearSum sum;
    sum.add(place, 1);
    sum.constant = -tokens;
    const MarkingSet side = where(sum, negated ? negation(relation) : relation);
    out = negated ? unite(std::move(out), side) : intersect(std::move(out), side);
  };
  for (const CounterBound& bound : take_upper_bounds(monotone))
    add(bound.counter, *bound.upper, Relation::LessEqual);
  if (const auto reason = not_ordinary(monotone)) return std::unexpected(*reason);
  const Arcs arcs = arcs_of(monotone);
  for (const auto& [place, tokens] : arcs.consume.entries())
    add(place, tokens, Relation::GreaterEqual);
  return out;
}

std::vector<Region> to_targets(MarkingSet set) {
  if (!set.empty()) return set;
  return {Region{model::SharedState(0u), {}, Condition::any({})}};
}

}  // namespace heddle::frontend::petri
