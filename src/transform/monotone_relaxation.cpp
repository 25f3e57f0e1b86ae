#include "transform/monotone_relaxation.hpp"

#include <algorithm>
#include <expected>
#include <optional>

#include "base/invariant.hpp"
#include "transform/rule_name.hpp"

/// Where a guard wants exactly k tokens in a place, the relaxed step wants at least k, removes the
/// others and goes on with k: where the guard holds, that is the same step. Other upper bounds are
/// dropped.
///
/// The relaxed net has every step and every target of the original one. A set that is closed under
/// the relaxed net's predecessors is therefore closed under the original's, and contains its
/// targets: SAFE needs no translation. UNSAFE does: its trace is replayed with the original's step
/// function, upper bounds included.
///
/// A block that is run R times has a constant effect, so before each of its steps every counter is
/// a linear function of the round, and a linear function that respects lower and upper bounds in
/// the first and in the last round respects them in between. Hence a replay of two rounds decides
/// about all of them, however large R is.

namespace heddle::transform {

namespace {

using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;
using model::CounterBound;

/// The configuration after, or why there is none.
using Replayed = std::expected<Configuration, std::string>;

bool has_upper(const CounterBound& bound) { return bound.upper.has_value(); }

template <class Model>
std::string in_words(const Model& model, const CounterBound& bound) {
  const std::string name = model::counter_name(model, bound.counter);
  const std::string lower = base::to_string(bound.lower);
  const std::string upper = base::to_string(*bound.upper);
  if (bound.lower == *bound.upper) return name + " = " + lower;
  return name + " in [" + lower + ", " + upper + "]";
}

/// Removes the upper bounds, and the lower bounds that then say nothing.
void drop_upper_bounds(std::vector<CounterBound>& bounds) {
  for (CounterBound& bound : bounds) bound.upper.reset();
  std::erase_if(bounds, [](const CounterBound& bound) { return bound.lower == 0; });
}

template <class Model>
void relax(const Model& model, std::vector<CounterBound>& bounds, const std::string& owner,
           std::vector<std::string>& dropped) {
  if (std::ranges::none_of(bounds, has_upper)) return;
  for (const CounterBound& bound : bounds)
    if (has_upper(bound)) dropped.push_back(owner + ": " + in_words(model, bound));
  drop_upper_bounds(bounds);
}

/// The step with k tokens in the place, whatever was there. Nothing if it could not be taken.
std::optional<model::PetriTransition> with_tokens(model::PetriTransition t, model::PlaceId place,
                                                  const Integer& k) {
  for (model::PlaceUpdate& update : t.updates) {
    const auto it = std::ranges::find(update.sources, place, &model::WeightedPlace::place);
    if (it == update.sources.end()) continue;
    update.constant += it->weight * k;
    update.sources.erase(it);
    if (update.sources.empty() && update.constant < 0) return std::nullopt;
  }
  const auto at = std::ranges::lower_bound(t.updates, place, {}, &model::PlaceUpdate::place);
  if (at == t.updates.end() || at->place != place) t.updates.insert(at, {place, {}, k});
  return t;
}

void fix_exact_tokens(model::PetriTransition& t) {
  for (const CounterBound& bound : t.guard)
    if (bound.upper == bound.lower)
      if (auto fixed = with_tokens(t, bound.counter, bound.lower)) t.updates = fixed->updates;
}

Replayed replay_round(const model::CountingModel& model, Configuration at,
                      const TraceBlock& block) {
  for (const TraceStep& step : block.body) {
    Replayed after = model::step(model, at, step.transition, step.flows);
    if (!after) return after;
    at = std::move(*after);
  }
  return at;
}

Replayed replay_block(const model::CountingModel& model, const Configuration& from,
                      const TraceBlock& block) {
  if (block.repetitions == 0) return from;
  Replayed first = replay_round(model, from, block);
  if (!first || block.repetitions == 1) return first;
  for (const TraceStep& step : block.body) {
    HEDDLE_INVARIANT(model::has_constant_effect(model, step.transition),
                     "a repeated step should have a constant effect");
  }
  const auto before_last = model::extrapolate(from, *first, block.repetitions - 1);
  if (!before_last) return std::unexpected("a block is repeated more often than it can run");
  return replay_round(model, *before_last, block);
}

/// Empty if the trace is one of the task, otherwise why it is not.
std::string why_not_a_trace_of(const model::CountingTask& task, const answer::Trace& trace) {
  Configuration at = trace.initial;
  for (const TraceBlock& block : trace.blocks) {
    Replayed after = replay_block(task.model, at, block);
    if (!after) return after.error();
    at = std::move(*after);
  }
  const bool in_target = std::ranges::any_of(task.question.targets, [&](const auto& target) {
    return model::target_region_contains(target, at);
  });
  return in_target
             ? ""
             : "its last configuration exceeds the target's upper bounds or violates its condition";
}

bool has_monotone_steps(const model::ThreadSystem&) { return true; }
bool has_monotone_steps(const model::PetriNet& net) {
  return std::ranges::all_of(net.transitions, model::is_monotone);
}

void relax_steps(model::ThreadSystem&, std::vector<std::string>&) {}
void relax_steps(model::PetriNet& net, std::vector<std::string>& dropped) {
  for (std::size_t i = 0; i < net.transitions.size(); ++i) {
    model::PetriTransition& rule = net.transitions[i];
    fix_exact_tokens(rule);
    relax(net, rule.guard, rule_name(rule, i), dropped);
  }
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : "; ") + item;
  return out;
}

}  // namespace

bool needs_monotone_relaxation(const model::CountingTask& task) {
  return !std::visit([](const auto& model) { return has_monotone_steps(model); }, task.model) ||
         !std::ranges::all_of(task.question.targets, model::is_upward_closed);
}

MonotoneRelaxation relax_to_monotone(const model::CountingTask& task) {
  MonotoneRelaxation relaxation{task, {}};
  std::visit([&](auto& model) { relax_steps(model, relaxation.dropped); },
             relaxation.relaxed.model);
  auto& targets = relaxation.relaxed.question.targets;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::string owner = "target " + std::to_string(i + 1);
    relax(task.model, targets[i].bounds, owner, relaxation.dropped);
    if (targets[i].condition.is_true()) continue;
    model::Region beyond;
    std::swap(beyond.condition, targets[i].condition);
    relaxation.dropped.push_back(owner + ": " + model::target_to_string(task.model, beyond));
  }
  return relaxation;
}

answer::Verdict translate_back(const model::CountingTask& original,
                               const MonotoneRelaxation& relaxation,
                               const answer::Verdict& verdict) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
  if (!unsafe || relaxation.dropped.empty()) return verdict;
  const std::string why = why_not_a_trace_of(original, std::get<answer::Trace>(unsafe->trace));
  if (why.empty()) return verdict;
  return answer::Unknown{answer::UnknownReason::NotMonotone,
                         "the trace found is not one of the original net (dropped: " +
                             joined(relaxation.dropped) + "): " + why};
}

}  // namespace heddle::transform
