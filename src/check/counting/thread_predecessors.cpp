/// Minimal predecessors in thread systems. Write m for the demand, [l] for one thread in l, ⊖ for
/// subtraction that stops at zero, and let the transition lead from (s, l) to (s', l').
///
/// Spawn. The successor of p is p + [l'], and p must have a thread in l. The conditions
/// p + [l'] ≥ m and p ≥ [l] say p ≥ m ⊖ [l'] and p ≥ [l]: the least p is their maximum.
///
/// Move. Let p = r + [l], with r the passive threads. Each thread of r goes to one of its passive
/// targets, and the result plus [l'] must cover m, that is: the passive threads, once moved, must
/// cover d = m ⊖ [l']. (The active thread always serves the demand in l' if there is one: leaving
/// it unused would only ask the passive threads for more.) Now r can be moved to cover d exactly
/// if one can give each demanded thread of d its own thread of r, in a local state that has the
/// demanded place among its passive targets (the *origins* of that place). So the minimal r are
/// the ways to replace each thread of d by one of the origins of its place; they all have as many
/// threads as d, so no two of them are comparable. A demanded place without origins (a passive
/// source that no passive move leads to) has no predecessor. Without passive moves every place is
/// its own only origin, and p = (m ⊖ [l']) + [l].
///
/// Transfer. The same with no active thread: d = m, p = r; l' has the origins l and l', l has none
/// (unless l = l').

#include <map>
#include <set>

#include "check/counting/predecessors.hpp"

namespace heddle::check {

namespace {

using model::StepKind;

struct ThreadRule {
  StepKind kind = StepKind::Move;
  std::uint32_t source_shared = 0;
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::set<std::uint32_t> leaving;  ///< whose passive threads do not stay
  std::map<std::uint32_t, std::vector<std::uint32_t>> arriving;  ///< origins, if not just itself
};

void add_passive_move(ThreadRule& rule, std::uint32_t from, std::uint32_t to) {
  rule.leaving.insert(from);
  rule.arriving[to].push_back(from);
}

ThreadRule make_rule(const model::ThreadTransition& t) {
  ThreadRule rule{t.kind, t.source.shared.value, t.source.local.value, t.target.local.value, {},
                  {}};
  if (t.kind == StepKind::Transfer) add_passive_move(rule, rule.source, rule.target);
  if (t.kind == StepKind::Move)
    for (const auto& [from, to] : t.passive) add_passive_move(rule, from.value, to.value);
  for (auto& [place, origins] : rule.arriving)
    if (!rule.leaving.contains(place)) origins.push_back(place);
  return rule;
}

/// One demanded place that several local states can serve.
template <class Amount>
struct Split {
  const std::vector<std::uint32_t>* origins;
  Amount amount;
};

/// Distributes the threads of each split over its origins in every way.
template <class Amount>
class SplitEnumeration {
 public:
  SplitEnumeration(Demand<Amount> fixed, std::vector<Split<Amount>> splits,
                   const typename Predecessors<Amount>::Visit& visit)
      : current_(std::move(fixed)), splits_(std::move(splits)), visit_(visit) {}

  bool run() { return next_split(0); }

 private:
  bool next_split(std::size_t split) {
    if (split == splits_.size()) return visit_(current_);
    return distribute(split, 0, splits_[split].amount);
  }

  /// Over the origins from `origin` on. Chooses the first of them from which threads come: there
  /// may be many origins, and each level of the recursion should account for a thread.
  bool distribute(std::size_t split, std::size_t origin, const Amount& left) {
    if (left == 0) return next_split(split + 1);
    const std::vector<std::uint32_t>& origins = *splits_[split].origins;
    for (std::size_t first = origin; first < origins.size(); ++first) {
      const bool is_last = first + 1 == origins.size();
      for (Amount here = is_last ? left : Amount(1); here <= left; ++here) {
        current_.add(origins[first], here);
        const bool go_on = distribute(split, first + 1, Amount(left - here));
        current_.add(origins[first], Amount(-here));
        if (!go_on) return false;
      }
    }
    return true;
  }

  Demand<Amount> current_;
  std::vector<Split<Amount>> splits_;
  const typename Predecessors<Amount>::Visit& visit_;
};

template <class Amount>
class ThreadPredecessors final : public Predecessors<Amount> {
 public:
  using Visit = typename Predecessors<Amount>::Visit;

  explicit ThreadPredecessors(const model::ThreadSystem& system) : into_(system.shared_count) {
    for (const model::ThreadTransition& t : system.transitions) {
      into_[t.target.shared.index()].push_back(static_cast<std::uint32_t>(rules_.size()));
      rules_.push_back(make_rule(t));
    }
  }

  std::vector<std::uint32_t> candidates(const Demand<Amount>& demand) const override {
    return into_[demand.shared];
  }

  bool for_each(std::uint32_t transition, const Demand<Amount>& demand,
                const Visit& visit) const override {
    const ThreadRule& rule = rules_[transition];
    Demand<Amount> rest = demand;
    rest.shared = rule.source_shared;
    if (rule.kind != StepKind::Transfer) rest.add(rule.target, -1);
    if (rule.kind == StepKind::Spawn) {
      rest.raise(rule.source, 1);
      return visit(rest);
    }
    if (!rule.leaving.empty()) return distribute(rule, rest, visit);
    rest.add(rule.source, 1);
    return visit(rest);
  }

 private:
  static bool distribute(const ThreadRule& rule, const Demand<Amount>& rest, const Visit& visit) {
    Demand<Amount> fixed;
    fixed.shared = rest.shared;
    if (rule.kind == StepKind::Move) fixed.add(rule.source, 1);
    std::vector<Split<Amount>> splits;
    for (const auto& [place, amount] : rest.entries) {
      const auto origins = rule.arriving.find(place);
      if (origins != rule.arriving.end()) {
        splits.push_back({&origins->second, amount});
      } else if (rule.leaving.contains(place)) {
        return true;
      } else {
        fixed.add(place, amount);
      }
    }
    return SplitEnumeration<Amount>(std::move(fixed), std::move(splits), visit).run();
  }

  std::vector<ThreadRule> rules_;
  std::vector<std::vector<std::uint32_t>> into_;
};

}  // namespace

template <class Amount>
std::unique_ptr<Predecessors<Amount>> make_predecessors(const model::ThreadSystem& system) {
  return std::make_unique<ThreadPredecessors<Amount>>(system);
}

template std::unique_ptr<Predecessors<MachineAmount>> make_predecessors(const model::ThreadSystem&);
template std::unique_ptr<Predecessors<base::Integer>> make_predecessors(const model::ThreadSystem&);

}  // namespace heddle::check
