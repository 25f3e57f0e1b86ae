/// The engine `context-joint`: from a task to a search, with deeper stacks as long as they are
/// needed, and from the search to an answer.

#include "engine/context/context.hpp"
#include "engine/context/joint_search.hpp"
#include "engine/context/threads.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::context {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;

/// How often a procedure may be on a stack, at most.
constexpr std::uint32_t kDeepestStack = 64;

Acceptance accepts_joint(const model::Task& task) {
  const auto threads = threads_of(task);
  return threads ? Acceptance{} : Acceptance{threads.error()};
}

std::optional<std::vector<ThreadPlaces>> places_of(const Threads& threads, std::uint32_t deepest) {
  std::vector<ThreadPlaces> out;
  for (const NodeId start : threads.starts) {
    auto places = ThreadPlaces::from(threads.flow, start, deepest);
    if (!places) return std::nullopt;
    out.push_back(std::move(*places));
  }
  return out;
}

void report(const JointSearch& search, RunContext& context) {
  std::size_t places = 0;
  for (const ThreadPlaces& thread : search.system().threads()) places += thread.count();
  const auto set = [&](std::string_view name, std::size_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("threads", search.system().threads().size());
  set("rounds", search.round());
  set("places", places);
  set("diagram_nodes", search.system().space().nodes_in_use());
}

/// Half of the time is left for the check.
bool time_for_a_round(const RunContext& context, std::chrono::steady_clock::time_point start) {
  const auto& deadline = context.limits().deadline;
  return !deadline || std::chrono::steady_clock::now() - start < (*deadline - start) / 4;
}

/// The answer; nothing if stacks were too deep for it.
std::optional<Verdict> search_through(JointSearch& search,
                                      const std::optional<std::uint32_t>& asked,
                                      RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  while (!search.closed() && (!asked || search.round() < *asked) &&
         (asked || search.round() == 0 || time_for_a_round(context, start))) {
    if (const auto stop = search.play(context))
      return Unknown{unknown_reason(*stop), "stopped in round " + std::to_string(search.round())};
    if (search.end() == JointSearch::End::CutOff) return std::nullopt;
    if (search.end() == JointSearch::End::Failed) {
      report(search, context);
      answer::Trace trace;
      trace.run = run_of(search);
      return answer::Unsafe{std::move(trace)};
    }
    context.emit({"no violation within", {{"contexts per thread", search.round()}}});
  }
  report(search, context);
  if (search.closed()) return answer::Safe{search.certificate()};
  return answer::SafeUpTo{{"contexts", base::Integer(search.round())}, search.certificate()};
}

Verdict run_joint(const model::Task& task, const Options&, RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the analysis began"};
  const auto threads = threads_of(task);
  if (!threads) return Unknown{UnknownReason::Unsupported, threads.error()};
  for (std::uint32_t deepest = 1; deepest <= kDeepestStack; deepest *= 2) {
    auto places = places_of(*threads, deepest);
    if (!places) break;
    const JointSystem system(threads->flow, std::move(*places), context.limits().memory_mb);
    JointSearch search(system);
    if (auto verdict = search_through(search, task.question.contexts, context)) return *verdict;
  }
  return Unknown{UnknownReason::Unsupported, "its stacks of calls grow too deep"};
}

}  // namespace

EngineRow joint_row() {
  return {.name = "context-joint",
          .summary = "configurations of all fixed threads together, calls unfolded, round by round",
          .models = "Boolean programs with a fixed number of threads",
          .proves = true,
          .refutes = true,
          .complete = false,
          .counts_contexts = true,
          .evidence = "program run, configuration sets",
          .options = {},
          .accepts = accepts_joint,
          .run = run_joint};
}

}  // namespace heddle::engine::context
