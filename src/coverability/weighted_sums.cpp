#include "coverability/weighted_sums.hpp"

/// Let w ≥ 0 give each place a weight such that no step increases the sum w·m of a marking m. Then
/// w·m is at most its largest initial value in every reachable marking, and a demand with a larger
/// sum cannot be covered. A step maps m to M·m + d, so it must hold that v·m + w·d ≤ 0 for every m
/// that enables it, with v = Mᵀw − w. It does if v ≤ 0 and v·g + w·d ≤ 0 for the least enabled
/// marking g (linear_invariants.cpp). All of this is linear in w.
///
/// For ordinary nets there is such a w exactly if the state equation, with rational numbers of
/// steps, has no solution from the initial markings to the demand (Farkas' lemma).

#include <algorithm>
#include <map>

#include "coverability/invariants.hpp"
#include "solver/linear_cone.hpp"

namespace heddle::coverability {

namespace {

using base::Integer;
using model::PetriTransition;

/// Rows times columns of the largest linear program that is worth its time, and the work that one
/// may take.
constexpr std::size_t kMostProgramEntries = 8'000'000;
constexpr std::uint64_t kMostWork = 4'000'000'000;
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 31;

bool is_small_number(const Integer& value) {
  return value < kLargestNumber && value > -kLargestNumber;
}

using Sum = std::map<std::uint32_t, Integer>;  ///< coefficients of weights, by place

/// What a step adds to the weighted sum: `constant`, and `change[p]` for each token in p.
struct SumEffect {
  Sum constant;
  std::map<std::uint32_t, Sum> change;
};

SumEffect effect_on_sums(const PetriTransition& t) {
  SumEffect effect;
  for (const auto& update : t.updates) {
    const std::uint32_t place = update.place.value;
    effect.constant[place] += update.constant;
    if (update.is_shift()) continue;
    effect.change[place][place] -= 1;
    for (const auto& [source, factor] : update.sources)
      effect.change[source.value][place] += factor;
  }
  for (auto& [place, sum] : effect.change) {
    const Integer least = least_enabled(t, model::PlaceId(place));
    for (const auto& [weight, coefficient] : sum) effect.constant[weight] += coefficient * least;
  }
  return effect;
}

}  // namespace

WeightedSums::WeightedSums(const model::PetriNet& net, const std::vector<model::Region>& initial)
    : net_(&net), initial_(&initial), column_of_(net.places.size()) {
  const auto unbounded = [&](std::uint32_t place) {
    return std::ranges::any_of(initial, [&](const model::Region& region) {
      const model::CounterBound* bound = region.find(model::PlaceId(place));
      return bound && !bound->upper;
    });
  };
  for (std::uint32_t place = 0; place < net.places.size(); ++place)
    if (!unbounded(place)) column_of_[place] = place;
  is_small_ = true;
  for (const PetriTransition& t : net.transitions) add_rows(t);
  leave_out_zeros();
  number_places();
  std::ranges::sort(no_increase_);
  no_increase_.erase(std::ranges::unique(no_increase_).begin(), no_increase_.end());
  is_small_ = is_small_ && !places_.empty() &&
              (no_increase_.size() + initial.size()) * places_.size() <= kMostProgramEntries;
}

/// Columns are places at first.
void WeightedSums::add_rows(const PetriTransition& t) {
  const SumEffect effect = effect_on_sums(t);
  const auto add = [this](const Sum& sum) {
    Row row;
    for (const auto& [place, coefficient] : sum) {
      if (coefficient == 0) continue;
      is_small_ = is_small_ && is_small_number(coefficient);
      row.emplace_back(place, coefficient.get_si());
    }
    no_increase_.push_back(std::move(row));
  };
  add(effect.constant);
  for (const auto& [place, sum] : effect.change) add(sum);
}

/// What may only grow must weigh nothing; that may leave other rows with nothing that shrinks.
void WeightedSums::leave_out_zeros() {
  const auto is_zero = [this](const auto& entry) { return !column_of_[entry.first]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (Row& row : no_increase_) {
      std::erase_if(row, is_zero);
      const bool shrinks = std::ranges::any_of(row, [](const auto& e) { return e.second < 0; });
      if (shrinks || row.empty()) continue;
      for (const auto& [place, coefficient] : row) column_of_[place].reset();
      row.clear();
      changed = true;
    }
  }
  std::erase_if(no_increase_, [](const Row& row) {
    return std::ranges::all_of(row, [](const auto& entry) { return entry.second < 0; });
  });
}

void WeightedSums::number_places() {
  for (std::uint32_t place = 0; place < column_of_.size(); ++place) {
    if (!column_of_[place]) continue;
    column_of_[place] = static_cast<std::uint32_t>(places_.size());
    places_.push_back(place);
  }
  for (Row& row : no_increase_)
    for (auto& [column, coefficient] : row) column = *column_of_[column];
}

std::optional<answer::LinearInvariant> WeightedSums::exceeded_by(Demand demand) {
  if (!is_small_) return std::nullopt;
  solver::LinearCone cone{places_.size(), no_increase_, {}};
  for (const model::Region& region : *initial_) {
    Row gain;
    for (const auto& [place, count] : demand)
      if (column_of_[place])
        gain.emplace_back(*column_of_[place], static_cast<std::int64_t>(count));
    for (const model::CounterBound& bound : region.bounds) {
      const auto& column = column_of_[bound.counter.index()];
      if (!column) continue;
      if (!is_small_number(*bound.upper)) return std::nullopt;
      gain.emplace_back(*column, -bound.upper->get_si());
    }
    cone.gains.push_back(std::move(gain));
  }
  std::uint64_t work = kMostWork;
  const auto weights = solver::find_in(cone, work);
  work_ += kMostWork - work;
  if (!weights) return std::nullopt;
  std::vector<model::WeightedPlace> sum;
  for (std::size_t i = 0; i < weights->size(); ++i)
    if ((*weights)[i] != 0) sum.push_back({model::PlaceId(places_[i]), Integer((*weights)[i])});
  auto invariant = bounded_sum(*net_, *initial_, sum);
  if (!invariant || !confirms(*invariant, demand)) return std::nullopt;
  return invariant;
}

bool WeightedSums::confirms(const answer::LinearInvariant& sum, Demand demand) const {
  Integer value = 0;
  for (const auto& [place, count] : demand)
    for (const auto& [weighted, weight] : sum.weights)
      if (weighted.value == place) value += weight * Integer(static_cast<unsigned long>(count));
  return value > sum.bound;
}

}  // namespace heddle::coverability
