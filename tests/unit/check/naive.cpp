#include "unit/check/naive.hpp"

#include <algorithm>
#include <map>

namespace heddle::check::naive {

using answer::TraceStep;
using base::Integer;
using model::Configuration;

std::vector<Configuration> box(const model::CountingModel& model, unsigned most) {
  std::vector<Configuration> all;
  for (std::uint32_t s = 0; s < model::shared_count(model); ++s)
    all.push_back({model::SharedState(s), {}});
  for (std::uint32_t c = 0; c < model::counter_count(model); ++c) {
    const std::size_t known = all.size();
    for (std::size_t i = 0; i < known; ++i)
      for (unsigned n = 1; n <= most; ++n) {
        all.push_back(all[i]);
        all.back().counts.set(model::Counter(c), n);
      }
  }
  return all;
}

std::vector<Configuration> successors(const model::CountingModel& model, const Configuration& from,
                                      model::TransitionId transition) {
  std::vector<Configuration> found;
  if (const auto* net = std::get_if<model::PetriNet>(&model)) {
    if (auto next = model::step(*net, from, transition)) found.push_back(*next);
    return found;
  }
  const auto& system = std::get<model::ThreadSystem>(model);
  model::for_each_flow(system, from, transition, [&](const std::vector<model::PassiveFlow>& flows) {
    if (auto next = model::step(system, from, transition, flows)) found.push_back(*next);
  });
  return found;
}

bool in_upward_closure(const std::vector<Configuration>& basis,
                       const Configuration& configuration) {
  return std::ranges::any_of(basis, [&](const auto& m) { return configuration.covers(m); });
}

namespace {

bool is_initial(const model::CountingTask& task, const Configuration& c) {
  return std::ranges::any_of(task.question.initial, [&](const model::Region& region) {
    return model::initial_region_contains(region, c);
  });
}

bool is_target(const model::CountingTask& task, const Configuration& c) {
  return std::ranges::any_of(task.question.targets, [&](const model::Region& region) {
    return model::target_region_contains(region, c);
  });
}

/// A block that can be run this often can be run any number of times, if all other numbers are
/// small: a repetition that takes something away for good would have used it up by then.
constexpr unsigned kEnoughRepetitions = 1000;

/// One thread after the other, as in a log. Names are only followed while every step has them.
struct Log {
  std::vector<std::uint32_t> local_of;
  bool names_allowed = true;

  Log(const Configuration& initial, bool is_named) : names_allowed(is_named) {
    if (!is_named) return;
    for (const auto& [local, count] : initial.counts.entries())
      for (Integer i = 0; i < count; ++i) local_of.push_back(local.value);
  }

