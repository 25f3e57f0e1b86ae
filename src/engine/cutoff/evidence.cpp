#include "engine/cutoff/evidence.hpp"

#include <algorithm>

#include "coverability/find_invariants.hpp"
#include "engine/cutoff/witness.hpp"

namespace heddle::engine::cutoff {

namespace {

using answer::Cutoff;
using coverability::Demand;
using coverability::ThreadFamily;
using model::Configuration;
using State = std::pair<Control, std::uint32_t>;

/// Steps of the first attempt to show that fewer threads do not reach a thread state; the attempts
/// for other thread states and with more steps come after it.
constexpr std::uint64_t kFirstAttempt = 20'000;

model::ThreadState to_thread_state(const State& state) {
  return {model::SharedState(state.first), model::LocalState(state.second)};
}

Configuration to_configuration(const ThreadFamily& family, const Demand& demand) {
  Configuration result{model::SharedState(demand.control), {}};
  for (const auto& [counter, count] : demand.counts)
    if (!family.is_pool(counter)) result.counts.set(model::Counter(counter), count);
  return result;
}

void add_reachable(const model::Task& task, const ThreadFamily& family, const Detection& detection,
                   Cutoff& cutoff) {
  WitnessForest forest(task, family, detection.forward());
  std::map<State, std::uint32_t> witness;
  for (const auto& found : detection.forward().found())
    if (detection.first().contains({found.control, found.counter}))
      witness[{found.control, found.counter}] = forest.add(found);
  for (const auto& [state, first] : detection.first()) {
    if (first.trace && !witness.contains(state)) witness[state] = forest.add(*first.trace);
    cutoff.reachable.push_back({to_thread_state(state), first.threads, witness.at(state)});
    cutoff.threads = std::max(cutoff.threads, first.threads);
  }
  cutoff.witnesses = forest.take();
}

void add_candidates(const ThreadFamily& family, const Detection& detection, Cutoff& cutoff) {
  KnownStates known = detection.known();
  const auto& minimal = cutoff.uncoverable.minimal;
  std::map<model::SharedState, std::vector<std::uint32_t>> by_shared;
  for (std::uint32_t i = 0; i < minimal.size(); ++i) by_shared[minimal[i].shared].push_back(i);
  for (const Candidate& candidate : candidates(family, known)) {
    const Configuration demand = to_configuration(family, candidate.demand);
    const auto& near = by_shared[demand.shared];
    const auto below =
        std::ranges::find_if(near, [&](std::uint32_t i) { return demand.covers(minimal[i]); });
    answer::UnrealizableCandidate next{
        model::TransitionId(family.transitions[candidate.transition].id), std::nullopt,
        to_thread_state({candidate.control, candidate.counter}), std::nullopt};
    if (candidate.passive) next.passive = model::Counter(*candidate.passive);
    if (below != near.end()) next.excluded_by = *below;
    cutoff.candidates.push_back(next);
  }
  std::ranges::sort(cutoff.candidates, {}, [](const answer::UnrealizableCandidate& c) {
    return std::tuple(c.transition, c.passive, c.missing);
  });
}

base::Integer fewest_initial_threads(const model::Question& question) {
  std::optional<base::Integer> fewest;
  for (const model::Region& region : question.initial) {
    base::Integer sum = 0;
    for (const model::CounterBound& bound : region.bounds) sum += bound.lower;
    if (!fewest || sum < *fewest) fewest = sum;
  }
  return fewest.value_or(0);
}

answer::TooFewThreads to_proof(const ThreadFamily& family, const State& state,
                               const std::vector<Demand>& minimal) {
  answer::TooFewThreads proof{to_thread_state(state), {}};
  for (const Demand& demand : minimal) {
    answer::PooledDemand next{to_configuration(family, demand), 0};
    for (const auto& [counter, count] : demand.counts)
      if (family.is_pool(counter)) next.pool = count;
    proof.minimal.push_back(std::move(next));
  }
  std::ranges::sort(proof.minimal, [](const auto& a, const auto& b) {
    return a.demand != b.demand ? a.demand < b.demand : a.pool < b.pool;
  });
  return proof;
}

/// Thread states that need as many threads as the cutoff has; any of them will do.
std::vector<State> last_reached(const Detection& detection, std::uint32_t threads) {
  std::vector<State> states;
  for (const auto& [state, first] : detection.first())
    if (first.threads == threads) states.push_back(state);
  return states;
}

/// The invariants of both proofs stand with the basis.
void add_invariants(const std::vector<answer::Invariant>& used, answer::BackwardBasis& basis) {
  for (const answer::Invariant& invariant : used)
    if (std::ranges::find(basis.relative_to, invariant) == basis.relative_to.end())
      basis.relative_to.push_back(invariant);
}

using Problem = std::variant<std::monostate, coverability::Stopped, coverability::Overflowed>;

/// Tries one thread state after the other, each with few steps, then with more.
Problem add_minimality(const model::Task& task, const ThreadFamily& family,
                       const Detection& detection, coverability::Pruner& pruner,
                       base::RunContext& context, Cutoff& cutoff) {
  if (cutoff.threads == 0 || fewest_initial_threads(task.question) >= cutoff.threads) return {};
  const std::vector<State> states = last_reached(detection, cutoff.threads);
  for (std::uint64_t steps = kFirstAttempt;; steps *= 4) {
    for (const State& state : states) {
      if (const auto stop = context.stopped()) return coverability::Stopped{*stop};
      base::Limits limits = context.limits();
      limits.steps = limits.steps ? std::min(steps, *limits.steps - context.steps()) : steps;
      base::RunContext own(limits, context.seed(), context.stop_token());
      const auto answer = detection.fewest_threads().ask(
          {state.first, {{state.second, 1}}}, cutoff.threads - 1,
          {&detection.known().rows(), cutoff.uncoverable.minimal, &pruner}, own);
      context.add_steps(own.steps());
      if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) return *overflow;
      if (const auto* none = std::get_if<coverability::NotCoveredWithin>(&answer)) {
        cutoff.too_few = to_proof(family, state, none->minimal);
        return {};
      }
    }
  }
}

}  // namespace

std::variant<Cutoff, coverability::Stopped, coverability::Overflowed> cutoff_evidence(
    const model::Task& task, const ThreadFamily& family, const Detection& detection,
    const Options& options, base::RunContext& context) {
  Cutoff cutoff;
  cutoff.uncoverable = detection.uncoverable();
  add_reachable(task, family, detection, cutoff);
  add_candidates(family, detection, cutoff);
  coverability::Pruner pruner = coverability::find_invariants(task, options.use_invariants);
  const Problem problem = add_minimality(task, family, detection, pruner, context, cutoff);
  add_invariants(pruner.used(), cutoff.uncoverable);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&problem)) return *stopped;
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&problem)) return *overflow;
  return cutoff;
}

}  // namespace heddle::engine::cutoff
