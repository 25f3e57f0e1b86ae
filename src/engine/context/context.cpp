#include "engine/context/context.hpp"

#include "engine/context/rounds.hpp"
#include "engine/search_verdict.hpp"
#include "transform/fixed_threads.hpp"

namespace heddle::engine::context {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;
using std::chrono::steady_clock;

/// Without a bound from the user, nothing is asked for beyond this many rounds.
constexpr std::uint32_t kDeepest = 8;

Acceptance accepts(const model::Task& task) {
  const auto threads = transform::fixed_threads(task);
  return threads ? Acceptance{} : Acceptance{threads.error()};
}

Acceptance accepts_sequential(const model::Task& task) {
  const auto threads = transform::fixed_threads(task);
  if (!threads) return {threads.error()};
  return threads->starts.size() == 1 ? Acceptance{} : Acceptance{"it has several threads"};
}

void report(const Rounds& rounds, RunContext& context) {
  std::size_t facts = 0;
  for (const ThreadAnalysis& thread : rounds.analyses()) facts += thread.reached().size();
  const auto set = [&](std::string_view name, std::size_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("threads", rounds.thread_count());
  set("analyses", rounds.analyses().size());
  set("rounds", rounds.round());
  set("nodes", rounds.system().flow().nodes.size());
  set("edges", rounds.system().flow().edges.size());
  set("sets of facts", facts);
  set("diagram nodes", rounds.system().space().nodes_in_use());
}

Verdict unsafe(const Rounds& rounds) {
  answer::Trace trace;
  trace.run = run_of(rounds);
  return answer::Unsafe{std::move(trace)};
}

/// A round takes several times as long as those before it, and the check longer than all of them.
bool time_for_more(const RunContext& context, steady_clock::time_point start) {
  const auto& deadline = context.limits().deadline;
  if (!deadline) return true;
  const auto now = steady_clock::now();
  return now - start < (*deadline - start) / 40;
}

Verdict play(const model::Task& task, Guessing guessing, RunContext& context) {
  const auto start = steady_clock::now();
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the analysis began"};
  const auto threads = transform::fixed_threads(task);
  if (!threads) return Unknown{UnknownReason::Unsupported, threads.error()};
  const bool alone = threads->starts.size() == 1;
  const auto& asked = task.question.contexts;
  const std::uint32_t most = alone ? 1 : asked.value_or(kDeepest);
  const System system(threads->flow, most, context.limits().memory_mb);
  Rounds rounds(system, threads->starts, guessing);
  while (rounds.round() < most && (asked || rounds.round() == 0 || time_for_more(context, start))) {
    if (const auto stop = rounds.play(context))
      return Unknown{unknown_reason(*stop), "stopped in round " + std::to_string(rounds.round())};
    if (rounds.failure()) break;
    report_free_contexts(context, rounds.round());
  }
  report(rounds, context);
  if (rounds.failure()) return unsafe(rounds);
  if (alone) return answer::Safe{rounds.certificate()};
  return answer::SafeUpTo{{"contexts", base::Integer(rounds.round())}, rounds.certificate()};
}

Verdict run_lazy(const model::Task& task, const Options&, RunContext& context) {
  return play(task, Guessing::Lazy, context);
}

Verdict run_eager(const model::Task& task, const Options&, RunContext& context) {
  return play(task, Guessing::Eager, context);
}

EngineRow row(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .models = "Boolean programs with a fixed number of threads, recursive or not",
          .proves = true,
          .refutes = true,
          .complete = false,
          .counts_contexts = true,
          .evidence = {"trace", "context_relations"},
          .options = {},
          .accepts = accepts,
          .run = run_lazy};
}

}  // namespace

EngineRow sequential_row() {
  EngineRow out = row("sequential", "summaries of the procedures of a program with one thread");
  out.models = "Boolean programs with one thread, recursive or not";
  out.complete = true;
  out.accepts = accepts_sequential;
  return out;
}

EngineRow lazy_row() {
  return row("context-lazy",
             "round robin of fixed threads up to a number of contexts, from reachable states only");
}

EngineRow eager_row() {
  EngineRow out = row("context-eager",
                      "round robin of fixed threads up to a number of contexts, guessing all "
                      "states between them");
  out.run = run_eager;
  return out;
}

}  // namespace heddle::engine::context
