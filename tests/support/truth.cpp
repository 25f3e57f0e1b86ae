#include "support/truth.hpp"

#include <algorithm>

#include "support/naive_cutoff.hpp"

namespace heddle::test {

namespace {

using model::Task;
using model::boolean::Flow;

constexpr std::uint32_t kRoundsWithoutBound = 3;
constexpr unsigned kMostInitialThreads = 3;

/// One overload for each kind of model: a new kind does not compile without its own.
Truth search(const Task& task, const model::ThreadSystem&, const TruthLimits& limits) {
  return truth_of(model::ask_oracle(task, limits.counting));
}

Truth search(const Task& task, const model::PetriNet&, const TruthLimits& limits) {
  return truth_of(model::ask_oracle(task, limits.counting));
}

Truth search(const Task& task, const model::PushdownSystem&, const TruthLimits& limits) {
  const auto oracle = ask_pushdown_oracle(task, limits.pushdown);
  return {oracle.rounds, oracle.exact && !oracle.rounds, oracle.exact_rounds};
}

std::uint32_t rounds_of(const std::vector<model::boolean::Step>& steps) {
  return std::max(1U, static_cast<std::uint32_t>(model::boolean::round_count(steps)));
}

/// Round by round, calls kept. One thread has one round only.
Truth search_rounds(const Flow& flow, std::size_t threads, const Task& task,
                    const TruthLimits& limits) {
  const std::uint32_t rounds = task.question.contexts.value_or(kRoundsWithoutBound);
  const auto result = explore_rounds(flow, threads, rounds, limits.rounds);
  if (result.failure) return {rounds_of(*result.failure), false, 0};
  const auto initial = initial_states(flow, threads);
  const bool one = initial.empty() || initial.front().threads.size() == 1;
  return {std::nullopt, result.exact && one, result.exact ? rounds : 0};
}

/// Every state, calls unfolded, from each number of threads that the question allows, up to a few.
Truth search_states(const Flow& flow, const model::CounterBound& threads,
                    const TruthLimits& limits) {
  Truth truth;
  truth.exact = threads.upper.has_value();
  for (unsigned n = 0; n <= kMostInitialThreads; ++n) {
    if (!threads.allows(n)) continue;
    const auto result = explore(flow, n, limits.runs);
    if (result.failure) return {rounds_of(*result.failure), false, 0};
    truth.exact = truth.exact && result.exact;
  }
  truth.exact = truth.exact && *threads.upper <= kMostInitialThreads;
  return truth;
}

Truth search(const Task& task, const model::BooleanProgram& program, const TruthLimits& limits) {
  Truth out;
  out.exact = true;
  for (const model::Region& region : task.question.initial) {
    const model::CounterBound* found = region.find(model::Counter(0U));
    const model::CounterBound threads =
        found ? *found : model::CounterBound{model::Counter(0U), 0, base::Integer(0)};
    const auto unfolded = model::boolean::unfold(program);
    Truth one;
    if (unfolded && !task.question.contexts) {
      one = search_states(*unfolded, threads, limits);
    } else if (const auto kept = model::boolean::keep_calls(program); kept && threads.upper) {
      one =
          search_rounds(*kept, static_cast<std::size_t>(base::to_int64(*threads.upper).value_or(1)),
                        task, limits);
    }
    if (one.reached) return one;
    out.exact = out.exact && one.exact;
    out.exact_rounds = one.exact_rounds;
  }
  return out;
}

bool starts_in(const std::vector<model::Region>& regions, const model::Configuration& at) {
  return std::ranges::any_of(
      regions, [&](const auto& region) { return model::initial_region_contains(region, at); });
}

bool ends_in(const std::vector<model::Region>& regions, const model::Configuration& at) {
  return std::ranges::any_of(
      regions, [&](const auto& region) { return model::target_region_contains(region, at); });
}

const std::string kWrongStart = "it does not start in an initial configuration";

/// Calls `take` for every step of the trace, repetitions included, until it says why not.
template <class Take>
std::string for_each_step_of(const answer::Trace& trace, Take take) {
  constexpr unsigned kMostReplayedSteps = 1'000'000;
  unsigned steps = 0;
  for (const answer::TraceBlock& block : trace.blocks)
    for (base::Integer round = 0; round < block.repetitions; ++round)
      for (const answer::TraceStep& step : block.body) {
        if (++steps > kMostReplayedSteps) return "it is too long to be replayed naively";
        if (const std::string why = take(step); !why.empty())
          return "step " + std::to_string(steps) + ": " + why;
      }
  return {};
}

template <class Step>
std::string replay_counting(const Task& task, const answer::Trace& trace, Step step) {
  if (!starts_in(task.question.initial, trace.initial)) return kWrongStart;
  model::Configuration at = trace.initial;
  const std::string why = for_each_step_of(trace, [&](const answer::TraceStep& next) {
    const auto after = step(at, next);
    if (!after) return after.error();
    at = *after;
    return std::string();
  });
  if (!why.empty() || ends_in(task.question.targets, at)) return why;
  return "it ends in " + model::to_string(task.model, at) + ", which is not a target";
}

std::string replay_in(const Task& task, const model::ThreadSystem& system,
                      const answer::Trace& trace) {
  return replay_counting(task, trace, [&](const auto& at, const answer::TraceStep& next) {
    return model::step(system, at, next.transition, next.flows);
  });
}

std::string replay_in(const Task& task, const model::PetriNet& net, const answer::Trace& trace) {
  return replay_counting(task, trace, [&](const auto& at, const answer::TraceStep& next) {
    return model::step(net, at, next.transition);
  });
}

std::string too_many_rounds(const Task& task, std::uint32_t rounds) {
  if (!task.question.contexts || rounds <= *task.question.contexts) return {};
  return "it takes " + std::to_string(rounds) + " rounds";
}

std::string replay_in(const Task& task, const model::PushdownSystem& system,
                      const answer::Trace& trace) {
  auto at = with_tops(system, trace.initial);
  if (!at || !starts_in(task.question.initial, trace.initial)) return kWrongStart;
  std::uint32_t rounds = 1, last = 0;
  std::string why = for_each_step_of(trace, [&](const answer::TraceStep& next) -> std::string {
    if (next.transition.index() >= system.transitions.size()) return "there is no such rule";
    const auto after = step(system, *at, next.transition);
    if (!after) return after.error();
    const std::uint32_t thread = system.transitions[next.transition.index()].thread;
    rounds += thread < last;
    last = thread;
    at = *after;
    return {};
  });
  if (!why.empty()) return why;
  if (!ends_in(task.question.targets, visible(*at)))
    return "it ends in " + model::to_string(*at) + ", which is not a target";
  return too_many_rounds(task, rounds);
}

std::string replay_in(const Task& task, const model::BooleanProgram& program,
                      const answer::Trace& trace) {
  if (!trace.run) return "it is not a run of a program";
  const answer::ProgramRun& run = *trace.run;
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  if (!flow) return flow.error();
  const std::size_t threads = run.initial.threads.size();
  model::Configuration started;
  started.counts.set(model::Counter(0U), base::Integer(threads));
  model::boolean::State sorted = run.initial;
  const bool lists_threads = flow->starts.size() > 1;
  if (!lists_threads) std::ranges::sort(sorted.threads);
  if (!lists_threads && !starts_in(task.question.initial, started)) return kWrongStart;
  const auto known = initial_states(*flow, threads);
  const bool starts = std::ranges::any_of(known, [&](model::boolean::State state) {
    if (!lists_threads) std::ranges::sort(state.threads);
    return state == sorted;
  });
  if (!starts) return kWrongStart;
  model::boolean::State at = run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto after = take(*flow, at, run.steps[i]);
    if (!after) return "step " + std::to_string(i + 1) + ": " + after.error();
    at = *after;
  }
  if (!has_failed(*flow, at)) return "no thread has failed at its end";
  return too_many_rounds(task, rounds_of(run.steps));
}

std::string claim_objection(const Task&, const answer::Safe&, const Truth& truth) {
  return truth.reached ? "safe, but the oracle has a witness" : "";
}

std::string claim_objection(const Task&, const answer::SafeUpTo& safe, const Truth& truth) {
  if (!truth.reached || *truth.reached > safe.bound.value) return "";
  return "safe up to " + base::to_string(safe.bound.value) + " " + safe.bound.what +
         ", but the oracle has a witness of " + std::to_string(*truth.reached);
}

std::string claim_objection(const Task& task, const answer::Unsafe& unsafe, const Truth& truth) {
  if (truth.decided(task.question) == false) return "unsafe, but the oracle has seen everything";
  const std::string why = naive_replay(task, unsafe.trace);
  return why.empty() ? "" : "unsafe, but its trace does not replay: " + why;
}

std::string claim_objection(const Task&, const answer::Unknown&, const Truth&) { return ""; }

}  // namespace

