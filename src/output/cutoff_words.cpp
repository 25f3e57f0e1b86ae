#include "output/cutoff_words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle::output {

using model::Configuration;
using model::Model;

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

std::vector<bool> proved_least(const model::Task& task, const answer::Cutoff& cutoff) {
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

std::uint32_t greatest_unproved(const model::Task& task, const answer::Cutoff& cutoff) {
  const std::vector<bool> least = proved_least(task, cutoff);
  std::uint32_t greatest = 0;
  for (std::size_t i = 0; i < least.size(); ++i)
    if (!least[i]) greatest = std::max(greatest, cutoff.reachable[i].threads);
  return greatest;
}

std::string thread_state_name(const Model& model, const model::ThreadState& state) {
  if (std::holds_alternative<model::PetriNet>(model))
    return model::counter_name(model, state.local);
  return model::to_string(model, {state.shared, {{state.local, 1}}});
}

Configuration candidate_demand(const Model& model, const answer::UnrealizableCandidate& candidate) {
  if (const auto* net = std::get_if<model::PetriNet>(&model)) {
    Configuration demand{model::SharedState(0u), {}};
    const model::PetriTransition& t = net->transitions[candidate.transition.index()];
    for (const model::CounterBound& bound : t.guard) demand.counts.set(bound.counter, bound.lower);
    for (const model::PlaceUpdate& update : t.updates)
      if (-update.constant > demand.counts[update.place])
        demand.counts.set(update.place, -update.constant);
    return demand;
  }
  const auto& t = std::get<model::ThreadSystem>(model).transitions[candidate.transition.index()];
  Configuration demand{t.source.shared, {}};
  if (t.kind != model::StepKind::Transfer) demand.counts.add(t.source.local, 1);
  if (candidate.passive) demand.counts.add(*candidate.passive, 1);
  return demand;
}

std::size_t triple_count(const Model& model, const answer::Cutoff& cutoff) {
  const auto* system = std::get_if<model::ThreadSystem>(&model);
  if (!system) return cutoff.candidates.size();
  using Triple = std::tuple<model::ThreadState, std::optional<model::Counter>, model::ThreadState>;
  std::set<Triple> triples;
  for (const answer::UnrealizableCandidate& candidate : cutoff.candidates) {
    const model::ThreadTransition& t = system->transitions[candidate.transition.index()];
    triples.emplace(t.source, candidate.passive, t.target);
  }
  return triples.size();
}

}  // namespace heddle::output
