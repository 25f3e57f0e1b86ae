#include "check/counting/invariants.hpp"

/// Linear invariants. `Equal` is two inequalities, so it suffices to show that a step keeps
/// Σ w·count ≤ bound, which it does if it never increases the sum:
///
///  * A net transition changes the sum by v·m + w·d with v_j = Σ_i w_i·M_ij − [j is updated]·w_j,
///    where i ranges over the updated places. The greatest change over the markings that the guard
///    admits is found place by place: at the guard's lower bound (0 if there is none) where
///    v_j < 0, at its upper bound where v_j > 0, and if there is none the change is unbounded.
///  * A thread step changes it by w(l') − w(l) for the active thread of a move and by w(k') − w(k)
///    for every thread that a passive move takes from k to k'; a spawn adds w(l'). Any number of
///    threads, also none, may be passive, so each of these must be at most zero.
///
/// Initially: the greatest sum over the box of an initial region must be at most the bound, where
/// counters that the region does not list are zero.
///
/// Closed thread states. Let a configuration be inside if its shared state is listed and the thread
/// state of each of its threads is. A step from inside must stay inside. A move or spawn from
/// (s, l) needs a thread there, so it is possible inside only if (s, l) is listed; a transfer needs
/// none. Then s' must be listed, and so must be the new thread state of the active thread, of the
/// spawner (s', l) and the new thread (s', l'), and of every other thread: each local k with (s, k)
/// listed may hold passive threads, which end in (s', k') for the passive targets k' of k. The
/// local l of a move is such a k too: it may hold more threads than the active one. (If there can
/// be only one, this asks for too much, which is on the safe side.) A k that is not moved must be
/// listed with s', too. The k that are listed with s but not with s' are found once for each pair
/// of shared states; a transition between these must move each of them.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace heddle::check {

namespace {

using answer::ClosedThreadStates;
using answer::LinearInvariant;
using base::Integer;
using model::CounterBound;
using model::LocalState;
using model::SharedState;
using model::StepKind;
using model::ThreadState;

using Complaint = std::optional<std::string>;
using Weights = std::map<model::Counter, Integer>;

Integer weight_of(const Weights& weights, model::Counter counter) {
  const auto it = weights.find(counter);
  return it == weights.end() ? Integer(0) : it->second;
}

std::string transition_text(std::size_t index) { return "transition " + std::to_string(index); }

/// What a counter may be: the sorted `bounds` have an entry, or `otherwise` holds.
const CounterBound& bound_of(const std::vector<CounterBound>& bounds, model::Counter counter,
                             const CounterBound& otherwise) {
  const auto it = std::ranges::lower_bound(bounds, counter, {}, &CounterBound::counter);
  return it != bounds.end() && it->counter == counter ? *it : otherwise;
}

/// The greatest Σ weight·count over a box; nothing if it is unbounded.
std::optional<Integer> greatest(const Weights& weights, const std::vector<CounterBound>& bounds,
                                const CounterBound& otherwise) {
  Integer sum = 0;
  for (const auto& [counter, weight] : weights) {
    if (weight == 0) continue;
    const CounterBound& bound = bound_of(bounds, counter, otherwise);
    if (weight > 0 && !bound.upper) return std::nullopt;
    sum += weight * (weight > 0 ? *bound.upper : bound.lower);
  }
  return sum;
}

/// Σ weight·count ≤ bound.
struct AtMost {
  Weights weights;
  Integer bound;
};

bool increases(const AtMost& invariant, const model::PetriTransition& t) {
  Weights change;  // v
  Integer constant = 0;
  for (const model::PlaceUpdate& update : t.updates) {
    const Integer weight = weight_of(invariant.weights, update.place);
    if (weight == 0) continue;
    change[update.place] -= weight;
    for (const auto& [source, factor] : update.sources) change[source] += weight * factor;
    constant += weight * update.constant;
  }
  const auto most = greatest(change, t.guard, CounterBound{{}, 0, std::nullopt});
  return !most || *most + constant > 0;
}

bool increases(const AtMost& invariant, const model::ThreadTransition& t) {
  const auto grows = [&](LocalState from, LocalState to) {
    return weight_of(invariant.weights, to) > weight_of(invariant.weights, from);
  };
  if (t.kind == StepKind::Spawn) return weight_of(invariant.weights, t.target.local) > 0;
  return grows(t.source.local, t.target.local) ||
         std::ranges::any_of(
             t.passive, [&](const model::PassiveMove& move) { return grows(move.from, move.to); });
}

Complaint why_not_kept(const model::CountingTask& task, const AtMost& invariant) {
  for (const model::Region& region : task.question.initial) {
    const auto most = greatest(invariant.weights, region.bounds, CounterBound{{}, 0, Integer(0)});
    if (!most || *most > invariant.bound) return "does not hold in every initial configuration";
  }
  return std::visit(
      [&](const auto& model) -> Complaint {
        for (std::size_t i = 0; i < model.transitions.size(); ++i)
          if (increases(invariant, model.transitions[i]))
            return "is not kept by " + transition_text(i);
        return std::nullopt;
      },
      task.model);
}

Complaint complaint(const model::CountingTask& task, const LinearInvariant& invariant) {
  AtMost upper{{}, invariant.bound};
  AtMost lower{{}, -invariant.bound};
  for (const auto& [counter, weight] : invariant.weights) {
    upper.weights[counter] += weight;
    lower.weights[counter] -= weight;
  }
  if (auto found = why_not_kept(task, upper)) return found;
  if (invariant.relation == LinearInvariant::Relation::Equal) return why_not_kept(task, lower);
  return std::nullopt;
}

/// The closed set with fast look-up.
class Inside {
 public:
  explicit Inside(const ClosedThreadStates& closed)
      : shared_(closed.shared.begin(), closed.shared.end()) {
    for (const ThreadState& state : closed.states) locals_[state.shared].insert(state.local);
  }

