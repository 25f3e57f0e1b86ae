#include "coverability/counter_system.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/invariant.hpp"

namespace heddle::coverability {

namespace {

using base::Integer;
using model::PetriNet;
using model::PetriTransition;
using model::StepKind;
using model::ThreadSystem;
using model::ThreadTransition;

/// Thrown and caught within `compile` only.
struct TooLarge {
  std::string what;
};

Count narrow(const Integer& value, const std::string& where) {
  const auto word = base::to_uint32(value);
  if (!word || *word == kUnbounded)
    throw TooLarge{where + ": " + base::to_string(value) + " does not fit a machine counter"};
  return *word;
}

// ---------------------------------------------------------------- thread systems

std::vector<Redistribution> passive_redistribution(const ThreadTransition& t) {
  std::vector<model::PassiveMove> moves = t.passive;
  if (t.kind == StepKind::Transfer) moves = {{t.source.local, t.target.local}};
  std::set<std::uint32_t> movers;
  std::map<std::uint32_t, std::set<std::uint32_t>> sources;  // of every counter that is affected
  for (const auto& move : moves) {
    movers.insert(move.from.value);
    sources[move.from.value];
    sources[move.to.value].insert(move.from.value);
  }
  std::vector<Redistribution> result;
  for (auto& [counter, from] : sources) {
    if (!movers.contains(counter)) from.insert(counter);  // who does not have to move stays
    Redistribution r{counter, 0, {}};
    for (const std::uint32_t source : from) r.sources.push_back({source, 1});
    result.push_back(std::move(r));
  }
  return result;
}

void touch(std::map<std::uint32_t, Touched>& touched, std::uint32_t counter, Count take,
           Count give) {
  Touched& entry = touched.try_emplace(counter, Touched{counter, 0, 0}).first->second;
  entry.take += take;
  entry.give += give;
}

Transition compile_transition(std::uint32_t id, const ThreadTransition& t) {
  Transition result{id, t.source.shared.value, t.target.shared.value, {}, {}, Sharing::Divide, {}};
  result.redistributed = passive_redistribution(t);
  std::map<std::uint32_t, Touched> touched;
  if (t.kind != StepKind::Transfer) touch(touched, t.source.local.value, 1, 0);
  if (t.kind == StepKind::Spawn) touch(touched, t.source.local.value, 0, 1);
  if (t.kind != StepKind::Transfer) touch(touched, t.target.local.value, 0, 1);
  for (Redistribution& r : result.redistributed) {
    const auto it = touched.find(r.counter);
    if (it == touched.end()) continue;
    // The active thread arrives apart from the redistribution; where it leaves from, the
    // predecessor needs one thread more than the passive ones (see below: `take` alone remains).
    r.constant = it->second.give;
    it->second.give = 0;
    if (it->second.take == 0) touched.erase(it);
  }
  for (const auto& [counter, entry] : touched) result.touched.push_back(entry);
  return result;
}

// ---------------------------------------------------------------- Petri nets

std::string place_of_rule(std::uint32_t id, const PetriTransition& t) {
  std::string text = "transition " + (t.name.empty() ? std::to_string(id) : t.name);
  if (t.line > 0) text += " (line " + std::to_string(t.line) + ")";
  return text;
}

Redistribution compile_update(const model::PlaceUpdate& update, const std::string& where) {
  Redistribution r{update.place.value, 0, {}};
  const Integer magnitude = abs(update.constant);
  r.constant = narrow(magnitude, where);
  if (update.constant < 0) r.constant = -r.constant;
  for (const auto& [place, weight] : update.sources)
    r.sources.push_back({place.value, narrow(weight, where)});
  return r;
}

Transition compile_transition(std::uint32_t id, const PetriTransition& t) {
  HEDDLE_INVARIANT(model::is_monotone(t), "a compiled net should be monotone");
  const std::string where = place_of_rule(id, t);
  Transition result{id, 0, 0, {}, {}, Sharing::Copy, {}};
  std::map<std::uint32_t, Integer> guard;
  for (const auto& bound : t.guard) guard[bound.counter.value] = bound.lower;
  std::map<std::uint32_t, Touched> touched;
  for (const auto& update : t.updates) {
    const std::uint32_t place = update.place.value;
    if (!update.is_shift()) {
      result.redistributed.push_back(compile_update(update, where));
      if (guard.contains(place)) result.floor.emplace_back(place, narrow(guard[place], where));
      guard.erase(place);
      continue;
    }
    // Enabled only if the result is not negative, whatever the guard says.
    const Integer take = std::max<Integer>(guard[place], -update.constant);
    const Integer give = take + update.constant;
    guard.erase(place);
    touched[place] = {place, narrow(take, where), narrow(give, where)};
  }
  for (const auto& [place, lower] : guard)
    touched[place] = {place, narrow(lower, where), narrow(lower, where)};
  for (const auto& [place, entry] : touched) result.touched.push_back(entry);
  return result;
}

// ---------------------------------------------------------------- questions

InitialBox compile_initial(const model::Region& region) {
  InitialBox box{region.shared.value, {}};
  for (const auto& bound : region.bounds) {
    // A demand never reaches kUnbounded, so a larger upper bound may be read as none.
    const auto upper = bound.upper ? base::to_uint32(*bound.upper) : std::nullopt;
    box.upper.emplace_back(bound.counter.value, upper.value_or(kUnbounded));
  }
  return box;
}

Demand compile_target(const model::Region& region) {
  HEDDLE_INVARIANT(model::is_upward_closed(region), "a compiled target should be upward closed");
  Demand demand{region.shared.value, {}};
  for (const auto& bound : region.bounds)
    if (bound.lower > 0)
      demand.counts.emplace_back(bound.counter.value, narrow(bound.lower, "target"));
  return demand;
}

}  // namespace

std::expected<CounterSystem, std::string> compile(const model::CountingTask& task) try {
  CounterSystem system;
  system.controls = static_cast<std::uint32_t>(model::shared_count(task.model));
  system.counters = static_cast<std::uint32_t>(model::counter_count(task.model));
  std::visit(
      [&](const auto& m) {
        std::uint32_t id = 0;
        for (const auto& t : m.transitions)
          system.transitions.push_back(compile_transition(id++, t));
      },
      task.model);
  for (const auto& region : task.question.initial)
    system.initial.push_back(compile_initial(region));
  for (const auto& region : task.question.targets) system.targets.push_back(compile_target(region));
  return system;
} catch (const TooLarge& error) {
  return std::unexpected(error.what);
}

}  // namespace heddle::coverability
