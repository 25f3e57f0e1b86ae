#include "check/program/program_replay.hpp"

#include <algorithm>
#include <string>

#include "model/boolean_program/interpreter.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using model::boolean::Flow;
using model::boolean::State;
using model::boolean::ThreadConfiguration;
using model::boolean::Valuation;

CheckResult refuted_run(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

/// One thread at each start, if the program lists its threads; otherwise all at the only start.
bool are_at_starts(const Flow& flow, const std::vector<ThreadConfiguration>& threads) {
  const bool listed = flow.lists_threads;
  if (listed && threads.size() != flow.starts.size()) return false;
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].node != (listed ? flow.starts[i] : flow.start) || !threads[i].callers.empty() ||
        !flow.initial_local.contains(threads[i].values))
      return false;
  return true;
}

/// Has the state values of no other variables than those that the program has?
bool is_state_of(const Flow& flow, const State& state) {
  const auto exceeds = [](std::size_t variables, const Valuation& values) {
    return (values & ~Valuation::first(variables)) != 0;
  };
  return !exceeds(flow.shared_names.size(), state.shared) &&
         std::ranges::none_of(state.threads, [&](const ThreadConfiguration& thread) {
           return exceeds(flow.local_count, thread.values);
         });
}

bool is_initial(const Flow& flow, const State& state,
                const std::vector<model::ThreadsInMain>& numbers) {
  if (!is_state_of(flow, state)) return false;
  if (!flow.initial_shared.contains(state.shared) || !are_at_starts(flow, state.threads))
    return false;
  const base::Integer count = flow.lists_threads ? 1 : base::Integer(state.threads.size());
  return std::ranges::any_of(
      numbers, [&](const model::ThreadsInMain& threads) { return threads.allows(count); });
}

}  // namespace

CheckResult replay_program(const model::ProgramTask& task, const answer::ProgramRun& run,
                           base::RunContext& context) {
  const model::BooleanProgram& program = task.model;
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  if (!flow) return refuted_run("the program has no flow graph: " + flow.error());
  if (!is_initial(*flow, run.initial, task.question.initial))
    return refuted_run("the run does not start in an initial state");
  const std::size_t rounds = model::boolean::round_count(run.steps);
  if (task.question.contexts && rounds > *task.question.contexts)
    return refuted_run("the run needs " + base::counted(rounds, "round"));
  State state = run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (const auto stop = context.step())
      return {EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
    auto next = take(*flow, state, run.steps[i]);
    if (!next) return refuted_run("step " + std::to_string(i + 1) + " of the run: " + next.error());
    state = std::move(*next);
  }
  if (!has_failed(*flow, state)) return refuted_run("no thread has failed at the end of the run");
  return {EvidenceStatus::Confirmed, "replayed " + base::counted(run.steps.size(), "step")};
}

}  // namespace heddle::check
