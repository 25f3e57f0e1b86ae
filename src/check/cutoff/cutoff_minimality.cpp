#include <algorithm>
#include <memory>

#include "check/counting/cover_index.hpp"
#include "check/counting/demand.hpp"
#include "check/counting/invariants.hpp"
#include "check/counting/predecessors.hpp"
#include "check/cutoff/cutoff_steps.hpp"
#include "check/cutoff/thread_weights.hpp"
#include "check/well_formed.hpp"

/// Demands with the pool as one more counter, the last. Transition t changes the number of threads
/// outside the pool by g(t): 1 for a spawn, the sum of a net rule's constants, 0 otherwise. If
/// g ≥ 0, the pool must give g: before the step, g more are demanded of it. If g < 0 it receives
/// −g: so many fewer are demanded, but not less than none.

namespace heddle::check {

namespace {

using answer::PooledDemand;
using base::Integer;
using Amount = MachineAmount;

std::int64_t gain(const model::ThreadTransition& t) {
  return t.kind == model::StepKind::Spawn ? 1 : 0;
}

/// Precondition: numbers are at most kGreatestMachineInput.
std::int64_t gain(const model::PetriTransition& t) {
  std::int64_t sum = 0;
  for (const model::PlaceUpdate& update : t.updates) sum += update.constant.get_si();
  return sum;
}

bool has_small_numbers(const model::ThreadSystem&) { return true; }
bool has_small_numbers(const model::PetriNet& net) {
  const auto small = [](const Integer& value) { return abs(value) <= kGreatestMachineInput; };
  return std::ranges::all_of(net.transitions, [&](const model::PetriTransition& t) {
    return std::ranges::all_of(t.guard, [&](const auto& bound) { return small(bound.lower); }) &&
           std::ranges::all_of(t.updates, [&](const auto& u) { return small(u.constant); });
  });
}

bool has_small_numbers(const model::CountingModel& model) {
  return std::visit([](const auto& which) { return has_small_numbers(which); }, model);
}

bool leads_to(const model::PetriTransition&, std::uint32_t) { return true; }
bool leads_to(const model::ThreadTransition& t, std::uint32_t shared) {
  return t.target.shared.value == shared;
}

Integer size_of(const PooledDemand& element) {
  return element.demand.counts.total() + element.pool;
}

class MinimalityProof {
 public:
  MinimalityProof(const model::CountingTask& task, const answer::Cutoff& cutoff,
                  const answer::TooFewThreads& proof, const ReachedStates& reached,
                  base::RunContext& context)
      : task_(task),
        proof_(proof),
        reached_(reached),
        context_(context),
        pool_(static_cast<std::uint32_t>(model::counter_count(task.model))),
        elements_(elements_of(proof, pool_)),
        index_(elements_, model::shared_count(task.model)),
        uncoverable_(small_part(cutoff, proof.threads)),
        uncoverable_index_(uncoverable_, model::shared_count(task.model)),
        exclusion_(cutoff.uncoverable.relative_to),
        too_heavy_(task, proof.weightings, Integer(proof.threads) - 1),
        predecessors_(
            std::visit([](const auto& m) { return make_predecessors<Amount>(m); }, task.model)) {
    std::visit(
        [&](const auto& m) {
          for (const auto& t : m.transitions) gains_.push_back(gain(t));
        },
        task.model);
  }

  Problem run() {
    for (const model::ThreadState& state : proof_.states)
      if (proof_.threads > 1 &&
          !index_.contains(Demand<Amount>({state.shared, {{state.local, 1}}})))
        return refuted(state_name(task_.model, state) +
                       " is not in the set that fewer threads should not reach");
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (auto problem = check_start(proof_.minimal[i])) return problem;
      if (auto problem = check_predecessors(elements_[i])) return problem;
    }
    return std::nullopt;
  }

 private:
  static std::vector<Demand<Amount>> elements_of(const answer::TooFewThreads& proof,
                                                 std::uint32_t pool) {
    std::vector<Demand<Amount>> elements;
    for (const PooledDemand& element : proof.minimal) {
      elements.emplace_back(element.demand);
      if (element.pool > 0) elements.back().entries.emplace_back(pool, element.pool);
    }
    return elements;
  }

  /// Demands of so many threads and more play no part.
  static std::vector<Demand<Amount>> small_part(const answer::Cutoff& cutoff,
                                                std::uint32_t threads) {
    std::vector<Demand<Amount>> elements;
    for (const model::Configuration& element : cutoff.uncoverable.minimal)
      if (element.counts.total() < threads) elements.emplace_back(element);
    return elements;
  }

  Problem check_start(const PooledDemand& element) const {
    for (const model::Region& region : task_.question.initial) {
      const auto met = model::least_initial_covering(region, element.demand);
      if (met && met->counts.total() + element.pool < proof_.threads)
        return refuted("the initial configuration " + model::to_string(task_.model, *met) +
                       " covers a demand of too few threads");
    }
    return std::nullopt;
  }