  bool take(const model::ThreadTransition& t, const TraceStep& step) {
    const bool named = step.thread || !step.chosen.empty();
    if (!names_allowed) return !named;
    const bool transfer = t.kind == model::StepKind::Transfer;
    if (!named && !transfer) {
      names_allowed = false;
      return true;
    }
    if (step.thread.has_value() == transfer) return false;
    if (step.thread && (step.thread->index() >= local_of.size() ||
                        local_of[step.thread->index()] != t.source.local.value))
      return false;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Integer> balance;  // flows minus moves
    for (const model::PassiveFlow& flow : step.flows)
      balance[{flow.from.value, flow.to.value}] += flow.count;
    std::size_t used = 0;
    std::vector<std::uint32_t> next = local_of;
    for (std::size_t i = 0; i < local_of.size(); ++i) {
      if (step.thread && step.thread->index() == i) continue;
      const auto targets = model::passive_targets(t, model::LocalState(local_of[i]));
      next[i] = targets.front().value;
      if (targets.size() == 1) continue;
      const auto is_mine = [&](const answer::NamedMove& move) { return move.thread.index() == i; };
      if (std::ranges::count_if(step.chosen, is_mine) != 1) return false;
      const model::LocalState to = std::ranges::find_if(step.chosen, is_mine)->to;
      if (std::ranges::find(targets, to) == targets.end()) return false;
      next[i] = to.value;
      balance[{local_of[i], to.value}] -= 1;
      ++used;
    }
    for (const auto& [way, difference] : balance)
      if (difference != 0 && model::passive_targets(t, model::LocalState(way.first)).size() > 1)
        return false;
    if (used != step.chosen.size()) return false;
    local_of = next;
    if (t.kind == model::StepKind::Move) local_of[step.thread->index()] = t.target.local.value;
    if (t.kind == model::StepKind::Spawn) local_of.push_back(t.target.local.value);
    return true;
  }
};

bool take(const model::CountingTask& task, const TraceStep& step, Configuration& current,
          Log& log) {
  if (step.transition.index() >= model::transition_count(task.model)) return false;
  if (const auto* net = std::get_if<model::PetriNet>(&task.model)) {
    if (step.thread || !step.chosen.empty() || !step.flows.empty()) return false;
    const auto next = model::step(*net, current, step.transition);
    if (next) current = *next;
    return next.has_value();
  }
  const auto& system = std::get<model::ThreadSystem>(task.model);
  const auto next = model::step(system, current, step.transition, step.flows);
  if (!next) return false;
  current = *next;
  return log.take(system.transitions[step.transition.index()], step);
}

bool satisfies(const Configuration& c, const answer::LinearInvariant& invariant) {
  Integer sum = 0;
  for (const auto& [counter, weight] : invariant.weights) sum += weight * c.counts[counter];
  return invariant.relation == answer::LinearInvariant::Relation::Equal ? sum == invariant.bound
                                                                        : sum <= invariant.bound;
}

bool satisfies(const Configuration& c, const answer::ClosedThreadStates& closed) {
  const auto is_listed = [&](const auto& entry) {
    return std::ranges::find(closed.states, model::ThreadState{c.shared, entry.first}) !=
           closed.states.end();
  };
  return std::ranges::find(closed.shared, c.shared) != closed.shared.end() &&
         std::ranges::all_of(c.counts.entries(), is_listed);
}

bool satisfies(const Configuration& c, const answer::ConcurrentPlaces& places) {
  const auto& entries = c.counts.entries();
  const auto may_be = [&](model::PlaceId a, model::PlaceId b) {
    return std::ranges::find(places.together, std::pair(std::min(a, b), std::max(a, b))) !=
           places.together.end();
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [place, count] = entries[i];
    if (std::ranges::find(places.markable, place) == places.markable.end()) return false;
    if (count >= 2 && !may_be(place, place)) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (!may_be(entries[j].first, place)) return false;
  }
  return true;
}

bool satisfies(const Configuration& c, const answer::Invariant& invariant) {
  return std::visit([&](const auto& which) { return satisfies(c, which); }, invariant);
}

bool satisfies_all(const Configuration& c, const std::vector<answer::Invariant>& invariants) {
  return std::ranges::all_of(invariants, [&](const auto& which) { return satisfies(c, which); });
}

std::vector<Configuration> all_successors(const model::CountingTask& task, const Configuration& c) {
  std::vector<Configuration> all;
  for (std::size_t t = 0; t < model::transition_count(task.model); ++t)
    for (Configuration& next : successors(task.model, c, model::TransitionId(t)))
      all.push_back(std::move(next));
  return all;
}

}  // namespace

bool is_valid_trace(const model::CountingTask& task, const answer::Trace& trace) {
  Configuration current = trace.initial;
  if (!is_initial(task, current)) return false;
  const auto named = [](const TraceStep& step) { return step.thread || !step.chosen.empty(); };
  const auto names_some = [&](const answer::TraceBlock& block) {
    return std::ranges::any_of(block.body, named);
  };
  Log log(current, std::ranges::any_of(trace.blocks, names_some));
  for (const answer::TraceBlock& block : trace.blocks) {
    if (block.repetitions != 1) {
      if (names_some(block)) return false;
      log.names_allowed = false;
    }
    for (Integer i = 0; i < block.repetitions && i < kEnoughRepetitions; ++i)
      for (const TraceStep& step : block.body)
        if (!take(task, step, current, log)) return false;
  }
  return is_target(task, current);
}

bool is_valid_basis(const model::CountingTask& task, const answer::BackwardBasis& basis,
                    unsigned most) {
  for (const Configuration& c : box(task.model, most)) {
    const bool possible = satisfies_all(c, basis.relative_to);
    const bool inside = in_upward_closure(basis.minimal, c);
    if (is_initial(task, c) && (inside || !possible)) return false;
    if (!possible) continue;
    if (is_target(task, c) && !inside) return false;
    for (const Configuration& next : all_successors(task, c)) {
      if (!satisfies_all(next, basis.relative_to)) return false;
      if (in_upward_closure(basis.minimal, next) && !inside) return false;
    }
  }
  return true;
}

namespace {

bool is_below(const Configuration& c, const answer::OmegaConfiguration& element) {
  return c.shared == element.shared &&
         std::ranges::all_of(c.counts.entries(), [&](const auto& entry) {
           return std::ranges::count(element.unbounded, entry.first) > 0 ||
                  entry.second <= element.counts[entry.first];
         });
}

bool is_in_cover(const Configuration& c, const answer::ForwardCover& cover) {
  return std::ranges::any_of(cover.maximal,
                             [&](const auto& element) { return is_below(c, element); });
}

}  // namespace

bool is_valid_cover(const model::CountingTask& task, const answer::ForwardCover& cover,
                    unsigned most) {
  for (const Configuration& c : box(task.model, most)) {
    const bool inside = is_in_cover(c, cover);
    if (is_initial(task, c) && !inside) return false;
    if (!inside) continue;
    if (is_target(task, c)) return false;
    for (const Configuration& next : all_successors(task, c))
      if (!is_in_cover(next, cover)) return false;
  }
  return true;
}

std::vector<Configuration> backward_basis(const model::CountingTask& task, unsigned most) {
  const std::vector<Configuration> all = box(task.model, most);
  std::vector<Configuration> basis;
  for (const model::Region& target : task.question.targets)
    basis.push_back(model::least_element(target));
  for (bool grown = true; grown;) {
    grown = false;
    for (const Configuration& c : all) {
      if (in_upward_closure(basis, c)) continue;
      for (const Configuration& next : all_successors(task, c))
        if (in_upward_closure(basis, next)) {
          std::erase_if(basis, [&](const Configuration& m) { return m.covers(c); });
          basis.push_back(c);
          grown = true;
          break;
        }
    }
  }
  return basis;
}

}  // namespace heddle::check::naive
