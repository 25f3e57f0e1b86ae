#include "coverability/thread_family.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/invariant.hpp"

namespace heddle::coverability {

namespace {

using model::StepKind;
using model::ThreadTransition;

std::vector<PassiveStep> passive_steps(const ThreadTransition& t) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> targets;
  for (const auto& [from, to] : t.passive) targets[from.value].push_back(to.value);
  if (t.kind == StepKind::Transfer) targets[t.source.local.value].push_back(t.target.local.value);
  std::vector<PassiveStep> result;
  for (auto& [from, to] : targets) result.push_back({from, std::move(to)});
  return result;
}

const std::vector<PassiveStep> kNobodyMoves;

std::vector<PassiveStep> passive_steps(const model::PetriTransition&) { return kNobodyMoves; }

std::int64_t gain(const Transition& t) {
  std::int64_t sum = 0;
  for (const Touched& touched : t.touched)
    sum += static_cast<std::int64_t>(touched.give) - static_cast<std::int64_t>(touched.take);
  return t.ordinary() ? sum : 0;  // passive moves keep the number of threads
}

bool needs_pool(const CounterSystem& system) {
  return std::ranges::any_of(system.transitions, [](const Transition& t) { return gain(t) != 0; });
}

/// The active part of a transition. What a redistribution receives besides passive threads is the
/// active thread.
void add_active_part(const Transition& t, FamilyTransition& result) {
  for (const Touched& touched : t.touched) {
    if (touched.take > 0) result.take.emplace_back(touched.counter, touched.take);
    if (touched.give > 0) result.give.emplace_back(touched.counter, touched.give);
  }
  for (const Redistribution& r : t.redistributed)
    if (r.constant > 0) result.give.emplace_back(r.counter, static_cast<Count>(r.constant));
  std::ranges::sort(result.give);
}

/// Local states whose passive threads some transition moves.
std::set<std::uint32_t> passive_sources(const std::vector<FamilyTransition>& transitions) {
  std::set<std::uint32_t> sources;
  for (const FamilyTransition& t : transitions)
    for (const PassiveStep& step : t.passive) sources.insert(step.from);
  return sources;
}

Count machine_count(const base::Integer& value) {
  return base::to_uint32(value).value_or(kUnbounded);
}

FamilyStart make_start(const model::Region& region, const std::set<std::uint32_t>& moved) {
  FamilyStart start{region.shared.value, {}, {}};
  for (const model::CounterBound& bound : region.bounds) {
    const std::uint32_t counter = bound.counter.value;
    const Count lower = machine_count(bound.lower);
    const bool open = !bound.upper && !moved.contains(counter);
    if (open) start.open.push_back(counter);
    const Count upper = open ? lower : bound.upper ? machine_count(*bound.upper) : kUnbounded;
    if (upper > 0) start.ranges.push_back({counter, lower, upper});
  }
  return start;
}

}  // namespace

std::optional<std::string> why_no_family(const model::ThreadSystem&) { return std::nullopt; }

std::optional<std::string> why_no_family(const model::PetriNet& net) {
  for (std::size_t i = 0; i < net.transitions.size(); ++i) {
    const model::PetriTransition& t = net.transitions[i];
    if (std::ranges::all_of(t.updates, &model::PlaceUpdate::is_shift)) continue;
    return "transition " + (t.name.empty() ? std::to_string(i) : t.name) +
           " moves, copies or drops all tokens of a place: the net has no thread count of its own";
  }
  return std::nullopt;
}

std::optional<std::string> why_no_family(const model::CountingModel& model) {
  return std::visit([](const auto& which) { return why_no_family(which); }, model);
}

CounterSystem with_pool(CounterSystem system) {
  if (!needs_pool(system)) return system;
  const std::uint32_t pool = system.counters++;
  for (Transition& t : system.transitions) {
    const std::int64_t more = gain(t);
    if (more > 0) t.touched.push_back({pool, static_cast<Count>(more), 0});
    if (more < 0) t.touched.push_back({pool, 0, static_cast<Count>(-more)});
  }
  for (InitialBox& box : system.initial) box.upper.emplace_back(pool, kUnbounded);
  return system;
}

std::expected<ThreadFamily, std::string> thread_family(const model::CountingTask& task) {
  auto compiled = compile(task);
  if (!compiled) return std::unexpected(std::move(compiled.error()));
  const std::uint32_t locals = compiled->counters;
  const CounterSystem system = with_pool(std::move(*compiled));
  ThreadFamily family{system.controls, system.counters, {}, {}, {}, system.targets};
  if (system.counters > locals) family.pool = locals;
  std::visit(
      [&](const auto& m) {
        for (std::size_t i = 0; i < system.transitions.size(); ++i) {
          const Transition& t = system.transitions[i];
          FamilyTransition next{t.id, t.from, t.to, {}, {}, passive_steps(m.transitions[i])};
          add_active_part(t, next);
          family.transitions.push_back(std::move(next));
        }
      },
      task.model);
  const auto moved = passive_sources(family.transitions);
  for (const model::Region& region : task.question.initial) {
    family.starts.push_back(make_start(region, moved));
    if (family.pool) family.starts.back().open.push_back(*family.pool);
  }
  return family;
}

}  // namespace heddle::coverability
