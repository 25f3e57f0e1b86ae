/// Write ↓v for the configurations below v, where v gives each counter a number or ω (any number).
///
/// Inclusion. If ↓v is contained in ↓u1 ∪ … ∪ ↓un, then in one of them: otherwise there is for each
/// i a counter in which v exceeds ui, and the configuration below v that is large enough in all of
/// these counters lies in none. So each of the conditions below is about one v and one u ≥ v.
///
/// Start. An initial region lies below its upper bounds, ω where there is none, 0 where a counter
/// is not listed; and there are initial configurations as large as these bounds, so the condition
/// is also necessary.
///
/// Targets. If some configuration of a target lies below v then so does the target's least element,
/// since lower bounds are at most upper bounds. A condition makes a target smaller; one whose
/// condition is false has no configurations.
///
/// Net. The guard confines ↓v to the markings with at most g = min(v, upper) in each place and at
/// least `lower`, if lower ≤ g. The updates are sums with positive weights plus a constant, so
/// their greatest values are those at g. If one of them is negative there, the step is never
/// possible; otherwise it is possible at g (or, where g has ω, at whatever is large enough there),
/// and what it leads to lies below these values, and below g where nothing is updated.
///
/// Threads. A move needs v ≥ [l]; the passive threads are at most r = v − [l]. A source with one
/// target moves as a whole; one with several sends each of its n threads to any of them: below each
/// way to divide n. (Ranges of ways that lie below one element are not looked at one by one.) If n
/// is ω, any number can go to each target, and each gets ω. The active thread arrives in l'. A
/// spawn needs v ≥ [l] and leads below v + [l']. A transfer moves l as a whole.
///
/// Reduced covers. If some successors of elements are not contained, those that are may still be
/// enough: stubborn_condition.cpp says when, for models whose transitions have a constant effect.
/// That argument is about the model without upper bounds in guards, which has all runs of the
/// model, so then these bounds do not confine steps.
///
/// Exact covers. What is no proof about all that lies below the elements may be one about the
/// elements themselves (exact_cover.cpp).

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/certificates.hpp"
#include "check/counting/exact_cover.hpp"
#include "check/counting/stubborn_condition.hpp"
#include "check/proof.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::ForwardCover;
using base::Integer;

/// A number, or ω.
struct Height {
  bool unbounded = false;
  Integer number = 0;  ///< 0 if unbounded

  bool reaches(const Integer& least) const { return unbounded || number >= least; }
  bool is_at_most(const Height& other) const {
    return other.unbounded || (!unbounded && number <= other.number);
  }
  void add(const Height& other) {
    unbounded = unbounded || other.unbounded;
    if (unbounded)
      number = 0;
    else
      number += other.number;
  }
  friend bool operator==(const Height&, const Height&) = default;
};

/// ↓v: a shared state and the heights that are not 0, sorted by counter.
struct Ideal {
  using Entry = std::pair<std::uint32_t, Height>;

  std::uint32_t shared = 0;
  std::vector<Entry> heights;

  /// Valid until the next change.
  const Height& operator[](std::uint32_t counter) const {
    static const Height kNothing;
    const auto it = std::ranges::lower_bound(heights, counter, {}, &Entry::first);
    return it == heights.end() || it->first != counter ? kNothing : it->second;
  }
  void set(std::uint32_t counter, Height height) {
    const auto it = std::ranges::lower_bound(heights, counter, {}, &Entry::first);
    const bool present = it != heights.end() && it->first == counter;
    if (!height.reaches(1)) {
      if (present) heights.erase(it);
    } else if (present) {
      it->second = std::move(height);
    } else {
      heights.emplace(it, counter, std::move(height));
    }
  }
  void add(std::uint32_t counter, const Height& more) {
    Height height = (*this)[counter];
    height.add(more);
    set(counter, std::move(height));
  }
  bool is_within(const Ideal& other) const {
    if (shared != other.shared || heights.size() > other.heights.size()) return false;
    auto at = other.heights.begin();
    for (const auto& [counter, height] : heights) {
      while (at != other.heights.end() && at->first < counter) ++at;
      if (at == other.heights.end() || at->first != counter || !height.is_at_most(at->second))
        return false;
    }
    return true;
  }
};

