#include "engine/cutoff/witness.hpp"

#include <algorithm>
#include <optional>

#include "base/invariant.hpp"

namespace heddle::engine::cutoff {

namespace {

using answer::TraceStep;
using coverability::CounterCount;
using coverability::ForwardSearch;
using coverability::ForwardState;
using coverability::ForwardStep;
using coverability::StateRef;
using coverability::ThreadFamily;
using model::Configuration;

model::Counts without_pool(const ThreadFamily& family, const std::vector<CounterCount>& counts) {
  model::Counts result;
  for (const auto& [counter, count] : counts)
    if (!family.is_pool(counter)) result.add(model::Counter(counter), count);
  return result;
}

Configuration configuration(const ThreadFamily& family, const ForwardState& state) {
  return {model::SharedState(state.control), without_pool(family, state.counts)};
}

void add(model::Counts& to, const model::Counts& more) {
  for (const auto& [counter, count] : more.entries()) to.add(counter, count);
}

/// The choices of passive threads with which the step leads from `before` to `after`.
std::vector<model::PassiveFlow> flows_between(const model::PetriNet&, model::TransitionId,
                                              const Configuration&, const Configuration&) {
  return {};
}

std::vector<model::PassiveFlow> flows_between(const model::ThreadSystem& system,
                                              model::TransitionId id, const Configuration& before,
                                              const Configuration& after) {
  if (system.transitions[id.index()].passive.empty()) return {};
  std::optional<std::vector<model::PassiveFlow>> found;
  model::for_each_flow(system, before, id, [&](const std::vector<model::PassiveFlow>& flows) {
    if (!found && model::step(system, before, id, flows) == after) found = flows;
  });
  HEDDLE_INVARIANT(found, "some choice of the passive threads should lead to the next state");
  return std::move(*found);
}

TraceStep step_between(const model::CountingModel& model, model::TransitionId id,
                       const Configuration& before, const Configuration& after) {
  auto flows =
      std::visit([&](const auto& which) { return flows_between(which, id, before, after); }, model);
  return {id, std::move(flows), std::nullopt, {}};
}

TraceStep to_trace_step(const model::CountingModel& model, const ThreadFamily& family,
                        const ForwardState& before, const ForwardStep& step,
                        const ForwardState& after) {
  Configuration from = configuration(family, before);
  add(from.counts, without_pool(family, step.births));
  return step_between(model, model::TransitionId(family.transitions[step.transition].id), from,
                      configuration(family, after));
}

}  // namespace

answer::Trace forward_trace(const model::CountingTask& task, const ThreadFamily& family,
                            const ForwardSearch& forward, const coverability::FoundTarget& target) {
  answer::Trace trace;
  model::Counts births = without_pool(family, target.births);
  StateRef at = target.where;
  // Idle threads in open counters take no part in a step, so births do not change its choices.
  while (const auto step = forward.step_to(at)) {
    const StateRef before{at.group, step->parent};
    trace.blocks.push_back(
        {1, {to_trace_step(task.model, family, forward.state(before), *step, forward.state(at))}});
    add(births, without_pool(family, step->births));
    at = before;
  }
  std::ranges::reverse(trace.blocks);
  trace.initial = configuration(family, forward.state(at));
  add(trace.initial.counts, births);
  return trace;
}

std::uint32_t WitnessForest::append(answer::WitnessNode node) {
  nodes_.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t WitnessForest::node_of(const StateRef& ref) {
  std::vector<std::pair<StateRef, ForwardStep>> way;  // from `ref` down to what is known
  StateRef at = ref;
  while (!known_.contains(at)) {
    auto step = forward_.step_to(at);
    if (!step) break;
    const StateRef before{at.group, step->parent};
    way.emplace_back(at, std::move(*step));
    at = before;
  }
  if (!known_.contains(at))
    known_[at] =
        append({std::nullopt, configuration(family_, forward_.state(at)), {}, std::nullopt});
  std::uint32_t node = known_[at];
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    const auto& [state, step] = *it;
    const ForwardState before = forward_.state({state.group, step.parent});
    node = append({node,
                   {},
                   without_pool(family_, step.births),
                   to_trace_step(task_.model, family_, before, step, forward_.state(state))});
    known_[state] = node;
  }
  return node;
}

std::uint32_t WitnessForest::add(const coverability::FoundThreadState& state) {
  const std::uint32_t node = node_of(state.where);
  if (!state.is_birth) return node;
  return append({node, {}, {{model::Counter(state.counter), 1}}, std::nullopt});
}

std::uint32_t WitnessForest::add(const answer::Trace& trace) {
  std::uint32_t node = append({std::nullopt, trace.initial, {}, std::nullopt});
  for (const answer::TraceBlock& block : trace.blocks)
    for (const TraceStep& step : block.body) node = append({node, {}, {}, step});
  return node;
}

}  // namespace heddle::engine::cutoff
