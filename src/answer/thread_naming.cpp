#include "answer/thread_naming.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::answer {

using base::Integer;
using model::LocalState;
using model::StepKind;

namespace {

std::string thread_text(ThreadId thread) { return "thread " + std::to_string(thread.value); }
std::string local_text(LocalState local) { return "local state " + std::to_string(local.value); }

std::expected<const model::ThreadTransition*, std::string> find_transition(
    const model::ThreadSystem& system, const TraceStep& step, model::SharedState shared) {
  if (step.transition.index() >= system.transitions.size())
    return std::unexpected("there is no transition " + std::to_string(step.transition.value));
  const model::ThreadTransition& t = system.transitions[step.transition.index()];
  if (t.source.shared != shared)
    return std::unexpected("shared state is " + std::to_string(shared.value) + ", not " +
                           std::to_string(t.source.shared.value));
  return &t;
}

/// The local states whose threads the transition moves along, each once.
std::set<LocalState> passive_sources(const model::ThreadTransition& t) {
  std::set<LocalState> sources;
  if (t.kind == StepKind::Transfer) sources.insert(t.source.local);
  for (const model::PassiveMove& move : t.passive) sources.insert(move.from);
  return sources;
}

bool has_few_threads(const Trace& trace) {
  return trace.initial.counts.total() <= Integer(kMostNamedThreads);
}

}  // namespace

NamedThreads::NamedThreads(const model::Configuration& initial) : shared_(initial.shared) {
  HEDDLE_INVARIANT(initial.counts.total() <= Integer(kMostNamedThreads),
                   "threads to be named should be few");
  for (const auto& [local, count] : initial.counts.entries())
    for (Integer i = 0; i < count; ++i) add_thread(local);
}

void NamedThreads::add_thread(LocalState local) {
  residents_[local].insert(ThreadId(locals_.size()));
  locals_.push_back(local);
}

void NamedThreads::relocate(const ThreadMove& move) {
  residents_[move.from].erase(move.thread);
  residents_[move.to].insert(move.thread);
  locals_[move.thread.index()] = move.to;
}

const std::set<ThreadId>& NamedThreads::residents(LocalState local) const {
  static const std::set<ThreadId> kNobody;
  const auto it = residents_.find(local);
  return it == residents_.end() ? kNobody : it->second;
}

std::expected<TraceStep, std::string> NamedThreads::name(const model::ThreadSystem& system,
                                                         TraceStep step,
                                                         std::optional<ThreadId> preferred) const {
  const auto found = find_transition(system, step, shared_);
  if (!found) return std::unexpected(found.error());
  const model::ThreadTransition& t = **found;
  step.thread.reset();
  step.chosen.clear();
  if (t.kind != StepKind::Transfer) {
    const std::set<ThreadId>& able = residents(t.source.local);
    if (able.empty()) return std::unexpected("no thread is in " + local_text(t.source.local));
    step.thread = preferred && able.contains(*preferred) ? *preferred : *able.begin();
  }
  for (const LocalState source : passive_sources(t)) {
    if (model::passive_targets(t, source).size() < 2) continue;
    auto next = residents(source).begin();
    const auto end = residents(source).end();
    for (const model::PassiveFlow& flow : step.flows) {
      if (flow.from != source) continue;
      for (Integer i = 0; i < flow.count; ++i, ++next) {
        if (next != end && t.kind == StepKind::Move && *next == step.thread) ++next;
        if (next == end) return std::unexpected("flows move more threads than there are");
        step.chosen.push_back({*next, flow.to});
      }
    }
  }
  std::ranges::sort(step.chosen, {}, &NamedMove::thread);
  return step;
}

std::expected<std::optional<ThreadMove>, std::string> NamedThreads::active_move(
    const model::ThreadTransition& t, const TraceStep& step) const {
  if (t.kind == StepKind::Transfer) {
    if (step.thread) return std::unexpected("a transfer has no active thread");
    return std::nullopt;
  }
  if (!step.thread) return std::unexpected("the active thread is not named");
  if (!residents(t.source.local).contains(*step.thread))
    return std::unexpected(thread_text(*step.thread) + " is not in " + local_text(t.source.local));
  return ThreadMove{*step.thread, t.source.local,
                    t.kind == StepKind::Spawn ? t.source.local : t.target.local};
}

std::expected<std::vector<ThreadMove>, std::string> NamedThreads::passive_moves(
    const model::ThreadTransition& t, const TraceStep& step) const {
  std::map<ThreadId, LocalState> chosen;
  for (const NamedMove& move : step.chosen) chosen.emplace(move.thread, move.to);
  std::vector<ThreadMove> moves;
  for (const LocalState source : passive_sources(t)) {
    const std::vector<LocalState> targets = model::passive_targets(t, source);
    for (const ThreadId thread : residents(source)) {
      if (thread == step.thread) continue;
      LocalState to = targets.front();
      if (targets.size() > 1) {
        const auto choice = chosen.find(thread);
        if (choice == chosen.end() || std::ranges::find(targets, choice->second) == targets.end())
          return std::unexpected("the move of " + thread_text(thread) + " is not named");
        to = choice->second;
      }
      if (to != source) moves.push_back({thread, source, to});
    }
  }
  std::ranges::sort(moves, {}, &ThreadMove::thread);
  return moves;
}

std::expected<NamedStep, std::string> NamedThreads::fire(const model::ThreadSystem& system,
                                                         const TraceStep& step) {
  const auto found = find_transition(system, step, shared_);
  if (!found) return std::unexpected(found.error());
  const model::ThreadTransition& t = **found;
  const auto active = active_move(t, step);
  if (!active) return std::unexpected(active.error());
  auto passive = passive_moves(t, step);
  if (!passive) return std::unexpected(passive.error());

  NamedStep done{step.transition, shared_, t.target.shared, *active, {}, std::move(*passive)};
  for (const ThreadMove& move : done.passive) relocate(move);
  if (done.active) relocate(*done.active);
  if (t.kind == StepKind::Spawn) {
    done.spawned = ThreadMove{ThreadId(locals_.size()), t.target.local, t.target.local};
    add_thread(t.target.local);
  }
  shared_ = t.target.shared;
  return done;
}

Trace with_thread_names(const model::ThreadSystem& system, Trace trace) {
  for (TraceBlock& block : trace.blocks)
    for (TraceStep& step : block.body) {
      step.thread.reset();
      step.chosen.clear();
    }
  if (!has_few_threads(trace)) return trace;
  NamedThreads threads(trace.initial);
  std::optional<ThreadId> last;
  for (TraceBlock& block : trace.blocks) {
    if (block.repetitions != 1) return trace;
    for (TraceStep& step : block.body) {
      auto named = threads.name(system, step, last);
      if (!named || !threads.fire(system, *named)) return trace;
      step = std::move(*named);
      if (step.thread) last = step.thread;
    }
  }
  return trace;
}

std::vector<NamedStep> named_steps(const model::ThreadSystem& system, const Trace& trace) {
  std::vector<NamedStep> steps;
  if (!has_few_threads(trace)) return steps;
  NamedThreads threads(trace.initial);
  for (const TraceBlock& block : trace.blocks) {
    if (block.repetitions != 1) return steps;
    for (const TraceStep& step : block.body) {
      auto done = threads.fire(system, step);
      if (!done) return steps;
      steps.push_back(std::move(*done));
    }
  }
  return steps;
}

}  // namespace heddle::answer
