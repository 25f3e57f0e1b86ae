#include "engine/concolic/least_solution.hpp"

/// An inequality p − a·κ ≤ u with a > 0, where p has positive factors only, says κ ≥ ⌈(p − u)/a⌉,
/// and the right-hand side grows with the unknowns in p (θ = min(κ, 1) grows with κ). So the
/// inequalities that have a negative factor have a least solution, which is the limit of raising
/// unknowns from 0 for as long as one is too small, or none, if the limit is infinite. An
/// inequality without negative factors says p ≤ u; if the least solution violates it, so does every
/// other.
///
/// If no unknown depends on itself, each pass over the inequalities settles one more of them. Where
/// the passes do not end by then, the limit may be infinite, and others must find out.

#include <algorithm>

namespace heddle::engine::concolic {

namespace {

using base::Integer;

/// The only unknown with a negative factor.
struct Pivot {
  Unknown unknown = 0;
  std::int64_t factor = 0;  ///< 0: there is none
};

std::optional<Pivot> pivot_of(const Affine& form) {
  Pivot pivot;
  for (const auto& [unknown, factor] : form.terms) {
    if (factor > 0) continue;
    if (pivot.factor != 0 || unknown != rounds_of(unknown / 2)) return std::nullopt;
    pivot = {unknown, factor};
  }
  return pivot;
}

/// Unknowns with their values; those that are not listed are 0, and θ follows from κ.
class Values {
 public:
  Integer of(Unknown unknown) const {
    const auto it = rounds_.find(rounds_of(unknown / 2));
    if (it == rounds_.end()) return 0;
    return unknown == it->first ? it->second : Integer(1);
  }

  /// Makes an inequality with this pivot true; says whether something had to be raised.
  bool raise(const Inequality& inequality, const Pivot& pivot) {
    Integer missing = inequality.form.constant - inequality.limit;
    for (const auto& [unknown, factor] : inequality.form.terms) missing += factor * of(unknown);
    if (missing <= 0) return false;
    rounds_[pivot.unknown] += (missing - pivot.factor - 1) / -pivot.factor;  // rounded up
    return true;
  }

  bool satisfy(const Inequality& inequality) const {
    Integer sum = inequality.form.constant;
    for (const auto& [unknown, factor] : inequality.form.terms) sum += factor * of(unknown);
    return sum <= inequality.limit;
  }

  Solution solution() && { return std::move(rounds_); }

 private:
  Solution rounds_;  // none of them 0
};

}  // namespace

std::optional<Feasibility> least_solution(const std::vector<Inequality>& system) {
  std::vector<std::pair<const Inequality*, Pivot>> raising;
  for (const Inequality& inequality : system) {
    const auto pivot = pivot_of(inequality.form);
    if (!pivot) return std::nullopt;
    if (pivot->factor != 0) raising.emplace_back(&inequality, *pivot);
  }
  Values values;
  for (std::size_t pass = 0;; ++pass) {
    if (pass > raising.size()) return std::nullopt;
    bool raised = false;
    for (const auto& [inequality, pivot] : raising) raised |= values.raise(*inequality, pivot);
    if (!raised) break;
  }
  if (std::ranges::all_of(system, [&](const auto& i) { return values.satisfy(i); }))
    return std::move(values).solution();
  return Infeasible{};
}

}  // namespace heddle::engine::concolic
