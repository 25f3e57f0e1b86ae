#include "check/program_replay.hpp"

#include <algorithm>
#include <string>

#include "model/boolean_program/interpreter.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using model::boolean::Flow;
using model::boolean::LocalState;
using model::boolean::State;

CheckResult refuted_run(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

bool is_initial(const Flow& flow, const State& state, const std::vector<model::Region>& regions) {
  if (!flow.initial_shared.contains(state.shared)) return false;
  const bool all_start = std::ranges::all_of(state.threads, [&](const LocalState& thread) {
    return thread.node == flow.start && flow.initial_local.contains(thread.values);
  });
  return all_start && std::ranges::any_of(regions, [&](const model::Region& region) {
           const model::CounterBound* bound = region.find(model::Counter(0U));
           return bound && bound->allows(base::Integer(state.threads.size()));
         });
}

}  // namespace

CheckResult replay_program(const model::Task& task, const answer::ProgramRun& run,
                           base::RunContext& context) {
  const auto flow = model::boolean::unfold(std::get<model::BooleanProgram>(task.model));
  if (!flow) return refuted_run("the program has no flow graph: " + flow.error());
  if (!is_initial(*flow, run.initial, task.question.initial))
    return refuted_run("the run does not start in an initial state");
  State state = run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (const auto stop = context.step())
      return {EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
    auto next = take(*flow, state, run.steps[i]);
    if (!next) return refuted_run("step " + std::to_string(i + 1) + " of the run: " + next.error());
    state = std::move(*next);
  }
  if (!has_failed(*flow, state)) return refuted_run("no thread has failed at the end of the run");
  return {EvidenceStatus::Confirmed, "replayed " + std::to_string(run.steps.size()) +
                                         (run.steps.size() == 1 ? " step" : " steps")};
}

}  // namespace heddle::check
