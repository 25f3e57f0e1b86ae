/// The way back from the thread system of a Boolean program.
///
/// A trace is replayed on the program, step for step: the second transition of a spawn is part of
/// the first, and those of a signal of the last. Signals that the thread system has lost wake
/// somebody, who is ahead from then on (program_to_threads.cpp): `believed_` is where threads are
/// for the thread system, and where they do something they really are there. A basis keeps its
/// elements at shared states of the program: for those, a predecessor by a spawn is one over two
/// transitions. All of this is relative to the thread states that the translation has built, which
/// are an invariant, and to those that the engine may have found.

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/invariant.hpp"
#include "transform/back_translator.hpp"
#include "transform/program_to_threads.hpp"

namespace heddle::transform {

namespace {

using answer::BackwardBasis;
using answer::ProgramBasis;
using answer::ProgramElement;
using answer::ThreadFact;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using model::ThreadState;
using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::ThreadConfiguration;
using model::boolean::Valuation;

constexpr unsigned long kMostSteps = 1'000'000;

/// Replays a trace of the thread system on the program.
class Replay {
 public:
  Replay(const ProgramAsThreads& translation, const answer::Trace& trace)
      : translation_(translation), system_(translation.translated.model) {
    state_.shared = translation.shared.at(trace.initial.shared.index());
    for (const auto& [local, count] : trace.initial.counts.entries())
      for (base::Integer i = 0; i < count; ++i)
        state_.threads.push_back(translation.locals.at(local.index()));
    run_.initial = state_;
    believed_ = state_.threads;
  }

  void take(const answer::TraceStep& step) {
    const auto& origin = translation_.origins.at(step.transition.index());
    const ThreadConfiguration& source =
        translation_.locals[system_.transitions[step.transition.index()].source.local.index()];
    if (origin.role == ProgramAsThreads::Role::Wake) called_ = source;
    if (origin.role != ProgramAsThreads::Role::Step) return;
    const auto active = std::ranges::find(believed_, source);
    HEDDLE_INVARIANT(active != believed_.end(), "the active thread should be in its source");
    Step taken{static_cast<std::uint32_t>(active - believed_.begin()),
               origin.edge,
               origin.outcome,
               std::nullopt,
               {}};
    choose_others(step, taken);
    wake_believed(taken);
    auto after = model::boolean::take(translation_.flow, state_, taken);
    HEDDLE_INVARIANT(after.has_value(), "a transition should be a step of the program");
    state_ = std::move(*after);
    for (std::size_t i = 0; i < believed_.size(); ++i)
      believed_[i].values = state_.threads[i].values;
    believed_[taken.thread].node = state_.threads[taken.thread].node;
    if (state_.threads.size() > believed_.size()) believed_.push_back(state_.threads.back());
    run_.steps.push_back(std::move(taken));
  }

  answer::ProgramRun result() { return std::move(run_); }

 private:
  bool waits_for(const ThreadConfiguration& thread, std::uint32_t condition) const {
    const auto& node = translation_.flow.nodes[thread.node.index()];
    return node.waits && node.condition == condition;
  }

  /// Moves on the threads that the step wakes for the thread system, and says whom a signal really
  /// wakes: the same one, if it waits; or another one, if there is any that does.
  void wake_believed(Step& step) {
    const auto& edge = translation_.flow.edges[step.edge.index()];
    const bool signals = edge.kind == model::boolean::EdgeKind::Signal;
    if (!signals && edge.kind != model::boolean::EdgeKind::Broadcast) return;
    bool prefers = false;
    for (std::uint32_t i = 0; i < believed_.size(); ++i) {
      if (i == step.thread) continue;
      const bool woken =
          signals ? called_ == believed_[i] : waits_for(believed_[i], edge.condition);
      if (woken) {
        believed_[i].node = translation_.flow.nodes[believed_[i].node.index()].woken;
        called_.reset();
      }
      if (!signals || prefers || !waits_for(state_.threads[i], edge.condition)) continue;
      prefers = woken;
      if (woken || !step.woken) step.woken = i;
    }
  }

  /// Threads of a local state with several passive targets take them as the flows say.
  void choose_others(const answer::TraceStep& step, Step& taken) const {
    std::vector<model::PassiveFlow> flows = step.flows;
    for (std::uint32_t i = 0; i < state_.threads.size(); ++i) {
      if (i == taken.thread) continue;
      const auto chosen = std::ranges::find_if(flows, [&](const model::PassiveFlow& flow) {
        return flow.count > 0 && translation_.locals[flow.from.index()] == believed_[i];
      });
      if (chosen == flows.end()) continue;
      chosen->count -= 1;
      taken.others.emplace_back(i, translation_.locals[chosen->to.index()].values);
    }
  }

