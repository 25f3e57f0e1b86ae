#include "output/listed_run.hpp"

#include <algorithm>
#include <ranges>

#include "base/integer.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "output/kinds.hpp"

namespace heddle::output {

namespace {

using model::PushdownConfiguration;
using model::PushdownRule;
using model::PushdownSystem;
using model::values_text;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::Step;

/// Calls of a thread that are told, innermost first; of a deep stack, how many there are beyond.
constexpr std::size_t kCallsShown = 12;

std::string nth_thread(std::size_t thread) { return "thread " + std::to_string(thread); }

// ------------------------------------------------------------ Boolean programs

std::string changes(const model::NamedValues& before, const model::NamedValues& after) {
  return values_text(changed_values(before, after));
}

Moment moment_of(const Flow& flow, const State& state) {
  Moment moment;
  moment.values = shared_values(flow, Cube::only(state.shared));
  moment.shared = moment.text = values_text(moment.values);
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const auto& thread = state.threads[i];
    ListedThread listed{nth_thread(i), node_text(flow, thread.node),
                        local_values(flow, thread.node, Cube::only(thread.values))};
    for (const auto& caller : thread.callers | std::views::reverse | std::views::take(kCallsShown))
      if (std::ranges::find(flow.starts, caller.node) == flow.starts.end())  // which calls main
        listed.state += " in " + node_text(flow, caller.node);
    if (thread.callers.size() > kCallsShown)
      listed.state += " in " + base::counted(thread.callers.size() - kCallsShown, "more call");
    const std::string values = values_text(listed.values);
    moment.text +=
        (moment.text.empty() ? "" : " | ") + listed.state + (values.empty() ? "" : " " + values);
    moment.threads.push_back(std::move(listed));
  }
  return moment;
}

ListedStep step_of(const Flow& flow, const Step& step, const Moment& before, const State& was,
                   const Moment& after, const State& is) {
  const FlowEdge& edge = flow.edges[step.edge.index()];
  ListedStep listed{{}, step.thread, std::nullopt, {}};
  StoryEntry& entry = listed.entry;
  entry.who = nth_thread(step.thread);
  entry.change = edge.text;
  entry.where = "line " + std::to_string(edge.at.line);
  entry.place = {0, edge.at.line, edge.at.column};
  if (const auto shared = changes(before.values, after.values); !shared.empty())
    entry.details.push_back("shared " + shared);
  const bool same_frame = edge.kind != EdgeKind::Call && edge.kind != EdgeKind::Return;
  const std::string local =
      changes(same_frame ? before.threads[step.thread].values : model::NamedValues{},
              after.threads[step.thread].values);
  if (!local.empty()) entry.details.push_back("local  " + local);
  const auto& active = is.threads[step.thread];
  if (edge.kind == EdgeKind::Return && !active.callers.empty())
    entry.details.push_back("back at " + node_text(flow, active.node));
  for (std::size_t i = 0; i < was.threads.size(); ++i) {
    if (i == step.thread || was.threads[i] == is.threads[i]) continue;
    const std::string changed = changes(before.threads[i].values, after.threads[i].values);
    const bool woken = was.threads[i].node != is.threads[i].node;
    entry.details.push_back((woken ? "wakes " : "sets in ") + nth_thread(i) +
                            (changed.empty() ? "" : " " + changed));
    listed.others.push_back(static_cast<std::uint32_t>(i));
  }
  if (edge.kind == EdgeKind::Spawn) {
    listed.started = static_cast<std::uint32_t>(is.threads.size() - 1);
    entry.details.push_back("starts " + nth_thread(*listed.started) + " at " +
                            node_text(flow, edge.child));
  }
  return listed;
}

ListedRun list_program_run(const model::BooleanProgram& program, const answer::ProgramRun& run) {
  ListedRun result;
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  const auto exists = [&](const auto& t) { return t.node.index() < flow->nodes.size(); };
  if (!flow) result.broken = "the program has no flow graph: " + flow.error();
  if (flow && !std::ranges::all_of(run.initial.threads, exists))
    result.broken = "the run does not start in a state of the program";
  if (!result.broken.empty()) return result;
  State state = run.initial;
  result.moments.push_back(moment_of(*flow, state));
  for (const Step& step : run.steps) {
    auto next = take(*flow, state, step);
    if (!next) {
      result.broken = next.error();
      return result;
    }
    result.moments.push_back(moment_of(*flow, *next));
    const Moment& before = result.moments[result.moments.size() - 2];
    result.steps.push_back(step_of(*flow, step, before, state, result.moments.back(), *next));
    state = std::move(*next);
  }
  for (std::size_t i = 0; i < state.threads.size() && result.reached.empty(); ++i)
    if (const NodeId node = state.threads[i].node; flow->nodes[node.index()].failed)
      result.reached = nth_thread(i) + " has failed at " + node_text(*flow, node);
  return result;
}

// ------------------------------------------------------------ pushdown systems

Moment moment_of(const PushdownConfiguration& configuration) {
  Moment moment{
      model::to_string(configuration), std::to_string(configuration.shared.value), {}, {}};
  for (std::size_t i = 0; i < configuration.stacks.size(); ++i) {
    const std::string whole = model::to_string({configuration.shared, {configuration.stacks[i]}});
    moment.threads.push_back({nth_thread(i), whole.substr(whole.find('|') + 1), {}});
  }
  return moment;
}

ListedStep step_of(const PushdownRule& rule, const PushdownConfiguration& after) {
  ListedStep listed{{}, rule.thread, std::nullopt, {}};
  listed.entry.who = nth_thread(rule.thread);
  listed.entry.change = model::to_string(rule);
  listed.entry.place.line = rule.line;
  listed.entry.where =
      (rule.line == 0 ? "" : "line " + std::to_string(rule.line) + "  ") + model::to_string(after);
  return listed;
}

ListedRun list_pushdown_run(const model::PushdownTask& task, const answer::PushdownRun& run) {
  const PushdownSystem& system = task.model;
  ListedRun result;
  auto state = model::initial_configuration(system, run.initial);
  if (!state) {
    result.broken = "the trace does not start in a state of the system";
    return result;
  }
  result.moments.push_back(moment_of(*state));
  for (const answer::PushdownStep& step : run.steps) {
    auto next = model::step(system, *state, step.rule);
    if (!next) {
      result.broken = next.error();
      return result;
    }
    result.steps.push_back(step_of(system.transitions[step.rule.index()], *next));
    result.moments.push_back(moment_of(*next));
    state = std::move(*next);
  }
  for (const model::VisibleState& target : task.question.targets)
    if (result.reached.empty() && model::meets(target, *state))
      result.reached = "reaches " + model::target_to_string(task.model, target);
  return result;
}

void number(ListedRun& run) {
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    run.steps[i].entry.number = std::to_string(i + 1);
}

}  // namespace

model::NamedValues changed_values(const model::NamedValues& before,
                                  const model::NamedValues& after) {
  model::NamedValues different;
  std::ranges::copy_if(after, std::back_inserter(different), [&](const auto& value) {
    return std::ranges::find(before, value) == before.end();
  });
  return different;
}

ListedRun list_run(const model::ProgramTask& task, const answer::ProgramRun& run,
                   std::span<const SourceFile>) {
  ListedRun listed = list_program_run(task.model, run);
  number(listed);
  return listed;
}

ListedRun list_run(const model::PushdownTask& task, const answer::PushdownRun& run,
                   std::span<const SourceFile>) {
  ListedRun listed = list_pushdown_run(task, run);
  number(listed);
  return listed;
}

}  // namespace heddle::output
