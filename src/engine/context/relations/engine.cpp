#include "engine/context/context.hpp"

#include "engine/context/diagram_work.hpp"
#include "engine/context/relations/rounds.hpp"
#include "engine/search_verdict.hpp"
#include "transform/fixed_threads.hpp"

namespace heddle::engine::context {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;

/// Without a bound from the user, nothing is asked for beyond this many rounds.
constexpr std::uint32_t kDeepest = 8;

Acceptance accepts(const model::ProgramTask& task) {
  const auto threads = transform::fixed_threads(task);
  return threads ? Acceptance{} : Acceptance{threads.error()};
}

Acceptance accepts_sequential(const model::ProgramTask& task) {
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

Verdict unsafe(const Rounds& rounds) { return answer::Unsafe{run_of(rounds)}; }

/// A round takes several times as long as those before it, and the check longer than all of them.
bool time_for_more(const RunContext& context, std::chrono::nanoseconds start) {
  return is_small_part(start, 40, context);
}

Verdict play(const model::ProgramTask& task, Guessing guessing, RunContext& context) {
  const auto start = cpu_time();
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
  return answer::SafeUpTo{answer::context_bound(base::Integer(rounds.round())),
                          rounds.certificate()};
}

Verdict run_lazy(const model::ProgramTask& task, const NoOptions&, RunContext& context) {
  return play(task, Guessing::Lazy, context);
}

Verdict run_eager(const model::ProgramTask& task, const NoOptions&, RunContext& context) {
  return play(task, Guessing::Eager, context);
}

EngineRow described(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .models = "Boolean programs with a fixed number of threads, recursive or not",
          .proves = true,
          .refutes = true,
          .complete = false,
          .counts_contexts = true,
          .evidence = {"trace", "context_relations"}};
}

}  // namespace

EngineRow sequential_row() {
  EngineRow out =
      described("sequential", "summaries of the procedures of a program with one thread");
  out.models = "Boolean programs with one thread, recursive or not";
  out.complete = true;
  return row_for(std::move(out), accepts_sequential, run_lazy, refusal());
}

EngineRow lazy_row() {
  return row_for(described("context-lazy",
                           "round robin of fixed threads up to a number of contexts, from "
                           "reachable states only"),
                 accepts, run_lazy, refusal());
}

EngineRow eager_row() {
  return row_for(described("context-eager",
                           "round robin of fixed threads up to a number of contexts, guessing all "
                           "states between them"),
                 accepts, run_eager, refusal());
}

}  // namespace heddle::engine::context
