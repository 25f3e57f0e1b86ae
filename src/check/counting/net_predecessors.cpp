/// Minimal predecessors in nets. A transition with guard p ≥ g and updates p'_i = Σ_j w_ij·p_j +
/// d_i takes p to a marking that covers the demand m if and only if
///
///   p_j ≥ g_j for every guarded place, p_i ≥ m_i for every place i without an update, and
///   Σ_j w_ij·p_j ≥ m_i − d_i for every place i with one
///
/// (m_i ≥ 0, so this also says that no place becomes negative). A constraint with a right side of
/// at most zero holds; one without sources (a reset) then fails; one with a single source is a
/// lower bound, p_j ≥ ⌈(m_i − d_i) / w_ij⌉. The least p that meets all lower bounds is the start.
///
/// The remaining constraints, sums over several sources, are met one after the other: if p does
/// not meet a constraint yet, it is raised at the constraint's sources in every minimal way. This
/// finds all minimal solutions: let q be any solution and p ≤ q meet the lower bounds and the
/// first k constraints. If p misses constraint k+1 by some amount, then q − p, restricted to its
/// sources, makes up for it, hence so does some minimal y ≤ q − p, and p + y ≤ q is tried. At the
/// end some p ≤ q meets everything. Constraints may share sources; nothing is different then.
///
/// A guard may also have upper bounds. If the least p exceeds one, so does every q ≥ p, and there
/// is no predecessor above p. Otherwise those above p within the bounds are some of the q ≥ p.

#include <algorithm>

#include "check/counting/predecessors.hpp"

namespace heddle::check {

namespace {

template <class Amount>
struct Source {
  std::uint32_t place;
  Amount weight;
};

template <class Amount>
struct CounterUpdate {
  std::uint32_t place;
  std::vector<Source<Amount>> sources;
  Amount constant;
};

template <class Amount>
struct NetRule {
  std::vector<std::pair<std::uint32_t, Amount>> lower;
  std::vector<std::pair<std::uint32_t, Amount>> upper;
  std::vector<CounterUpdate<Amount>> updates;
};

template <class Amount>
NetRule<Amount> make_rule(const model::PetriTransition& t) {
  NetRule<Amount> rule;
  Amount converted;
  for (const model::CounterBound& bound : t.guard) {
    convert(bound.lower, converted);
    rule.lower.emplace_back(bound.counter.value, converted);
    if (!bound.upper) continue;
    convert(*bound.upper, converted);
    rule.upper.emplace_back(bound.counter.value, converted);
  }
  for (const model::PlaceUpdate& update : t.updates) {
    convert(update.constant, converted);
    rule.updates.push_back({update.place.value, {}, converted});
    for (const auto& [place, weight] : update.sources) {
      convert(weight, converted);
      rule.updates.back().sources.push_back({place.value, converted});
    }
  }
  return rule;
}

/// Σ weight·count over the sources ≥ bound.
template <class Amount>
struct Constraint {
  const std::vector<Source<Amount>>* sources;
  Amount bound;
};

/// Meets the constraints one after the other, in every minimal way.
template <class Amount>
class ConstraintEnumeration {
 public:
  ConstraintEnumeration(Demand<Amount> least, std::vector<Constraint<Amount>> constraints,
                        const typename Predecessors<Amount>::Visit& visit)
      : current_(std::move(least)), constraints_(std::move(constraints)), visit_(visit) {}

  bool run() { return meet(0); }

 private:
  bool meet(std::size_t index) {
    if (index == constraints_.size()) return visit_(current_);
    return raise(index, 0, missing(constraints_[index]));
  }

  /// By how much the constraint is missed; stops as soon as it is not, so that no product
  /// exceeds the bound by more than a weight.
  Amount missing(const Constraint<Amount>& constraint) const {
    Amount left = constraint.bound;
    for (const auto& [place, weight] : *constraint.sources) {
      const Amount present = current_[place];
      if (left <= 0 || present >= ceiling_quotient(left, weight)) return 0;
      left -= weight * present;
    }
    return left;
  }

