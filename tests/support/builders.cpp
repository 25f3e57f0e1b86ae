#include "support/builders.hpp"

#include <algorithm>
#include <map>

namespace heddle::test {

using base::Integer;
using model::Counter;
using model::CounterBound;
using model::Region;
using model::SharedState;
using model::StepKind;
using model::ThreadTransition;

namespace {

ThreadTransition edge(StepKind kind, unsigned s, unsigned l, unsigned s2, unsigned l2) {
  ThreadTransition t;
  t.kind = kind;
  t.source = {SharedState(s), Counter(l)};
  t.target = {SharedState(s2), Counter(l2)};
  return t;
}

Region multiset(unsigned shared, const std::vector<unsigned>& locals, bool exact) {
  std::map<unsigned, Integer> amounts;
  for (const unsigned local : locals) amounts[local] += 1;
  Region region{SharedState(shared), {}};
  for (const auto& [local, amount] : amounts) {
    CounterBound bound{Counter(local), amount, std::nullopt};
    if (exact) bound.upper = amount;
    region.bounds.push_back(bound);
  }
  return region;
}

}  // namespace

ThreadTransition move(unsigned s, unsigned l, unsigned s2, unsigned l2,
                      const PassivePairs& passive) {
  ThreadTransition t = edge(StepKind::Move, s, l, s2, l2);
  for (const auto& [from, to] : passive) t.passive.push_back({Counter(from), Counter(to)});
  std::ranges::sort(t.passive);
  return t;
}

ThreadTransition spawn(unsigned s, unsigned l, unsigned s2, unsigned l2) {
  return edge(StepKind::Spawn, s, l, s2, l2);
}

ThreadTransition transfer(unsigned s, unsigned l, unsigned s2, unsigned l2) {
  return edge(StepKind::Transfer, s, l, s2, l2);
}

model::ThreadSystem thread_system(unsigned shared, unsigned local,
                                  std::vector<ThreadTransition> transitions) {
  model::ThreadSystem system;
  system.shared_count = shared;
  system.local_count = local;
  system.transitions = std::move(transitions);
  return system;
}

model::Counts counts(const std::vector<unsigned>& amounts) {
  model::Counts out;
  for (unsigned i = 0; i < amounts.size(); ++i) out.set(Counter(i), amounts[i]);
  return out;
}

model::Configuration configuration(unsigned shared, const std::vector<unsigned>& amounts) {
  return {SharedState(shared), counts(amounts)};
}

Region exactly(unsigned shared, const std::vector<unsigned>& locals) {
  return multiset(shared, locals, true);
}

Region any_number(unsigned shared, const std::vector<unsigned>& locals) {
  Region region{SharedState(shared), {}};
  for (const unsigned local : locals) region.bounds.push_back({Counter(local), 0, std::nullopt});
  return region;
}

Region target(unsigned shared, const std::vector<unsigned>& locals) {
  return multiset(shared, locals, false);
}

Region marking(const std::vector<unsigned>& tokens) {
  Region region;
  for (unsigned i = 0; i < tokens.size(); ++i)
    region.bounds.push_back({Counter(i), tokens[i], Integer(tokens[i])});
  return region;
}

Region at_least(const std::vector<unsigned>& tokens) {
  Region region;
  for (unsigned i = 0; i < tokens.size(); ++i)
    if (tokens[i] > 0) region.bounds.push_back({Counter(i), tokens[i], std::nullopt});
  return region;
}

model::PetriNet net(unsigned places) {
  model::PetriNet out;
  for (unsigned i = 0; i < places; ++i) out.places.push_back("p" + std::to_string(i));
  return out;
}

model::PetriTransition rule(const std::vector<unsigned>& lower,
                            std::vector<model::PlaceUpdate> updates) {
  model::PetriTransition out;
  out.guard = at_least(lower).bounds;
  out.updates = std::move(updates);
  return out;
}

model::PlaceUpdate update(unsigned place, const std::vector<unsigned>& sources, int constant) {
  std::map<unsigned, Integer> weights;
  for (const unsigned source : sources) weights[source] += 1;
  model::PlaceUpdate out{Counter(place), {}, constant};
  for (const auto& [source, weight] : weights) out.sources.push_back({Counter(source), weight});
  return out;
}

model::NetTask of_net(const model::CountingTask& task) {
  return {std::get<model::PetriNet>(task.model), task.question};
}

model::ThreadTask of_threads(const model::CountingTask& task) {
  return {std::get<model::ThreadSystem>(task.model), task.question};
}

model::ThreadTask threads(model::ThreadSystem system, std::vector<Region> initial,
                          std::vector<Region> targets) {
  return {std::move(system), {std::move(initial), std::move(targets)}};
}

model::CountingTask task(model::CountingModel model, std::vector<Region> initial,
                         std::vector<Region> targets) {
  return {std::move(model), {std::move(initial), std::move(targets)}};
}

answer::Trace trace(model::Configuration initial, const std::vector<model::OracleStep>& steps) {
  answer::Trace out{std::move(initial), {}};
  for (const model::OracleStep& step : steps)
    out.blocks.push_back({1, {{step.transition, step.flows, std::nullopt, {}}}});
  return out;
}

answer::Trace to_trace(const model::Reached& reached) {
  return trace(reached.initial, reached.steps);
}

}  // namespace heddle::test
