#include "coverability/trace_builder.hpp"

#include <algorithm>
#include <optional>

#include "base/invariant.hpp"
#include "coverability/cover_predecessors.hpp"

namespace heddle::coverability {

namespace {

using base::Integer;
using model::Configuration;
using model::LocalState;
using model::PassiveFlow;
using model::StepKind;
using model::ThreadSystem;
using model::ThreadTransition;
using Draw = Redistributor<std::uint64_t>::Draw;

Configuration to_configuration(const Demand& demand) {
  Configuration result{model::SharedState(demand.control), {}};
  for (const auto& [counter, count] : demand.counts)
    result.counts.set(model::Counter(counter), count);
  return result;
}

Configuration smallest_initial(const model::CountingQuestion& question, const Demand& demand) {
  std::optional<Configuration> best;
  for (const auto& region : question.initial) {
    auto found = model::least_initial_covering(region, to_configuration(demand));
    if (found && (!best || found->counts.total() < best->counts.total())) best = std::move(found);
  }
  HEDDLE_INVARIANT(best.has_value(), "the first demand of a path should be met initially");
  return *best;
}

/// Flows that send the draws where they are wanted and everyone else to the first target.
std::vector<PassiveFlow> flows_from(const ThreadTransition& t, const Configuration& now,
                                    std::span<const Draw> draws) {
  std::vector<PassiveFlow> flows;
  for (std::size_t i = 0; i < t.passive.size(); ++i) {
    const LocalState source = t.passive[i].from;
    if (i > 0 && t.passive[i - 1].from == source) continue;
    const auto targets = model::passive_targets(t, source);
    if (targets.size() == 1) continue;
    Integer left = now.counts[source] - (t.source.local == source ? 1 : 0);
    const std::size_t first = flows.size();
    for (const LocalState target : targets) {
      Integer wanted = 0;
      for (const Draw& draw : draws)
        if (draw.from == source.value && draw.to == target.value) wanted += draw.amount;
      left -= wanted;
      flows.push_back({source, target, wanted});
    }
    flows[first].count += left;
  }
  return flows;
}

/// How the passive threads must choose so that the step meets the demand.
std::vector<PassiveFlow> choose_flows(const ThreadSystem& system, const Transition& compiled,
                                      const Configuration& now, const Demand& after) {
  const ThreadTransition& t = system.transitions[compiled.id];
  const PackedLayout<std::uint64_t> layout(system.local_count);
  std::vector<std::uint64_t> demand;
  for (const auto& [counter, count] : after.counts) demand.push_back(layout.pack(counter, count));
  Redistributor<std::uint64_t> redistributor(layout, system.local_count);
  std::optional<std::vector<PassiveFlow>> flows;
  redistributor.enumerate(compiled, demand, [&](std::span<const std::uint64_t> p, auto draws) {
    const bool met = std::ranges::all_of(p, [&](std::uint64_t word) {
      return now.counts[model::Counter(layout.counter(word))] >= layout.count(word);
    });
    if (met) flows = flows_from(t, now, draws);
    return !met;
  });
  HEDDLE_INVARIANT(flows.has_value(), "some split of the demand should be met");
  return *flows;
}

bool needs_flows(const ThreadTransition& t) {
  return std::ranges::adjacent_find(t.passive, {}, &model::PassiveMove::from) != t.passive.end();
}

std::vector<model::PassiveFlow> flows_for(const model::PetriNet&, const Transition&,
                                          const Configuration&, const Demand&) {
  return {};
}

std::vector<model::PassiveFlow> flows_for(const ThreadSystem& system, const Transition& t,
                                          const Configuration& now, const Demand& after) {
  if (!needs_flows(system.transitions[t.id])) return {};
  return choose_flows(system, t, now, after);
}

std::expected<Configuration, std::string> take_step(const model::CountingTask& task,
                                                    const Transition& t, const Configuration& now,
                                                    const Demand& after, answer::TraceStep& step) {
  step.transition = model::TransitionId(t.id);
  step.flows =
      std::visit([&](const auto& model) { return flows_for(model, t, now, after); }, task.model);
  return model::step(task.model, now, step.transition, step.flows);
}

}  // namespace

answer::Trace build_trace(const model::CountingTask& task, const CounterSystem& system,
                          const DemandPath& path) {
  answer::Trace trace{smallest_initial(task.question, path.first), {}};
  Configuration now = trace.initial;
  for (const auto& [index, after] : path.steps) {
    answer::TraceStep step;
    auto next = take_step(task, system.transitions[index], now, after, step);
    HEDDLE_INVARIANT(next.has_value(), "a step of a demand path should be enabled");
    HEDDLE_INVARIANT(next->covers(to_configuration(after)),
                     "a step should meet the demand after it");
    now = std::move(*next);
    trace.blocks.push_back({1, {std::move(step)}});
  }
  return trace;
}

}  // namespace heddle::coverability
