#include "engine/cutoff/evidence.hpp"

#include <algorithm>

#include "coverability/pruner.hpp"
#include "engine/cutoff/too_few.hpp"
#include "engine/cutoff/witness.hpp"

namespace heddle::engine::cutoff {

namespace {

using answer::Cutoff;
using coverability::Demand;
using coverability::ThreadFamily;
using model::Configuration;
using State = std::pair<Control, std::uint32_t>;

model::ThreadState to_thread_state(const State& state) {
  return {model::SharedState(state.first), model::LocalState(state.second)};
}

Configuration to_configuration(const ThreadFamily& family, const Demand& demand) {
  Configuration result{model::SharedState(demand.control), {}};
  for (const auto& [counter, count] : demand.counts)
    if (!family.is_pool(counter)) result.counts.set(model::Counter(counter), count);
  return result;
}

void add_reachable(const model::CountingTask& task, const ThreadFamily& family,
                   const Detection& detection, Cutoff& cutoff) {
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

/// The invariants of both proofs stand with the basis.
void add_invariants(const std::vector<answer::Invariant>& used, answer::BackwardBasis& basis) {
  for (const answer::Invariant& invariant : used)
    if (std::ranges::find(basis.relative_to, invariant) == basis.relative_to.end())
      basis.relative_to.push_back(invariant);
}

}  // namespace

std::variant<Cutoff, coverability::Stopped, coverability::Overflowed> cutoff_evidence(
    const model::CountingTask& task, const ThreadFamily& family, Detection& detection,
    const CutoffOptions& options, base::RunContext& context) {
  Cutoff cutoff;
  cutoff.uncoverable = detection.uncoverable();
  add_reachable(task, family, detection, cutoff);
  add_candidates(family, detection, cutoff);
  coverability::Pruner pruner = coverability::find_invariants(task, options.use_invariants);
  auto proofs = too_few_threads(task, family, detection, pruner, context);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&proofs)) return *stopped;
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&proofs)) return *overflow;
  cutoff.too_few = std::get<std::vector<answer::TooFewThreads>>(std::move(proofs));
  add_invariants(pruner.used(), cutoff.uncoverable);
  return cutoff;
}

}  // namespace heddle::engine::cutoff
