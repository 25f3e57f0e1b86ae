#include "frontend/petri/ordinary_net.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include "base/printable.hpp"

namespace heddle::frontend::petri {

using base::Integer;
using model::CounterBound;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceUpdate;

std::optional<std::string> not_ordinary(const PetriTransition& transition) {
  if (!model::is_monotone(transition)) return "it bounds a place from above";
  const auto shifts = [](const PlaceUpdate& update) { return update.is_shift(); };
  if (!std::ranges::all_of(transition.updates, shifts)) return "it resets or transfers tokens";
  return std::nullopt;
}

std::vector<CounterBound> take_upper_bounds(PetriTransition& transition) {
  std::vector<CounterBound> taken;
  for (CounterBound& bound : transition.guard)
    if (bound.upper) {
      taken.push_back(bound);
      bound.upper.reset();
    }
  std::erase_if(transition.guard, [](const CounterBound& bound) { return bound.lower == 0; });
  return taken;
}

Arcs arcs_of(const PetriTransition& transition) {
  struct Tokens {
    Integer needed, change;
  };
  std::map<model::Counter, Tokens> tokens;
  for (const CounterBound& bound : transition.guard) tokens[bound.counter].needed = bound.lower;
  for (const PlaceUpdate& update : transition.updates) {
    auto& [needed, change] = tokens[update.place];
    needed = std::max(needed, Integer(-update.constant));
    change = update.constant;
  }
  Arcs arcs;  // in the order of places each count is appended
  for (const auto& [place, t] : tokens) {
    arcs.consume.set(place, t.needed);
    arcs.produce.set(place, t.needed + t.change);
  }
  return arcs;
}

std::optional<std::string> not_ordinary(const NetFile& file) {
  const PetriNet* net = &file.model;
  for (std::size_t i = 0; i < net->transitions.size(); ++i)
    if (const auto reason = not_ordinary(net->transitions[i])) {
      const std::string& name = net->transitions[i].name;
      return "transition " + (name.empty() ? std::to_string(i) : base::printable(name)) +
             " has no arcs that say what it does: " + *reason;
    }
  if (file.initial.size() != 1)
    return file.initial.empty() ? "it has no initial marking"
                                : "it has several initial regions, the format has one marking";
  for (const CounterBound& bound : file.initial[0].bounds)
    if (bound.upper != bound.lower)
      return "place " + base::printable(net->places[bound.counter.index()]) +
             " may start with several numbers of tokens, the format has one initial marking";
  return std::nullopt;
}

std::optional<std::string> not_ordinary_but_for_inhibitors(const NetFile& file) {
  NetFile without_inhibitors = file;
  std::vector<std::vector<CounterBound>> inhibitors;
  for (PetriTransition& transition : without_inhibitors.model.transitions)
    inhibitors.push_back(take_upper_bounds(transition));
  if (auto reason = not_ordinary(without_inhibitors)) return reason;
  for (std::size_t i = 0; i < inhibitors.size(); ++i) {
    const Arcs arcs = arcs_of(without_inhibitors.model.transitions[i]);
    for (const CounterBound& bound : inhibitors[i])
      if (arcs.consume[bound.counter] > *bound.upper)
        return "transition " + std::to_string(i) + " takes more tokens than its guard allows";
  }
  return std::nullopt;
}

model::Counts initial_marking(const NetFile& file) {
  model::Counts marking;
  for (const CounterBound& bound : file.initial.at(0).bounds)
    marking.set(bound.counter, bound.lower);
  return marking;
}

model::Region exactly(const model::Counts& marking) {
  model::Region region;
  for (const auto& [place, tokens] : marking.entries())
    region.bounds.push_back({place, tokens, tokens});
  return region;
}

}  // namespace heddle::frontend::petri
