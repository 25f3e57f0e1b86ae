#include "model/petri_net.hpp"

#include <algorithm>
#include <set>

namespace heddle::model {

using base::Integer;

bool is_monotone(const PetriTransition& transition) {
  return std::ranges::none_of(transition.guard,
                              [](const CounterBound& bound) { return bound.upper.has_value(); });
}

void add_transition(PetriNet& net, std::string name, const Counts& consume, const Counts& produce) {
  PetriTransition t;
  t.name = std::move(name);
  std::set<PlaceId> touched;
  for (const auto& [place, amount] : consume.entries()) {
    t.guard.push_back({place, amount, std::nullopt});
    touched.insert(place);
  }
  for (const auto& entry : produce.entries()) touched.insert(entry.first);
  for (const PlaceId place : touched) {
    const Integer change = produce[place] - consume[place];
    if (change != 0) t.updates.push_back({place, {{place, 1}}, change});
  }
  net.transitions.push_back(std::move(t));
}

std::expected<Configuration, std::string> step(const PetriNet& net, const Configuration& from,
                                               TransitionId transition) {
  if (transition.index() >= net.transitions.size())
    return std::unexpected("there is no transition " + std::to_string(transition.value));
  const PetriTransition& t = net.transitions[transition.index()];
  for (const CounterBound& bound : t.guard) {
    const Integer present = from.counts[bound.counter];
    if (bound.allows(present)) continue;
    const bool too_few = present < bound.lower;
    return std::unexpected("place " + net.places[bound.counter.index()] + " holds " +
                           base::to_string(present) + ", the guard asks for " +
                           (too_few ? "at least " + base::to_string(bound.lower)
                                    : "at most " + base::to_string(*bound.upper)));
  }
  Configuration after = from;
  for (const PlaceUpdate& update : t.updates) {
    Integer value = update.constant;
    for (const auto& [source, weight] : update.sources) value += weight * from.counts[source];
    if (value < 0)
      return std::unexpected("place " + net.places[update.place.index()] +
                             " would become negative");
    after.counts.set(update.place, value);
  }
  return after;
}

}  // namespace heddle::model
