#include "model/dead_configurations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::model {

namespace {

using base::Integer;

Region nowhere() { return {SharedState(0u), {}, Condition::any({})}; }

/// A place that lacks tokens or has too many, or a result that would be negative.
Condition disabled(const PetriTransition& t) {
  std::map<Counter, Integer> needed;
  const auto need = [&](Counter place, const Integer& tokens) {
    Integer& so_far = needed[place];
    so_far = std::max(so_far, tokens);
  };
  std::vector<Condition> ways;
  for (const CounterBound& bound : t.guard) {
    need(bound.counter, bound.lower);
    if (bound.upper) ways.push_back(Condition::at_least({{bound.counter, 1}}, *bound.upper + 1));
  }
  for (const PlaceUpdate& update : t.updates) {
    if (update.constant >= 0) continue;
    if (update.sources.empty()) return Condition::all({});
    if (update.sources.size() == 1) {
      const auto& [place, weight] = update.sources.front();
      need(place, (-update.constant + weight - 1) / weight);
      continue;
    }
    std::vector<WeightedPlace> terms;
    for (const auto& [place, weight] : update.sources) terms.push_back({place, -weight});
    ways.push_back(Condition::at_least(std::move(terms), update.constant + 1));
  }
  for (const auto& [place, tokens] : needed)
    if (tokens > 0) ways.push_back(Condition::at_least({{place, -1}}, 1 - tokens));
  return Condition::any(std::move(ways));
}

}  // namespace

std::vector<Region> dead_configurations(const ThreadSystem& system) {
  std::vector<std::set<LocalState>> steps(system.shared_count);
  std::vector<bool> has_transfer(system.shared_count, false);
  for (const ThreadTransition& t : system.transitions) {
    if (t.kind == StepKind::Transfer)
      has_transfer[t.source.shared.index()] = true;
    else
      steps[t.source.shared.index()].insert(t.source.local);
  }
  std::vector<Region> out;
  for (std::uint32_t s = 0; s < system.shared_count; ++s) {
    if (has_transfer[s]) continue;
    Region& region = out.emplace_back(Region{SharedState(s), {}});
    for (const LocalState local : steps[s]) region.bounds.push_back({local, 0, Integer(0)});
  }
  if (out.empty()) out.push_back(nowhere());
  return out;
}

std::vector<Region> dead_configurations(const PetriNet& net) {
  const auto earlier = [](const Condition& a, const Condition& b) { return precedes(a, b); };
  std::set<Condition, decltype(earlier)> parts(earlier);
  for (const PetriTransition& t : net.transitions) parts.insert(disabled(t));
  Region out{SharedState(0u), {}, Condition::all({parts.begin(), parts.end()})};
  return {std::move(out)};
}

}  // namespace heddle::model