/// Equal ideals have equal hashes.
std::size_t hash_of(const Ideal& ideal) {
  std::size_t hash = ideal.shared;
  for (const auto& [counter, height] : ideal.heights) {
    const std::size_t number = height.unbounded ? SIZE_MAX : height.number.get_ui();
    hash = (hash ^ counter) * 0x9e3779b97f4a7c15U;
    hash = (hash ^ number ^ hash >> 29) * 0xbf58476d1ce4e5b9U;
  }
  return hash;
}

/// A bit for each counter modulo 64 that is not 0. An ideal within another has no further bits.
std::uint64_t signature_of(const Ideal& ideal) {
  std::uint64_t bits = 0;
  for (const auto& entry : ideal.heights) bits |= std::uint64_t{1} << (entry.first % 64);
  return bits;
}

const Height kOne{false, 1};

Ideal ideal_of(const answer::OmegaConfiguration& element) {
  Ideal result{element.shared.value, {}};
  for (const auto& [counter, count] : element.counts.entries())
    result.set(counter.value, {false, count});
  for (const model::Counter counter : element.unbounded) result.set(counter.value, {true, 0});
  return result;
}

Ideal upper_bounds(const model::Region& region) {
  Ideal result{region.shared.value, {}};
  for (const model::CounterBound& bound : region.bounds)
    result.set(bound.counter.value, bound.upper ? Height{false, *bound.upper} : Height{true, 0});
  return result;
}

std::string in_words(const model::CountingModel& model, const Ideal& ideal) {
  model::Configuration finite{model::SharedState(ideal.shared), {}};
  std::string unbounded;
  for (const auto& [counter, height] : ideal.heights) {
    if (height.unbounded)
      unbounded +=
          (unbounded.empty() ? "" : ", ") + model::counter_name(model, model::Counter(counter));
    else
      finite.counts.set(model::Counter(counter), height.number);
  }
  const std::string text = model::to_string(model, finite);
  return unbounded.empty() ? text : text + " with any number of " + unbounded;
}

/// Of `visit`, the result says whether to go on.
using Visit = std::function<bool(const Ideal&)>;

void visit_successors(const model::PetriNet&, const model::PetriTransition& t, const Ideal& before,
                      bool is_confined, const Visit&, const Visit& visit) {
  if (std::ranges::any_of(t.guard, [&](const model::CounterBound& bound) {
        return !before[bound.counter.value].reaches(bound.lower);
      }))
    return;
  Ideal confined = before;
  for (const model::CounterBound& bound : t.guard)
    if (is_confined && bound.upper && before[bound.counter.value].reaches(*bound.upper))
      confined.set(bound.counter.value, {false, *bound.upper});
  Ideal after = confined;
  for (const model::PlaceUpdate& update : t.updates) {
    Height value{false, update.constant};
    for (const auto& [source, weight] : update.sources) {
      const Height& present = confined[source.value];
      value.add({present.unbounded, weight * present.number});
    }
    if (!value.reaches(0)) return;
    after.set(update.place.value, std::move(value));
  }
  visit(after);
}