  const ProgramAsThreads& translation_;
  const model::ThreadSystem& system_;
  State state_;
  std::vector<ThreadConfiguration> believed_;
  std::optional<ThreadConfiguration> called_;  ///< whom the next signal wakes
  answer::ProgramRun run_;
};

Cube exactly(const Valuation& value, std::size_t variables) {
  return {Valuation::first(variables), value};
}

/// Merges facts at the same node that differ in one variable, one variable after the other.
std::vector<ThreadFact> merged(std::vector<ThreadFact> facts, std::size_t variables,
                               Cube ThreadFact::* part) {
  for (std::uint32_t i = 0; i < variables; ++i) {
    std::set<ThreadFact> all(facts.begin(), facts.end());
    for (const ThreadFact& fact : facts) {
      if (!(fact.*part).mask[i] || !all.contains(fact)) continue;
      ThreadFact twin = fact;
      (twin.*part).value ^= bit(i);
      if (!all.contains(twin)) continue;
      ThreadFact both = fact;
      both.*part = (fact.*part).without(bit(i));
      all.erase(fact);
      all.erase(twin);
      all.insert(both);
    }
    facts.assign(all.begin(), all.end());
  }
  return facts;
}

class Back : BackTranslator {
 public:
  using BackTranslator::operator();
  explicit Back(const ProgramAsThreads& translation)
      : BackTranslator{"the program"}, translation_(translation) {}

  Verdict operator()(const answer::Unsafe& unsafe) const {
    const auto& trace = std::get<answer::Trace>(unsafe.trace);
    Replay replay(translation_, trace);
    unsigned long steps = 0;
    for (const answer::TraceBlock& block : trace.blocks)
      for (base::Integer i = 0; i < block.repetitions; ++i) {
        steps += block.body.size();
        if (steps > kMostSteps)
          return Unknown{UnknownReason::Unsupported, "the trace is too long to be written down"};
        for (const answer::TraceStep& step : block.body) replay.take(step);
      }
    return answer::Unsafe{replay.result()};
  }

  Verdict operator()(const answer::Safe& safe) const {
    if (const auto* basis = std::get_if<BackwardBasis>(&safe.certificate)) return of(*basis);
    if (const auto* closed = std::get_if<answer::ClosedThreadStates>(&safe.certificate))
      return of(BackwardBasis{{}, {*closed}});
    return Unknown{UnknownReason::Unsupported,
                   "this kind of proof about the thread system says nothing about the program"};
  }

 private:
  Verdict of(const BackwardBasis& basis) const {
    std::vector<ThreadState> allowed = translation_.reachable;
    for (const answer::Invariant& invariant : basis.relative_to) {
      const auto* closed = std::get_if<answer::ClosedThreadStates>(&invariant);
      if (!closed)
        return Unknown{UnknownReason::Unsupported,
                       "the proof leans on an invariant that says nothing about the program"};
      std::vector<ThreadState> both;
      std::ranges::set_intersection(allowed, closed->states, std::back_inserter(both));
      allowed = std::move(both);
    }
    ProgramBasis found;
    for (const model::Configuration& element : basis.minimal) {
      if (!is_of_program(element)) continue;
      if (element.counts.entries().empty())
        add_elements_with_one_thread(element.shared, found.minimal);
      else
        found.minimal.push_back(element_of(element));
    }
    std::ranges::sort(found.minimal);
    found.thread_states = facts_of(allowed);
    return answer::Safe{std::move(found)};
  }

  bool is_of_program(const model::Configuration& element) const {
    return element.shared.index() < translation_.shared.size() &&
           std::ranges::all_of(
               element.counts.entries(),
               [&](const auto& entry) { return entry.first.index() < translation_.locals.size(); });
  }

  std::size_t shared_variables() const { return translation_.flow.shared_names.size(); }
  std::size_t local_variables() const { return translation_.flow.local_count; }

  ProgramElement element_of(const model::Configuration& configuration) const {
    ProgramElement element{
        exactly(translation_.shared[configuration.shared.index()], shared_variables()), {}};
    for (const auto& [counter, count] : configuration.counts.entries()) {
      const ThreadConfiguration& local = translation_.locals[counter.index()];
      for (base::Integer i = 0; i < count; ++i)
        element.threads.push_back({local.node, exactly(local.values, local_variables())});
    }
    std::ranges::sort(element.threads);
    return element;
  }

  /// All states with these shared values: there is a thread somewhere in each of them.
  void add_elements_with_one_thread(model::SharedState shared,
                                    std::vector<ProgramElement>& out) const {
    const Cube values = exactly(translation_.shared[shared.index()], shared_variables());
    for (std::size_t node = 0; node < translation_.flow.nodes.size(); ++node)
      out.push_back({values, {{model::boolean::NodeId(node), Cube::all()}}});
  }

  std::vector<ThreadFact> facts_of(const std::vector<ThreadState>& states) const {
    std::vector<ThreadFact> facts;
    for (const ThreadState& state : states) {
      const ThreadConfiguration& local = translation_.locals[state.local.index()];
      facts.push_back({local.node,
                       exactly(translation_.shared[state.shared.index()], shared_variables()),
                       exactly(local.values, local_variables())});
    }
    facts = merged(std::move(facts), local_variables(), &ThreadFact::local);
    return merged(std::move(facts), shared_variables(), &ThreadFact::shared);
  }

  const ProgramAsThreads& translation_;
};

}  // namespace

Verdict translate_back(const ProgramAsThreads& translation, const Verdict& verdict) {
  return std::visit(Back(translation), verdict);
}

}  // namespace heddle::transform
