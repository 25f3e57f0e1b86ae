#include "support/random_models.hpp"

#include <algorithm>
#include <set>

#include "support/builders.hpp"

namespace heddle::test {

namespace {

using base::Integer;
using model::Counter;
using model::CounterBound;
using model::Region;
using model::SharedState;

struct Size {
  unsigned shared;
  unsigned local;
};

PassivePairs random_passive(Random& random, unsigned local) {
  std::set<std::pair<unsigned, unsigned>> pairs;
  const unsigned wanted = random.between(1, 4);
  for (unsigned i = 0; i < wanted; ++i) pairs.insert({random.below(local), random.below(local)});
  return {pairs.begin(), pairs.end()};
}

model::ThreadTransition random_edge(Random& random, Size size) {
  const unsigned s = random.below(size.shared), l = random.below(size.local);
  // Half of the edges keep the shared state, as in real programs.
  const unsigned s2 = random.one_in(2) ? s : random.below(size.shared);
  const unsigned l2 = random.one_in(5) ? l : random.below(size.local);
  switch (random.below(8)) {
    case 0: return spawn(s, l, s2, l2);
    case 1: return transfer(s, l, s2, l2);
    case 2:
    case 3: return move(s, l, s2, l2, random_passive(random, size.local));
    default: return move(s, l, s2, l2);
  }
}

Region random_thread_initial(Random& random, Size size) {
  Region region{SharedState(random.one_in(3) ? random.below(size.shared) : 0u), {}};
  for (unsigned l = 0; l < size.local; ++l) {
    if (l > 0 && !random.one_in(4)) continue;
    CounterBound bound{Counter(l), random.below(3), std::nullopt};
    if (random.one_in(2)) bound.upper = bound.lower + (random.one_in(4) ? 1 : 0);
    region.bounds.push_back(bound);
  }
  return region;
}

Region random_thread_target(Random& random, Size size) {
  std::vector<unsigned> locals(random.between(1, 3));
  for (unsigned& local : locals) local = random.below(size.local);
  return target(random.below(size.shared), locals);
}

model::Counts random_weights(Random& random, unsigned places) {
  std::vector<unsigned> amounts(places, 0);
  for (unsigned& amount : amounts)
    if (random.one_in(3)) amount = random.one_in(6) ? 3 : random.between(1, 2);
  return counts(amounts);
}

/// One or two tokens, of the same or of different places.
model::Counts random_tokens(Random& random, unsigned amount, unsigned places) {
  model::Counts out;
  for (unsigned i = 0; i < amount; ++i) out.add(Counter(random.below(places)), 1);
  return out;
}

void add_random_transition(Random& random, model::PetriNet& to, bool conserving) {
  const auto places = static_cast<unsigned>(to.places.size());
  if (!conserving) {
    const model::Counts take = random_weights(random, places);
    add_transition(to, "", take, random_weights(random, places));
    return;
  }
  const unsigned amount = random.between(1, 2);
  const model::Counts take = random_tokens(random, amount, places);
  const unsigned given = random.one_in(12) ? amount + 1 : amount;
  add_transition(to, "", take, random_tokens(random, given, places));
}

/// Any update: a reset, a transfer, a copy, a doubling, a sum with a positive or negative rest.
model::PlaceUpdate random_update(Random& random, unsigned place, unsigned places) {
  std::vector<unsigned> sources;
  const unsigned wanted = random.below(4);
  for (unsigned i = 0; i < wanted; ++i)
    sources.push_back(random.one_in(3) ? place : random.below(places));
  const int rest = static_cast<int>(random.below(4)) - 2;
  return update(place, sources, sources.empty() ? std::abs(rest) : rest);
}

bool is_identity(const model::PlaceUpdate& update) {
  return update.is_shift() && update.constant == 0;
}

model::PetriTransition random_rule(Random& random, unsigned places, NetFlavour flavour) {
  model::PetriNet scratch = net(places);
  add_random_transition(random, scratch, flavour.conserving);
  model::PetriTransition rule = scratch.transitions[0];
  if (!flavour.ordinary && random.one_in(flavour.conserving ? 10 : 2)) {
    rule.updates.clear();
    for (unsigned p = 0; p < places; ++p) {
      if (!random.one_in(2)) continue;
      const model::PlaceUpdate u = random_update(random, p, places);
      if (!is_identity(u)) rule.updates.push_back(u);
    }
  }
  if (flavour.upper_bounds && random.one_in(2)) {
    const Counter place(random.below(places));
    std::erase_if(rule.guard, [&](const CounterBound& bound) { return bound.counter == place; });
    const unsigned lower = random.below(2);
    rule.guard.push_back({place, lower, Integer(lower + random.below(2))});
    std::ranges::sort(rule.guard, {}, &CounterBound::counter);
  }
  return rule;
}

Region random_marking(Random& random, unsigned places, NetFlavour flavour) {
  if (flavour.conserving) {
    std::vector<unsigned> tokens(places, 0);
    for (unsigned i = random.between(1, 3); i > 0; --i) tokens[random.below(places)] += 1;
    return marking(tokens);
  }
  Region region;
  for (unsigned p = 0; p < places; ++p) {
    CounterBound bound{Counter(p), random.one_in(2) ? 0 : random.below(3), std::nullopt};
    if (!random.one_in(6)) bound.upper = bound.lower;
    region.bounds.push_back(bound);
  }
  return region;
}

model::Condition random_inequality(Random& random, unsigned places) {
  std::vector<model::WeightedPlace> terms;
  for (unsigned p = 0; p < places; ++p)
    if (const int weight = static_cast<int>(random.below(9)) - 4; weight >= -2 && weight <= 2)
      if (weight != 0) terms.push_back({Counter(p), weight});
  return model::Condition::at_least(std::move(terms), static_cast<int>(random.below(6)) - 2);
}

model::Condition random_condition(Random& random, unsigned places, unsigned depth) {
  if (depth == 0 || random.one_in(3)) return random_inequality(random, places);
  std::vector<model::Condition> parts;
  for (unsigned i = random.one_in(12) ? 0 : random.between(1, 3); i > 0; --i)
    parts.push_back(random_condition(random, places, depth - 1));
  return random.one_in(2) ? model::Condition::all(std::move(parts))
                          : model::Condition::any(std::move(parts));
}

Region random_net_target(Random& random, unsigned places, NetFlavour flavour) {
  Region region;
  for (unsigned p = 0; p < places; ++p) {
    if (p + 1 < places && !random.one_in(2)) continue;
    if (flavour.conserving && !random.one_in(3)) continue;
    if (flavour.conditions && !random.one_in(4)) continue;
    CounterBound bound{Counter(p), random.between(1, flavour.conserving ? 2 : 3), std::nullopt};
    if (flavour.upper_bounds && random.one_in(3)) bound.upper = bound.lower + random.below(2);
    region.bounds.push_back(bound);
  }
  if (flavour.conditions) region.condition = random_condition(random, places, 3);
  return region;
}

std::vector<model::WeightedPlace> random_claim(Random& random, unsigned places) {
  std::vector<model::WeightedPlace> weights;
  for (unsigned p = 0; p < places; ++p)
    if (random.one_in(2)) weights.push_back({Counter(p), random.between(1, 2)});
  return weights;
}

std::vector<model::WeightedPlace> all_ones(unsigned places) {
  std::vector<model::WeightedPlace> weights;
  for (unsigned p = 0; p < places; ++p) weights.push_back({Counter(p), 1});
  return weights;
}

}  // namespace

model::CountingTask random_thread_task(Random& random) {
  const Size size{random.between(1, 4), random.between(1, 5)};
  std::vector<model::ThreadTransition> edges(random.between(1, 12));
  for (auto& edge : edges) edge = random_edge(random, size);
  model::CountingTask out{thread_system(size.shared, size.local, edges), {}};
  for (unsigned i = random.one_in(5) ? 0 : 1; i < 2; ++i)
    out.question.initial.push_back(random_thread_initial(random, size));
  for (unsigned i = random.one_in(4) ? 0 : 1; i < 2; ++i)
    out.question.targets.push_back(random_thread_target(random, size));
  return out;
}

model::CountingTask random_net_task(Random& random, NetFlavour flavour) {
  const unsigned places = flavour.conserving ? random.between(3, 8) : random.between(1, 5);
  model::PetriNet out = net(places);
  const unsigned rules = flavour.conserving ? random.between(3, 10) : random.between(1, 6);
  for (unsigned i = 0; i < rules; ++i)
    out.transitions.push_back(random_rule(random, places, flavour));
  if (flavour.conserving) out.claimed_invariants.push_back(all_ones(places));
  if (random.one_in(3)) out.claimed_invariants.push_back(random_claim(random, places));
  std::vector<Region> targets;
  for (unsigned i = random.one_in(4) ? 0 : 1; i < 2; ++i)
    targets.push_back(random_net_target(random, places, flavour));
  return task(out, {random_marking(random, places, flavour)}, targets);
}

}  // namespace heddle::test
