#include "support/truth.hpp"

#include <algorithm>

#include "model/counting.hpp"
#include "support/c_oracle.hpp"
#include "support/naive_cutoff.hpp"

namespace heddle::test {

namespace {

using model::boolean::Flow;

constexpr std::uint32_t kRoundsWithoutBound = 3;
constexpr unsigned kMostInitialThreads = 3;
constexpr std::uint64_t kMostCThreads =
    4;  ///< alive at a time, where programs create them for ever

/// One overload for each kind of model: a new kind does not compile without its own.
Truth search(const model::ThreadTask& task, const TruthLimits& limits) {
  return truth_of(model::ask_oracle(task, limits.counting));
}

Truth search(const model::NetTask& task, const TruthLimits& limits) {
  return truth_of(model::ask_oracle(task, limits.counting));
}

Truth search(const model::PushdownTask& task, const TruthLimits& limits) {
  const auto oracle = ask_pushdown_oracle(task, limits.pushdown);
  return {oracle.rounds, oracle.exact && !oracle.rounds, oracle.exact_rounds};
}

Truth search(const model::CTask& task, const TruthLimits& limits) {
  testing::c::COracle oracle(task.model, task.question.targets.front());
  oracle.limit_threads(kMostCThreads);
  const testing::c::COracleAnswer seen = oracle.ask(limits.c_states);
  if (seen.is_violated) return {1, false, 0};
  return {std::nullopt, seen.is_complete, 0};
}

std::uint32_t rounds_of(const std::vector<model::boolean::Step>& steps) {
  return std::max(1U, static_cast<std::uint32_t>(model::boolean::round_count(steps)));
}

/// Round by round, calls kept. One thread has one round only.
Truth search_rounds(const Flow& flow, std::size_t threads, const model::ProgramTask& task,
                    const TruthLimits& limits) {
  const std::uint32_t rounds = task.question.contexts.value_or(kRoundsWithoutBound);
  const auto result = explore_rounds(flow, threads, rounds, limits.rounds);
  if (result.failure) return {rounds_of(*result.failure), false, 0};
  const auto initial = initial_states(flow, threads);
  const bool one = initial.empty() || initial.front().threads.size() == 1;
  return {std::nullopt, result.exact && one, result.exact ? rounds : 0};
}

/// Every state, calls unfolded, from each number of threads that the question allows, up to a few.
Truth search_states(const Flow& flow, const model::ThreadsInMain& threads,
                    const TruthLimits& limits) {
  Truth truth;
  truth.exact = threads.most.has_value();
  for (unsigned n = 0; n <= kMostInitialThreads; ++n) {
    if (!threads.allows(n)) continue;
    const auto result = explore(flow, n, limits.runs);
    if (result.failure) return {rounds_of(*result.failure), false, 0};
    truth.exact = truth.exact && result.exact;
  }
  truth.exact = truth.exact && *threads.most <= kMostInitialThreads;
  return truth;
}

Truth search(const model::ProgramTask& task, const TruthLimits& limits) {
  const model::BooleanProgram& program = task.model;
  Truth out;
  out.exact = true;
  for (const model::ThreadsInMain& threads : task.question.initial) {
    const auto unfolded = model::boolean::unfold(program);
    Truth one;
    if (unfolded && !task.question.contexts) {
      one = search_states(*unfolded, threads, limits);
    } else if (const auto kept = model::boolean::keep_calls(program); kept && threads.most) {
      one = search_rounds(
          *kept, static_cast<std::size_t>(base::to_int64(*threads.most).value_or(1)), task, limits);
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
const std::string kTooLong = "it is too long to be replayed naively";

/// Calls `take` for every step of the trace, repetitions included, until it says why not. Further
/// repetitions of what leaves the configuration as it is are left out: they leave it, too.
template <class Take>
std::string for_each_step_of(const answer::Trace& trace, const model::Configuration& at,
                             Take take) {
  constexpr unsigned kMostReplayedSteps = 1'000'000;
  unsigned steps = 0;
  for (const answer::TraceBlock& block : trace.blocks)
    for (base::Integer round = 0; round < block.repetitions; ++round) {
      const model::Configuration before = at;
      for (const answer::TraceStep& step : block.body) {
        if (++steps > kMostReplayedSteps) return kTooLong;
        if (const std::string why = take(step); !why.empty())
          return "step " + std::to_string(steps) + ": " + why;
      }
      if (at == before) break;
    }
  return {};
}

template <class Step>
std::string replay_counting(const model::CountingTask& task, const answer::Trace& trace,
                            Step step) {
  if (!starts_in(task.question.initial, trace.initial)) return kWrongStart;
  model::Configuration at = trace.initial;
  const std::string why = for_each_step_of(trace, at, [&](const answer::TraceStep& next) {
    const auto after = step(at, next);
    if (!after) return after.error();
    at = *after;
    return std::string();
  });
  if (!why.empty() || ends_in(task.question.targets, at)) return why;
  return "it ends in " + model::to_string(task.model, at) + ", which is not a target";
}

std::string replay_in(const model::ThreadTask& task, const answer::Trace& trace) {
  const model::ThreadSystem& system = task.model;
  return replay_counting(task, trace, [&](const auto& at, const answer::TraceStep& next) {
    return model::step(system, at, next.transition, next.flows);
  });
}

std::string replay_in(const model::NetTask& task, const answer::Trace& trace) {
  const model::PetriNet& net = task.model;
  return replay_counting(task, trace, [&](const auto& at, const answer::TraceStep& next) {
    return model::step(net, at, next.transition);
  });
}

std::string too_many_rounds(const model::AnyTask& task, std::uint32_t rounds) {
  const auto& contexts = model::contexts_of(task);
  if (!contexts || rounds <= *contexts) return {};
  return "it takes " + std::to_string(rounds) + " rounds";
}

std::string replay_in(const model::PushdownTask& task, const answer::PushdownRun& run) {
  const model::PushdownSystem& system = task.model;
  auto at = initial_configuration(system, run.initial);
  const auto starts = [&](const model::VisibleState& initial) {
    return initial_configuration(system, initial) == at;
  };
  if (!at || std::ranges::none_of(task.question.initial, starts)) return kWrongStart;
  std::uint32_t rounds = 1, last = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const std::size_t rule = run.steps[i].rule.index();
    const auto after = step(system, *at, run.steps[i].rule);
    if (!after) return "step " + std::to_string(i + 1) + ": " + after.error();
    const std::uint32_t thread = system.transitions[rule].thread;
    rounds += thread < last;
    last = thread;
    at = *after;
  }
  const auto ends = [&](const model::VisibleState& target) {
    return target.shared == at->shared &&
           std::ranges::all_of(target.tops, [&](const model::ThreadTop& wanted) {
             const model::Stack& stack = at->stacks[wanted.thread];
             return wanted.top ? !stack.empty() && stack.back() == *wanted.top : stack.empty();
           });
  };
  if (std::ranges::none_of(task.question.targets, ends))
    return "it ends in " + model::to_string(*at) + ", which is not a target";
  return too_many_rounds(task, rounds);
}

std::string replay_in(const model::ProgramTask& task, const answer::ProgramRun& run) {
  const model::BooleanProgram& program = task.model;
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  if (!flow) return flow.error();
  const std::size_t threads = run.initial.threads.size();
  const auto allows = [&](const model::ThreadsInMain& numbers) {
    return numbers.allows(base::Integer(threads));
  };
  model::boolean::State sorted = run.initial;
  const bool lists_threads = flow->starts.size() > 1;
  if (!lists_threads) std::ranges::sort(sorted.threads);
  if (!lists_threads && std::ranges::none_of(task.question.initial, allows)) return kWrongStart;
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

std::string replay_in(const model::CTask& task, const model::c::Run& run) {
  if (!violates(task.question.targets.front(), run.violation.kind))
    return "it ends in something else";
  // By definition: a turn of a thread that is not behind the one before begins a round.
  unsigned rounds = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    if (i == 0 || run.steps[i].thread < run.steps[i - 1].thread) ++rounds;
  if (task.question.contexts && rounds > *task.question.contexts) return "too many rounds";
  return refute(model::c::Interpreter(task.model), run).value_or("");
}

std::string claim_objection(const model::AnyTask&, const answer::Safe&, const Truth& truth) {
  return truth.reached ? "safe, but the oracle has a witness" : "";
}

/// What is seen with that many threads alive at a time, of the kinds of model that can say so.
std::string bounded_objection(const model::AnyTask& task, const base::Integer& threads) {
  const auto* program = std::get_if<model::CTask>(&task);
  if (!program || !threads.fits_ulong_p()) return "";
  testing::c::COracle oracle(program->model, program->question.targets.front());
  oracle.limit_threads(threads.get_ui());
  if (!oracle.ask(TruthLimits().c_states).is_violated) return "";
  return "safe up to " + base::to_string(threads) + " threads, but the oracle has a witness";
}

std::string claim_objection(const model::AnyTask& task, const answer::SafeUpTo& safe,
                            const Truth& truth) {
  if (safe.bound.what == answer::BoundKind::Threads)
    return bounded_objection(task, safe.bound.value);
  if (!truth.reached || *truth.reached > safe.bound.value) return "";
  return "safe up to " + base::to_string(safe.bound.value) + " " +
         std::string(to_string(safe.bound.what)) + ", but the oracle has a witness of " +
         std::to_string(*truth.reached);
}

std::string claim_objection(const model::AnyTask& task, const answer::Unsafe& unsafe,
                            const Truth& truth) {
  if (truth.decided(task) == false) return "unsafe, but the oracle has seen everything";
  const std::string why = naive_replay(task, unsafe.trace);
  if (why == kTooLong) return "";  // pumped 2^32 times, say: nobody but the checker can tell
  return why.empty() ? "" : "unsafe, but its trace does not replay: " + why;
}

std::string claim_objection(const model::AnyTask&, const answer::Unknown&, const Truth&) {
  return "";
}

/// What brute force with up to four threads says.
std::string claim_objection(const model::AnyTask& any, const answer::Cutoff& cutoff, const Truth&) {
  constexpr unsigned kMost = 4;
  if (const auto* program = std::get_if<model::ProgramTask>(&any))
    return naive_objection(*program, cutoff, kMost);
  const auto counting = model::counting_task(any);
  if (!counting) return "there are no threads to be counted";
  const model::CountingTask& task = *counting;
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

}  // namespace

std::optional<bool> Truth::decided(const model::AnyTask& task) const {
  const auto& contexts = model::contexts_of(task);
  if (reached && (!contexts || *reached <= *contexts)) return true;
  if (exact || (contexts && exact_rounds >= *contexts)) return false;
  return std::nullopt;
}

Truth truth_of(const model::OracleAnswer& oracle) {
  const auto* not_reached = std::get_if<model::NotReached>(&oracle);
  if (!not_reached) return {1, false, 0};
  return {std::nullopt, not_reached->exact(), 0};
}

Truth ask_truth(const model::AnyTask& any, const TruthLimits& limits) {
  return std::visit([&](const auto& task) { return search(task, limits); }, any);
}

std::string naive_replay(const model::AnyTask& any, const answer::AnyRun& run) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) -> std::string {
        const auto* own = std::get_if<answer::RunOf<Model>>(&run);
        return own ? replay_in(task, *own) : "it is a run of another kind of model";
      },
      any);
}

std::string objection(const model::AnyTask& task, const answer::Verdict& verdict,
                      const Truth& truth) {
  return std::visit([&](const auto& claim) { return claim_objection(task, claim, truth); },
                    verdict);
}

}  // namespace heddle::test
