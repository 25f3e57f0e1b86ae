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
  if (added.empty()) return rounds;
  std::size_t reached = 0;
  for (std::uint32_t n = added.begin()->first; n <= cutoff.threads; ++n) {
    const std::size_t more = added.contains(n) ? added[n] : 0;
    rounds.push_back({n, reached += more, more});
  }
  return rounds;
}

std::vector<Plateau> broken_plateaus(const answer::Cutoff& cutoff) {
  std::vector<Plateau> plateaus;
  for (const CutoffRound& round : cutoff_rounds(cutoff)) {
    if (round.added > 0) continue;
    if (!plateaus.empty() && plateaus.back().last + 1 == round.threads) {
      plateaus.back().last = round.threads;
    } else {
      plateaus.push_back({round.threads, round.threads});
    }
  }
  return plateaus;
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