  Problem check_predecessors(const Demand<Amount>& element) {
    Demand<Amount> rest = element;
    const Amount pool = rest[pool_];
    rest.clear(pool_);
    Problem problem;
    for (std::uint32_t t = 0; t < gains_.size() && !problem; ++t) {
      if (!leads_into(t, rest.shared)) continue;
      problem = count_step(context_);
      if (problem) break;
      const Amount before = std::max<Amount>(0, pool + gains_[t]);
      predecessors_->for_each(t, rest, [&](const Demand<Amount>& p) {
        if (!problem) problem = check_predecessor(p, before, t);
        return !problem;
      });
    }
    return problem;
  }

  bool leads_into(std::uint32_t transition, std::uint32_t shared) const {
    return std::visit(
        [&](const auto& model) { return leads_to(model.transitions[transition], shared); },
        task_.model);
  }

  Problem check_predecessor(const Demand<Amount>& p, Amount pool, std::uint32_t transition) {
    Amount size = pool;
    for (const auto& [counter, amount] : p.entries) size += amount;
    if (size >= proof_.threads || is_uncoverable(p)) return std::nullopt;
    Demand<Amount> whole = p;
    if (pool > 0) whole.entries.emplace_back(pool_, pool);
    if (index_.contains(whole) || too_heavy_.contains(p, pool)) return std::nullopt;
    return refuted("transition " + std::to_string(transition) + " leads from " +
                   model::to_string(task_.model, p.configuration()) +
                   " into the set that fewer threads should not reach, but this is not in it");
  }

  bool is_uncoverable(const Demand<Amount>& p) {
    const auto unreachable = [&](const auto& entry) {
      return !reached_.contains(p.shared, entry.first);
    };
    return std::ranges::any_of(p.entries, unreachable) || uncoverable_index_.contains(p) ||
           exclusion_.excludes(p);
  }

  const model::CountingTask& task_;
  const answer::TooFewThreads& proof_;
  const ReachedStates& reached_;
  base::RunContext& context_;
  std::uint32_t pool_;
  std::vector<Demand<Amount>> elements_;
  CoverIndex<Amount> index_;
  std::vector<Demand<Amount>> uncoverable_;
  CoverIndex<Amount> uncoverable_index_;
  Exclusion exclusion_;
  TooHeavy too_heavy_;
  std::unique_ptr<Predecessors<Amount>> predecessors_;
  std::vector<std::int64_t> gains_;  ///< by transition
};

/// No initial configuration has fewer threads.
Problem check_fewest_start(const model::CountingTask& task, std::uint32_t threads) {
  for (const model::Region& region : task.question.initial)
    if (model::least_element(region).counts.total() < threads)
      return refuted("it is not shown that fewer threads are not enough");
  return std::nullopt;
}

/// The thread states are listed with just that number of threads.
Problem check_states(const model::CountingTask& task, const answer::Cutoff& cutoff,
                     const answer::TooFewThreads& proof) {
  if (proof.states.empty()) return refuted("a proof about fewer threads names no thread state");
  for (const model::ThreadState& state : proof.states) {
    if (const auto found = mismatch(task.model, {state.shared, {{state.local, 1}}}))
      return refuted("a proof about fewer threads names " + *found);
    const auto it =
        std::ranges::lower_bound(cutoff.reachable, state, {}, &answer::ReachedState::state);
    if (it == cutoff.reachable.end() || it->state != state || it->threads != proof.threads)
      return refuted("the list does not have " + state_name(task.model, state) + " with " +
                     base::counted(proof.threads, "thread"));
  }
  return std::nullopt;
}

Problem check_parts(const model::CountingTask& task, const answer::TooFewThreads& proof) {
  for (const PooledDemand& element : proof.minimal) {
    if (const auto found = mismatch(task.model, element.demand))
      return refuted("a demand names " + *found);
    if (size_of(element) >= proof.threads)
      return refuted("a demand asks for more threads than there are");
  }
  for (const answer::ThreadWeighting& weighting : proof.weightings)
    if (const auto why = why_no_weighting(task.model, weighting))
      return refuted("a weighting of threads: " + *why);
  return std::nullopt;
}

}  // namespace

Problem check_minimality(const model::CountingTask& task, const answer::Cutoff& cutoff,
                         const ReachedStates& reached, base::RunContext& context) {
  const bool reaches_cutoff =
      !cutoff.too_few.empty() && cutoff.too_few.back().threads == cutoff.threads;
  if (!reaches_cutoff)
    if (auto problem = check_fewest_start(task, cutoff.threads)) return problem;
  if (!has_small_numbers(task.model))
    return answer::CheckResult{answer::EvidenceStatus::NotChecked,
                               "a weight of the net does not fit a machine word"};
  for (const answer::TooFewThreads& proof : cutoff.too_few) {
    if (auto problem = check_states(task, cutoff, proof)) return problem;
    if (auto problem = check_parts(task, proof)) return problem;
    if (auto problem = MinimalityProof(task, cutoff, proof, reached, context).run()) return problem;
  }
  return std::nullopt;
}

}  // namespace heddle::check
