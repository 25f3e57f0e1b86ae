/// The engine `context-joint`: from a task to a search, with deeper stacks as long as they are
/// needed, and from the search to an answer.

#include "engine/context/joint.hpp"
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

std::optional<std::vector<ThreadPlaces>> places_of(const Threads& threads, std::uint32_t deepest) {
  std::vector<ThreadPlaces> out;
  for (const NodeId start : threads.starts) {
    auto places = ThreadPlaces::from(threads.flow, start, deepest);
    if (!places) return std::nullopt;
    out.push_back(std::move(*places));
  }
  return out;
}

/// The answer; nothing if stacks were too deep for it.
std::optional<Verdict> search_forward(const JointSystem& system,
                                      const std::optional<std::uint32_t>& asked,
                                      RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  JointSearch search(system);
  while (!search.closed() && (!asked || search.round() < *asked) &&
         (asked || search.round() == 0 || time_for_a_round(context, start))) {
    if (const auto stop = search.play(context))
      return Unknown{unknown_reason(*stop), "stopped in round " + std::to_string(search.round())};
    if (search.end() == JointSearch::End::CutOff) return std::nullopt;
    if (search.end() == JointSearch::End::Failed) {
      report_joint(system, search.round(), context);
      answer::Trace trace;
      trace.run = run_of(search);
      return answer::Unsafe{std::move(trace)};
    }
    context.emit({"no violation within", {{"contexts per thread", search.round()}}});
  }
  report_joint(system, search.round(), context);
  if (search.closed()) return answer::Safe{search.certificate()};
  return answer::SafeUpTo{{"contexts", base::Integer(search.round())}, search.certificate()};
}

Verdict run_joint(const model::Task& task, const Options&, RunContext& context) {
  return answer_jointly(task, search_forward, context);
}

}  // namespace

Acceptance accepts_joint(const model::Task& task) {
  const auto threads = threads_of(task);
  return threads ? Acceptance{} : Acceptance{threads.error()};
}

void report_joint(const JointSystem& system, std::uint32_t rounds, RunContext& context) {
  std::size_t places = 0;
  for (const ThreadPlaces& thread : system.threads()) places += thread.count();
  const auto set = [&](std::string_view name, std::size_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("threads", system.threads().size());
  set("rounds", rounds);
  set("places", places);
  set("diagram_nodes", system.space().nodes_in_use());
}

bool time_for_a_round(const RunContext& context, std::chrono::steady_clock::time_point start) {
  const auto& deadline = context.limits().deadline;
  return !deadline || std::chrono::steady_clock::now() - start < (*deadline - start) / 4;
}

Verdict answer_jointly(const model::Task& task, JointAnswer search, RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the analysis began"};
  const auto threads = threads_of(task);
  if (!threads) return Unknown{UnknownReason::Unsupported, threads.error()};
  for (std::uint32_t deepest = 1; deepest <= kDeepestStack; deepest *= 2) {
    auto places = places_of(*threads, deepest);
    if (!places) break;
    const JointSystem system(threads->flow, std::move(*places), context.limits().memory_mb);
    if (auto verdict = search(system, task.question.contexts, context)) return *verdict;
  }
  return Unknown{UnknownReason::Unsupported, "its stacks of calls grow too deep"};
}

EngineRow joint_row() {
  return {.name = "context-joint",
          .summary = "configurations of all fixed threads together, calls unfolded, round by round",
          .models = "Boolean programs with a fixed number of threads",
          .proves = true,
          .refutes = true,
          .complete = false,
          .counts_contexts = true,
          .evidence = "program run, turn facts",
          .options = {},
          .accepts = accepts_joint,
          .run = run_joint};
}

}  // namespace heddle::engine::context