  /// Makes up for what is missing at the sources from number `source` on.
  bool raise(std::size_t index, std::size_t source, const Amount& left) {
    if (left <= 0) return meet(index + 1);
    const std::vector<Source<Amount>>& sources = *constraints_[index].sources;
    const auto& [place, weight] = sources[source];
    const bool is_last = source + 1 == sources.size();
    const Amount enough = ceiling_quotient(left, weight);
    for (Amount more = is_last ? enough : Amount(0); more <= enough; ++more) {
      current_.add(place, more);
      const bool go_on =
          more == enough ? meet(index + 1) : raise(index, source + 1, Amount(left - weight * more));
      current_.add(place, Amount(-more));
      if (!go_on) return false;
    }
    return true;
  }

  Demand<Amount> current_;
  std::vector<Constraint<Amount>> constraints_;
  const typename Predecessors<Amount>::Visit& visit_;
};

template <class Amount>
class NetPredecessors final : public Predecessors<Amount> {
 public:
  using Visit = typename Predecessors<Amount>::Visit;

  explicit NetPredecessors(const model::PetriNet& net) : raising_(net.places.size()) {
    for (const model::PetriTransition& t : net.transitions) {
      for (const model::PlaceUpdate& update : t.updates)
        if (!update.is_shift() || update.constant > 0)
          raising_[update.place.index()].push_back(static_cast<std::uint32_t>(rules_.size()));
      rules_.push_back(make_rule<Amount>(t));
    }
  }

  /// A transition that leaves a place alone or takes tokens from it has p_i ≥ m_i there.
  std::vector<std::uint32_t> candidates(const Demand<Amount>& demand) const override {
    std::vector<std::uint32_t> result;
    for (const auto& entry : demand.entries)
      result.insert(result.end(), raising_[entry.first].begin(), raising_[entry.first].end());
    std::ranges::sort(result);
    const auto repeated = std::ranges::unique(result);
    result.erase(repeated.begin(), repeated.end());
    return result;
  }

  bool for_each(std::uint32_t transition, const Demand<Amount>& demand,
                const Visit& visit) const override {
    const NetRule<Amount>& rule = rules_[transition];
    Demand<Amount> least = demand;
    for (const CounterUpdate<Amount>& update : rule.updates) least.clear(update.place);
    for (const auto& [place, amount] : rule.lower) least.raise(place, amount);
    std::vector<Constraint<Amount>> constraints;
    for (const auto& [place, sources, constant] : rule.updates) {
      const Amount bound = demand[place] - constant;
      if (bound <= 0) continue;
      if (sources.empty()) return true;
      if (sources.size() == 1) {
        least.raise(sources[0].place, ceiling_quotient(bound, sources[0].weight));
      } else {
        constraints.push_back({&sources, bound});
      }
    }
    const Visit visit_allowed = [&](const Demand<Amount>& found) {
      const bool allowed = std::ranges::all_of(
          rule.upper, [&](const auto& bound) { return found[bound.first] <= bound.second; });
      return !allowed || visit(found);
    };
    if (constraints.empty()) return visit_allowed(least);
    return ConstraintEnumeration<Amount>(std::move(least), std::move(constraints), visit_allowed)
        .run();
  }

 private:
  std::vector<NetRule<Amount>> rules_;
  std::vector<std::vector<std::uint32_t>> raising_;  ///< by place: who may add tokens there
};

}  // namespace

template <class Amount>
std::unique_ptr<Predecessors<Amount>> make_predecessors(const model::PetriNet& net) {
  return std::make_unique<NetPredecessors<Amount>>(net);
}

template std::unique_ptr<Predecessors<MachineAmount>> make_predecessors(const model::PetriNet&);
template std::unique_ptr<Predecessors<base::Integer>> make_predecessors(const model::PetriNet&);

}  // namespace heddle::check