/// Divides the passive threads of each source among its targets in every way, but for those that
/// are known to do no harm: if `contains` says so of what is above a range of them.
class PassiveThreads {
 public:
  PassiveThreads(const model::ThreadTransition& t, Ideal passive, const Visit& contains,
                 const Visit& visit)
      : now_(std::move(passive)), contains_(contains), visit_(visit) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> targets;
    if (t.kind == model::StepKind::Transfer) targets[t.source.local.value] = {t.target.local.value};
    if (t.kind == model::StepKind::Move)
      for (const auto& [from, to] : t.passive) targets[from.value].push_back(to.value);
    now_.shared = t.target.shared.value;
    for (auto& [from, to] : targets) {
      sources_.push_back({std::move(to), now_[from]});
      now_.set(from, {});
    }
    if (t.kind != model::StepKind::Transfer) now_.add(t.target.local.value, kOne);
  }

  void run() { move_from(0); }

 private:
  struct Source {
    std::vector<std::uint32_t> targets;
    Height present;
  };

  bool move_from(std::size_t source) {
    if (source == sources_.size()) return visit_(now_);
    const auto& [targets, present] = sources_[source];
    if (!present.unbounded) return divide(source, 0, present.number, 0, present.number);
    const Ideal saved = now_;
    for (const std::uint32_t to : targets) now_.add(to, present);
    const bool go_on = move_from(source + 1);
    now_ = saved;
    return go_on;
  }

  /// Of the `left` threads of a source, `least` to `most` go to target number `target`, the others
  /// to the targets after it.
  bool divide(std::size_t source, std::size_t target, const Integer& left, const Integer& least,
              const Integer& most) {
    const std::vector<std::uint32_t>& targets = sources_[source].targets;
    const bool is_last = target + 1 == targets.size();
    if (!is_last && least < most) {
      if (contains_(generous(source, target, left, least, most))) return true;
      const Integer middle = (least + most) / 2;
      return divide(source, target, left, least, middle) &&
             divide(source, target, left, middle + 1, most);
    }
    const Integer here = is_last ? left : least;
    const Height saved = now_[targets[target]];
    now_.add(targets[target], {false, here});
    const Integer rest = left - here;
    const bool go_on = is_last ? move_from(source + 1) : divide(source, target + 1, rest, 0, rest);
    now_.set(targets[target], saved);
    return go_on;
  }

  /// Above all ways to go on: as if each thread went to all targets that it may still choose.
  Ideal generous(std::size_t source, std::size_t target, const Integer& left, const Integer& least,
                 const Integer& most) const {
    Ideal result = now_;
    const std::vector<std::uint32_t>& targets = sources_[source].targets;
    result.add(targets[target], {false, most});
    for (std::size_t i = target + 1; i < targets.size(); ++i)
      result.add(targets[i], {false, left - least});
    for (std::size_t i = source + 1; i < sources_.size(); ++i)
      for (const std::uint32_t to : sources_[i].targets) result.add(to, sources_[i].present);
    return result;
  }

  Ideal now_;
  const Visit& contains_;
  const Visit& visit_;
  std::vector<Source> sources_;
};

void visit_successors(const model::ThreadSystem&, const model::ThreadTransition& t,
                      const Ideal& before, bool, const Visit& contains, const Visit& visit) {
  if (before.shared != t.source.shared.value) return;
  const std::uint32_t l = t.source.local.value;
  const Height& present = before[l];
  Ideal passive = before;
  if (t.kind != model::StepKind::Transfer && !present.reaches(1)) return;
  if (t.kind == model::StepKind::Move && !present.unbounded)
    passive.set(l, {false, present.number - 1});
  PassiveThreads(t, std::move(passive), contains, visit).run();
}

class CoverCheck {
 public:
  CoverCheck(const model::CountingTask& task, const ForwardCover& cover, base::RunContext& context)
      : task_(task), cover_(cover), context_(context) {}

  Problem well_formed() {
    for (const answer::OmegaConfiguration& element : cover_.maximal) {
      model::Configuration named{element.shared, element.counts};
      for (const model::Counter counter : element.unbounded) named.counts.set(counter, 1);
      if (const auto found = mismatch(task_.model, named))
        return refuted("the cover names " + *found);
    }
    for (const answer::OmegaConfiguration& element : cover_.maximal) add(ideal_of(element));
    return std::nullopt;
  }

  NotNeeded keeps_to_its_scope() const { return "a cover speaks about counts alone"; }

  Problem contains_beginning() {
    for (const model::Region& region : task_.question.initial)
      if (!contains(upper_bounds(region)))
        return refuted("the cover does not contain the initial region " +
                       model::initial_to_string(task_.model, region));
    return std::nullopt;
  }

  Problem excludes_end() {
    for (const model::Region& target : task_.question.targets) {
      if (target.condition.is_false()) continue;
      Ideal least{target.shared.value, {}};
      for (const model::CounterBound& bound : target.bounds)
        least.set(bound.counter.value, {false, bound.lower});
      if (contains(least))
        return refuted("the cover contains the target " +
                       model::target_to_string(task_.model, target));
    }
    return std::nullopt;
  }

  Problem is_closed() {
    return std::visit(
        [&](const auto& m) {
          const Problem problem = check_all_steps(m);
          if (!problem || problem->status != answer::EvidenceStatus::Refuted) return problem;
          StubbornCondition condition(task_, StubbornCondition::About::Covers);
          return condition.applies() ? check_enough_steps(m, condition, problem) : problem;
        },
        task_.model);
  }

