#include "output/cutoff_rounds.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle::output {

using model::Configuration;
using model::CountingModel;

std::vector<CutoffRound> cutoff_rounds(const answer::Cutoff& cutoff) {
  std::map<std::uint32_t, std::size_t> added;
  for (const answer::ReachedState& state : cutoff.reachable) ++added[state.threads];
  std::vector<CutoffRound> rounds;
  std::size_t reached = 0;
  for (const auto& [threads, more] : added) {
    if (!rounds.empty() && rounds.back().last + 1 < threads)
      rounds.push_back({rounds.back().last + 1, threads - 1, reached, 0});
    rounds.push_back({threads, threads, reached += more, more});
  }
  return rounds;
}

std::vector<Plateau> broken_plateaus(const answer::Cutoff& cutoff) {
  std::vector<Plateau> plateaus;
  for (const CutoffRound& round : cutoff_rounds(cutoff))
    if (round.added == 0) plateaus.push_back({round.first, round.last});
  return plateaus;
}

std::vector<bool> proved_least(const model::CountingTask& task, const answer::Cutoff& cutoff) {
  std::set<model::ThreadState> shown;
  for (const answer::TooFewThreads& proof : cutoff.too_few)
    shown.insert(proof.states.begin(), proof.states.end());
  const auto starts_with_less = [&](std::uint32_t threads) {
    return std::ranges::any_of(task.question.initial, [&](const model::Region& region) {
      return model::least_element(region).counts.total() < threads;
    });
  };
  std::vector<bool> least;
  for (const answer::ReachedState& reached : cutoff.reachable)
    least.push_back(shown.contains(reached.state) || !starts_with_less(reached.threads));
  return least;
}

std::uint32_t greatest_unproved(const model::CountingTask& task, const answer::Cutoff& cutoff) {
  const std::vector<bool> least = proved_least(task, cutoff);
  std::uint32_t greatest = 0;
  for (std::size_t i = 0; i < least.size(); ++i)
    if (!least[i]) greatest = std::max(greatest, cutoff.reachable[i].threads);
  return greatest;
}

namespace {

std::string state_name(const model::PetriNet& net, const model::ThreadState& state) {
  return model::counter_name(net, state.local);
}

std::string state_name(const model::ThreadSystem& system, const model::ThreadState& state) {
  return model::to_string(system, {state.shared, {{state.local, 1}}});
}

Configuration demand_of(const model::PetriTransition& t, const answer::UnrealizableCandidate&) {
  Configuration demand{model::SharedState(0u), {}};
  for (const model::CounterBound& bound : t.guard) demand.counts.set(bound.counter, bound.lower);
  for (const model::PlaceUpdate& update : t.updates)
    if (-update.constant > demand.counts[update.place])
      demand.counts.set(update.place, -update.constant);
  return demand;
}

Configuration demand_of(const model::ThreadTransition& t,
                        const answer::UnrealizableCandidate& candidate) {
  Configuration demand{t.source.shared, {}};
  if (t.kind != model::StepKind::Transfer) demand.counts.add(t.source.local, 1);
  if (candidate.passive) demand.counts.add(*candidate.passive, 1);
  return demand;
}

std::size_t triples_of(const model::PetriNet&, const answer::Cutoff& cutoff) {
  return cutoff.candidates.size();
}

std::size_t triples_of(const model::ThreadSystem& system, const answer::Cutoff& cutoff) {
  using Triple = std::tuple<model::ThreadState, std::optional<model::Counter>, model::ThreadState>;
  std::set<Triple> triples;
  for (const answer::UnrealizableCandidate& candidate : cutoff.candidates) {
    const model::ThreadTransition& t = system.transitions[candidate.transition.index()];
    triples.emplace(t.source, candidate.passive, t.target);
  }
  return triples.size();
}

}  // namespace

std::string thread_state_name(const CountingModel& model, const model::ThreadState& state) {
  return std::visit([&](const auto& which) { return state_name(which, state); }, model);
}

Configuration candidate_demand(const CountingModel& model,
                               const answer::UnrealizableCandidate& candidate) {
  return std::visit(
      [&](const auto& which) {
        return demand_of(which.transitions[candidate.transition.index()], candidate);
      },
      model);
}

std::size_t triple_count(const CountingModel& model, const answer::Cutoff& cutoff) {
  return std::visit([&](const auto& which) { return triples_of(which, cutoff); }, model);
}

}  // namespace heddle::output