std::optional<bool> Truth::decided(const model::Question& question) const {
  if (reached && (!question.contexts || *reached <= *question.contexts)) return true;
  if (exact || (question.contexts && exact_rounds >= *question.contexts)) return false;
  return std::nullopt;
}

Truth truth_of(const model::OracleAnswer& oracle) {
  const auto* not_reached = std::get_if<model::NotReached>(&oracle);
  if (!not_reached) return {1, false, 0};
  return {std::nullopt, not_reached->exact(), 0};
}

Truth ask_truth(const Task& task, const TruthLimits& limits) {
  return std::visit([&](const auto& model) { return search(task, model, limits); }, task.model);
}

std::string naive_replay(const Task& task, const answer::Trace& trace) {
  return std::visit([&](const auto& model) { return replay_in(task, model, trace); }, task.model);
}

std::string objection(const Task& task, const answer::Verdict& verdict, const Truth& truth) {
  return std::visit([&](const auto& claim) { return claim_objection(task, claim, truth); },
                    verdict);
}

std::string objection(const Task& task, const answer::Cutoff& cutoff) {
  constexpr unsigned kMost = 4;
  const auto first = naive_first_reached(task, kMost);
  unsigned greatest = 0;
  for (const auto& [state, threads] : first) {
    greatest = std::max(greatest, threads);
    if (std::ranges::find(cutoff.reachable, state, &answer::ReachedState::state) ==
        cutoff.reachable.end())
      return "a reachable thread state is missing";
  }
  for (const answer::ReachedState& reached : cutoff.reachable) {
    const auto it = first.find(reached.state);
    if (reached.threads <= kMost && (it == first.end() || it->second > reached.threads))
      return std::to_string(reached.threads) + " threads are not enough for " +
             model::to_string(task.model, {reached.state.shared, {{reached.state.local, 1}}});
  }
  for (const answer::TooFewThreads& proof : cutoff.too_few)
    for (const model::ThreadState& state : proof.states)
      if (const auto it = first.find(state); it != first.end() && it->second < proof.threads)
        return "fewer threads than those said to be the least are enough for a thread state";
  if (cutoff.threads < greatest) return "the cutoff is too small";
  return "";
}

}  // namespace heddle::test
