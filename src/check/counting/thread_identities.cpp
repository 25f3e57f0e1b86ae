#include "check/counting/thread_identities.hpp"

#include <algorithm>
#include <utility>

namespace heddle::check {

namespace {

using answer::NamedMove;
using answer::ThreadId;
using answer::TraceStep;
using base::Integer;
using model::LocalState;
using model::StepKind;

std::string thread_text(ThreadId thread) { return "thread " + std::to_string(thread.value); }

/// How many threads a step claims to send from one local state to another.
using Traffic = std::map<std::pair<LocalState, LocalState>, Integer>;

void drop_zeros(Traffic& traffic) {
  std::erase_if(traffic, [](const auto& entry) { return entry.second == 0; });
}

}  // namespace

std::expected<ThreadIdentities, std::string> ThreadIdentities::start(
    const model::ThreadSystem& system, const model::Configuration& initial) {
  if (initial.counts.total() > Integer(kMostIdentities))
    return std::unexpected("the trace names threads, but starts with more than " +
                           std::to_string(kMostIdentities));
  ThreadIdentities identities(system);
  for (const auto& [local, count] : initial.counts.entries())
    identities.locals_.insert(identities.locals_.end(), count.get_ui(), local);
  return identities;
}

std::optional<std::string> ThreadIdentities::follow(const TraceStep& step) {
  const model::ThreadTransition& t = system_->transitions[step.transition.index()];
  const bool named = step.thread || !step.chosen.empty();
  if (!known_) {
    if (named) return "names of threads come back after a step without them";
    return std::nullopt;
  }
  if (!named && t.kind != StepKind::Transfer) {
    forget();
    return std::nullopt;
  }
  if (auto wrong = wrong_actor(t, step)) return wrong;
  if (t.kind == StepKind::Spawn) {
    if (!step.chosen.empty()) return "a spawn moves no passive threads";
    locals_.push_back(t.target.local);
    return std::nullopt;
  }
  if (auto wrong = move_passive(t, step)) return wrong;
  if (step.thread) locals_[step.thread->index()] = t.target.local;
  return std::nullopt;
}

std::optional<std::string> ThreadIdentities::wrong_actor(const model::ThreadTransition& t,
                                                         const TraceStep& step) const {
  if (t.kind == StepKind::Transfer) {
    if (step.thread) return "a transfer has no active thread";
    return std::nullopt;
  }
  if (!step.thread) return "passive threads are named, but not the active one";
  if (step.thread->index() >= locals_.size())
    return "there is no " + thread_text(*step.thread) + " yet";
  const LocalState local = locals_[step.thread->index()];
  if (local == t.source.local) return std::nullopt;
  return thread_text(*step.thread) + " is in local state " + std::to_string(local.value) +
         ", not " + std::to_string(t.source.local.value);
}

namespace {

/// Has a passive thread there several targets? They are sorted by where they start.
bool has_choice(const model::ThreadTransition& t, LocalState from) {
  if (t.kind == StepKind::Transfer) return false;
  return std::ranges::equal_range(t.passive, from, {}, &model::PassiveMove::from).size() > 1;
}

}  // namespace

/// Exactly the passive threads that stand where there is a choice must be named, each with one of
/// the targets there, and together they must make up the step's flows.
std::optional<std::string> ThreadIdentities::move_passive(const model::ThreadTransition& t,
                                                          const TraceStep& step) {
  if (t.passive.empty() && t.kind != StepKind::Transfer && step.chosen.empty()) return std::nullopt;
  Choices choices;
  for (const NamedMove& move : step.chosen)
    if (!choices.emplace(move.thread, move.to).second)
      return thread_text(move.thread) + " chooses twice";
  Traffic named;
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    if (step.thread == ThreadId(i)) continue;
    const LocalState from = locals_[i];
    if (!has_choice(t, from)) {
      locals_[i] = model::passive_targets(t, from).front();
      continue;
    }
    const auto choice = choices.find(ThreadId(i));
    if (choice == choices.end()) return thread_text(ThreadId(i)) + " does not say where it goes";
    locals_[i] = choice->second;
    named[{from, choice->second}] += 1;
    choices.erase(choice);
  }
  if (!choices.empty()) return thread_text(choices.begin()->first) + " has nothing to choose";
  Traffic claimed;
  for (const model::PassiveFlow& flow : step.flows)
    if (has_choice(t, flow.from)) claimed[{flow.from, flow.to}] += flow.count;
  drop_zeros(claimed);
  if (named != claimed) return "the named moves of passive threads disagree with the flows";
  return std::nullopt;
}

}  // namespace heddle::check
