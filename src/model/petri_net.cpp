#include "model/petri_net.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

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

namespace {

void append_place(std::string& out, const std::string& item) {
  if (!out.empty()) out += ", ";
  out += item;
}

std::string marking_text(const PetriNet& net, const Counts& counts) {
  std::string out;
  for (const auto& [place, count] : counts.entries())
    append_place(out, net.places[place.index()] + "=" + base::to_string(count));
  return out.empty() ? "no tokens" : out;
}

/// Words of the notation itself; a place of such a name stands in quotes.
constexpr std::array<std::string_view, 8> kReservedWords = {
    "in", "true", "false", "vars", "rules", "init", "target", "invariants"};

bool is_word(const std::string& name) {
  const auto in_word = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
  return !name.empty() && std::ranges::all_of(name, in_word) &&
         !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::find(kReservedWords, name) == kReservedWords.end();
}

std::string place_name(const PetriNet& net, PlaceId id) {
  const std::string& place = net.places[id.index()];
  return is_word(place) ? place : "\"" + place + "\"";
}

std::string place_bound(const PetriNet& net, const CounterBound& bound) {
  const std::string name = place_name(net, bound.counter);
  if (!bound.upper) return name + ">=" + base::to_string(bound.lower);
  if (*bound.upper == bound.lower) return name + "=" + base::to_string(bound.lower);
  return name + " in [" + base::to_string(bound.lower) + "," + base::to_string(*bound.upper) + "]";
}

std::string place_bounds(const PetriNet& net, const Region& region) {
  std::string out;
  for (const CounterBound& bound : region.bounds) append_place(out, place_bound(net, bound));
  return out;
}

/// A marking without tokens still names a place, for the notation has no word for it.
std::string net_initial(const PetriNet& net, const Region& region) {
  if (!region.bounds.empty() || net.places.empty()) return place_bounds(net, region);
  return place_bound(net, {PlaceId(0U), 0, Integer(0)});
}

}  // namespace

std::string initial_to_string(const PetriNet& net, const Region& region) {
  return net_initial(net, region);
}

std::string target_to_string(const PetriNet& net, const Region& region) {
  if (region.condition.is_true()) return region.bounds.empty() ? "true" : place_bounds(net, region);
  std::string out = place_bounds(net, region);
  append_place(
      out, to_text(region.condition, {[&](PlaceId place) { return place_name(net, place); }, " && ",
                                      " || ", "true", "false"}));
  return out;
}

std::string to_string(const PetriNet& net, const Configuration& marking) {
  return marking_text(net, marking.counts);
}

std::string shared_name(const PetriNet&, SharedState) { return {}; }

std::string counter_name(const PetriNet& net, PlaceId place) { return net.places[place.index()]; }

}  // namespace heddle::model
