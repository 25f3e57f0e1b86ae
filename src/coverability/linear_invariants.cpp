#include <algorithm>
#include <map>

#include "coverability/invariants.hpp"

/// A weighted token sum w·m with w ≥ 0 is bounded by its largest initial value if no step increases
/// it. A step maps m to M·m + d, so it must hold that v·m + w·d ≤ 0 for every m that enables it,
/// with v = Mᵀw − w. If v ≤ 0 the left side is largest at the least enabled m, the guard.

namespace heddle::coverability {

namespace {

using base::Integer;
using model::PetriNet;
using model::PetriTransition;
using Weights = std::map<model::PlaceId, Integer>;

Integer weight_of(const Weights& weights, model::PlaceId place) {
  const auto it = weights.find(place);
  return it == weights.end() ? Integer(0) : it->second;
}

/// The largest initial value of the sum; nothing if it is unbounded.
std::optional<Integer> largest_initially(const Weights& weights,
                                         const std::vector<model::Region>& initial) {
  std::optional<Integer> largest;
  for (const model::Region& region : initial) {
    Integer sum = 0;
    for (const auto& [place, weight] : weights) {
      const model::CounterBound* bound = region.find(place);
      if (!bound) continue;
      if (!bound->upper) return std::nullopt;
      sum += weight * *bound->upper;
    }
    if (!largest || sum > *largest) largest = sum;
  }
  return largest;
}

bool never_increased_by(const Weights& weights, const PetriTransition& t) {
  Integer constant = 0;  // w·d
  Weights change;        // v
  for (const auto& update : t.updates) {
    const Integer weight = weight_of(weights, update.place);
    constant += weight * update.constant;
    change[update.place] -= weight;
    for (const auto& [source, factor] : update.sources) change[source] += weight * factor;
  }
  for (const auto& [place, v] : change) {
    if (v > 0) return false;
    constant += v * least_enabled(t, place);
  }
  return constant <= 0;
}

}  // namespace

Integer least_enabled(const PetriTransition& t, model::PlaceId place) {
  Integer least = 0;
  for (const auto& bound : t.guard)
    if (bound.counter == place) least = bound.lower;
  for (const auto& update : t.updates)
    if (update.place == place && update.is_shift())
      least = std::max<Integer>(least, -update.constant);
  return least;
}

std::optional<answer::LinearInvariant> bounded_sum(const PetriNet& net,
                                                   const std::vector<model::Region>& initial,
                                                   const std::vector<model::WeightedPlace>& sum) {
  Weights weights;
  for (const auto& [place, weight] : sum) weights[place] += weight;
  std::erase_if(weights, [](const auto& entry) { return entry.second == 0; });
  if (std::ranges::any_of(weights, [](const auto& entry) { return entry.second < 0; }))
    return std::nullopt;
  const auto bound = largest_initially(weights, initial);
  if (!bound) return std::nullopt;
  const bool inductive = std::ranges::all_of(
      net.transitions, [&](const PetriTransition& t) { return never_increased_by(weights, t); });
  if (!inductive) return std::nullopt;
  answer::LinearInvariant invariant{{}, answer::LinearInvariant::Relation::AtMost, *bound};
  for (const auto& [place, weight] : weights) invariant.weights.push_back({place, weight});
  return invariant;
}

std::vector<answer::LinearInvariant> provable_claims(const PetriNet& net,
                                                     const std::vector<model::Region>& initial) {
  std::vector<answer::LinearInvariant> proved;
  for (const auto& claim : net.claimed_invariants)
    if (auto invariant = bounded_sum(net, initial, claim)) proved.push_back(std::move(*invariant));
  return proved;
}

}  // namespace heddle::coverability