  std::string confirmation() const {
    return std::string("the set contains every initial state, no target, and ") +
           (is_reduced_ ? "the successors by stubborn sets of transitions" : "all its successors") +
           " (" + base::counted(elements_.size(), "maximal element") + ")";
  }

 private:
  void add(Ideal element) {
    const std::size_t index = elements_.size();
    by_hash_.emplace(hash_of(element), index);
    signatures_.push_back(signature_of(element));
    by_shared_[element.shared].push_back(index);
    for (const auto& entry : element.heights)
      by_counter_[{element.shared, entry.first}].push_back(index);
    elements_.push_back(std::move(element));
  }

  template <class Model>
  Problem check_all_steps(const Model& model) {
    Problem problem;
    for (const Ideal& element : elements_)
      for (std::size_t i = 0; i < model.transitions.size() && !problem; ++i)
        problem = check_step(model, i, element);
    return problem;
  }

  /// `found`: why not all steps lead into the set.
  template <class Model>
  Problem check_enough_steps(const Model& model, StubbornCondition& condition,
                             const Problem& found) {
    is_reduced_ = true;
    std::vector<bool> followed(model.transitions.size());
    for (const Ideal& element : elements_) {
      for (std::size_t i = 0; i < followed.size(); ++i) {
        const Problem problem = check_step(model, i, element);
        if (problem && problem->status != answer::EvidenceStatus::Refuted) return problem;
        followed[i] = !problem;
      }
      const auto value = [&](std::uint32_t counter) {
        const Height& height = element[counter];
        return height.unbounded ? nullptr : &height.number;
      };
      if (!condition.holds(model::SharedState(element.shared), value, followed)) return found;
    }
    return std::nullopt;
  }

  template <class Model>
  Problem check_step(const Model& model, std::size_t transition, const Ideal& element) {
    Problem problem;
    const Visit is_contained = [&](const Ideal& after) {
      return after.is_within(element) || contains(after);
    };
    const Visit visit = [&](const Ideal& after) {
      problem = count_step(context_);
      if (!problem && !is_contained(after))
        problem = refuted("transition " + std::to_string(transition) + " leads from " +
                          in_words(task_.model, element) + " to " + in_words(task_.model, after) +
                          ", which the cover does not contain");
      return !problem;
    };
    visit_successors(model, model.transitions[transition], element, !is_reduced_, is_contained,
                     visit);
    return problem;
  }

  /// Looks for the ideal itself, then at the elements that have the rarest of its counters.
  bool contains(const Ideal& ideal) {
    const auto [first, last] = by_hash_.equal_range(hash_of(ideal));
    for (auto it = first; it != last; ++it)
      if (ideal.is_within(elements_[it->second])) return true;
    const std::vector<std::size_t>* candidates = &by_shared_[ideal.shared];
    for (const auto& entry : ideal.heights) {
      const auto list = by_counter_.find({ideal.shared, entry.first});
      if (list == by_counter_.end()) return false;
      if (list->second.size() < candidates->size()) candidates = &list->second;
    }
    const std::uint64_t signature = signature_of(ideal);
    return std::ranges::any_of(*candidates, [&](std::size_t i) {
      return (signature & ~signatures_[i]) == 0 && ideal.is_within(elements_[i]);
    });
  }

  const model::CountingTask& task_;
  const ForwardCover& cover_;
  base::RunContext& context_;
  bool is_reduced_ = false;  ///< only enough steps lead into the set
  std::vector<Ideal> elements_;
  std::vector<std::uint64_t> signatures_;
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::map<std::uint32_t, std::vector<std::size_t>> by_shared_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_counter_;
};

}  // namespace

answer::CheckResult check_certificate(const model::CountingTask& task, const ForwardCover& cover,
                                      base::RunContext& context) {
  answer::CheckResult result = prove(CoverCheck(task, cover, context));
  if (result.status != answer::EvidenceStatus::Refuted) return result;
  const answer::CheckResult exact = check_exactly(task, cover, context);
  return exact.status == answer::EvidenceStatus::Refuted ? result : exact;
}

}  // namespace heddle::check
