#include "unit/check/random_models.hpp"

#include <algorithm>
#include <set>

namespace heddle::check {

using model::LocalState;
using model::SharedState;

// Not std::uniform_int_distribution: its results differ between standard libraries.
std::uint32_t below(std::uint32_t n, std::mt19937& random) {
  return static_cast<std::uint32_t>(random() % n);
}

namespace {

model::ThreadTransition random_transition(const model::ThreadSystem& system, std::mt19937& random) {
  const auto shared = [&] { return SharedState(below(system.shared_count, random)); };
  const auto local = [&] { return LocalState(below(system.local_count, random)); };
  model::ThreadTransition t;
  t.source = {shared(), local()};
  t.target = {shared(), local()};
  const std::uint32_t dice = below(8, random);
  if (dice == 0) t.kind = model::StepKind::Spawn;
  if (dice == 1) t.kind = model::StepKind::Transfer;
  if (dice >= 5) {
    std::set<model::PassiveMove> moves;
    for (std::uint32_t i = 0; i < 1 + below(4, random); ++i) moves.insert({local(), local()});
    t.passive.assign(moves.begin(), moves.end());
  }
  return t;
}

model::PlaceUpdate random_update(model::PlaceId place, std::uint32_t places, std::mt19937& random) {
  model::PlaceUpdate update{place, {}, static_cast<int>(below(5, random)) - 2};
  if (below(2, random) == 0) {
    update.sources = {{place, 1}};
    return update;
  }
  for (std::uint32_t p = 0; p < places; ++p)
    if (below(2, random) == 0) update.sources.push_back({model::PlaceId(p), 1 + below(3, random)});
  return update;
}

}  // namespace

model::ThreadSystem random_system(std::mt19937& random) {
  model::ThreadSystem system;
  system.shared_count = 1 + below(3, random);
  system.local_count = 1 + below(3, random);
  for (std::uint32_t i = 0; i < 1 + below(6, random); ++i)
    system.transitions.push_back(random_transition(system, random));
  return system;
}

model::PetriNet random_net(std::mt19937& random) {
  model::PetriNet net;
  const std::uint32_t places = 1 + below(4, random);
  for (std::uint32_t p = 0; p < places; ++p) net.places.push_back("p" + std::to_string(p));
  for (std::uint32_t i = 0; i < 1 + below(5, random); ++i) {
    model::PetriTransition t;
    for (std::uint32_t p = 0; p < places; ++p) {
      if (below(3, random) == 0)
        t.guard.push_back({model::PlaceId(p), 1 + below(2, random), std::nullopt});
      if (below(3, random) == 0)
        t.updates.push_back(random_update(model::PlaceId(p), places, random));
    }
    net.transitions.push_back(std::move(t));
  }
  return net;
}

model::Configuration random_configuration(const model::CountingModel& model, unsigned most,
                                          std::mt19937& random) {
  model::Configuration c{
      SharedState(below(static_cast<std::uint32_t>(model::shared_count(model)), random)), {}};
  for (std::uint32_t i = 0; i < model::counter_count(model); ++i)
    if (below(3, random) != 0) c.counts.set(model::Counter(i), below(most + 1, random));
  return c;
}

}  // namespace heddle::check