  bool has(SharedState shared) const { return shared_.contains(shared); }
  bool has(SharedState shared, LocalState local) const { return locals(shared).contains(local); }
  const std::set<LocalState>& locals(SharedState shared) const {
    const auto it = locals_.find(shared);
    return it == locals_.end() ? none_ : it->second;
  }

 private:
  std::set<SharedState> shared_;
  std::map<SharedState, std::set<LocalState>> locals_;
  std::set<LocalState> none_;
};

bool holds_in(const Inside& inside, const model::Region& initial) {
  return inside.has(initial.shared) &&
         std::ranges::all_of(initial.bounds, [&](const CounterBound& bound) {
           const bool always_empty = bound.upper && *bound.upper == 0;
           return always_empty || inside.has(initial.shared, bound.counter);
         });
}

/// The local states that are listed with one shared state but not with another.
class Missing {
 public:
  explicit Missing(const Inside& inside) : inside_(inside) {}

  const std::vector<LocalState>& between(SharedState before, SharedState after) {
    const auto [it, is_new] = known_.try_emplace({before, after});
    if (is_new && before != after)
      std::ranges::set_difference(inside_.locals(before), inside_.locals(after),
                                  std::back_inserter(it->second));
    return it->second;
  }

 private:
  const Inside& inside_;
  std::map<std::pair<SharedState, SharedState>, std::vector<LocalState>> known_;
};

bool is_kept(const Inside& inside, Missing& missing, const model::ThreadTransition& t) {
  const SharedState before = t.source.shared;
  const SharedState after = t.target.shared;
  if (!inside.has(before)) return true;
  const bool needs_thread = t.kind != StepKind::Transfer;
  if (needs_thread && !inside.has(before, t.source.local)) return true;
  if (!inside.has(after)) return false;
  if (needs_thread && !inside.has(after, t.target.local)) return false;
  const auto goes_inside = [&](LocalState passive) {
    return !inside.has(before, passive) ||
           std::ranges::all_of(model::passive_targets(t, passive),
                               [&](LocalState to) { return inside.has(after, to); });
  };
  if (t.kind == StepKind::Transfer && !goes_inside(t.source.local)) return false;
  for (std::size_t i = 0; i < t.passive.size(); ++i)
    if ((i == 0 || t.passive[i].from != t.passive[i - 1].from) && !goes_inside(t.passive[i].from))
      return false;
  return std::ranges::all_of(missing.between(before, after), goes_inside);
}

Complaint complaint(const model::CountingTask& task, const ClosedThreadStates& closed) {
  const Inside inside(closed);
  for (const model::Region& region : task.question.initial)
    if (!holds_in(inside, region)) return "does not hold in every initial configuration";
  const auto& system = std::get<model::ThreadSystem>(task.model);  // well formed: see mismatch
  Missing missing(inside);
  for (std::size_t i = 0; i < system.transitions.size(); ++i)
    if (!is_kept(inside, missing, system.transitions[i]))
      return "is not kept by " + transition_text(i);
  return std::nullopt;
}

Complaint complaint(const model::CountingTask& task, const answer::ConcurrentPlaces& places) {
  return why_not_inductive(std::get<model::PetriNet>(task.model), task.question.initial, places);
}

}  // namespace

Complaint why_not_inductive(const model::CountingTask& task, const answer::Invariant& invariant) {
  return std::visit([&](const auto& which) { return complaint(task, which); }, invariant);
}

Exclusion::Exclusion(const std::vector<answer::Invariant>& invariants) {
  for (const answer::Invariant& invariant : invariants) {
    if (const auto* linear = std::get_if<LinearInvariant>(&invariant)) {
      const auto is_negative = [](const model::WeightedPlace& w) { return w.weight < 0; };
      if (std::ranges::none_of(linear->weights, is_negative)) growing_.push_back(*linear);
      continue;
    }
    if (const auto* places = std::get_if<answer::ConcurrentPlaces>(&invariant)) {
      together_.emplace_back(*places);
      continue;
    }
    const auto& states = std::get<ClosedThreadStates>(invariant);
    Closed closed;
    for (const SharedState s : states.shared) closed.shared.push_back(s.value);
    for (const auto& [s, l] : states.states) closed.states.push_back(code(s.value, l.value));
    std::ranges::sort(closed.shared);
    std::ranges::sort(closed.states);
    closed_.push_back(std::move(closed));
  }
}

}  // namespace heddle::check
