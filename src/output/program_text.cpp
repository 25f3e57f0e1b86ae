#include "output/program_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "model/boolean_program/interpreter.hpp"
#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::Valuation;

constexpr std::size_t kShownAtEachEnd = 20;
constexpr std::size_t kElementsShown = 10;

std::string thread_name(std::size_t thread) { return "thread " + std::to_string(thread); }

std::string or_nothing(const std::string& text) { return text.empty() ? "no variables" : text; }

/// The variables that differ, with their new values.
Cube difference(Valuation before, Valuation after) {
  const Valuation changed = before ^ after;
  return {changed, after & changed};
}

StoryEntry entry_of(const Flow& flow, const State& before, const Step& step, const State& after,
                    std::size_t number) {
  const FlowEdge& edge = flow.edges[step.edge.index()];
  StoryEntry entry;
  entry.number = std::to_string(number);
  entry.who = thread_name(step.thread);
  entry.change = edge.text;
  entry.where = "line " + std::to_string(edge.at.line);
  const std::string shared = shared_text(flow, difference(before.shared, after.shared));
  if (!shared.empty()) entry.details.push_back("shared " + shared);
  const model::boolean::LocalState& thread = after.threads[step.thread];
  const bool same_frame = edge.kind != EdgeKind::Call && edge.kind != EdgeKind::Return;
  const std::string local =
      local_text(flow, thread.node,
                 same_frame ? difference(before.threads[step.thread].values, thread.values)
                            : Cube::only(thread.values));
  if (!local.empty()) entry.details.push_back("local  " + local);
  if (edge.kind == EdgeKind::Return && !thread.callers.empty())
    entry.details.push_back("back at " + node_text(flow, thread.node));
  for (std::size_t i = 0; i < before.threads.size(); ++i) {
    if (i == step.thread || before.threads[i] == after.threads[i]) continue;
    const std::string changed = local_text(
        flow, after.threads[i].node, difference(before.threads[i].values, after.threads[i].values));
    const bool woken = before.threads[i].node != after.threads[i].node;
    entry.details.push_back((woken ? "wakes " : "sets in ") + thread_name(i) +
                            (changed.empty() ? "" : " " + changed));
  }
  if (edge.kind == EdgeKind::Spawn)
    entry.details.push_back("starts " + thread_name(after.threads.size() - 1) + " at " +
                            node_text(flow, edge.child));
  return entry;
}

std::string start_text(const Flow& flow, const State& state) {
  std::string out =
      "  start  shared " + or_nothing(shared_text(flow, Cube::only(state.shared))) + "\n";
  for (std::size_t i = 0; i < state.threads.size(); ++i)
    out +=
        "         " + thread_name(i) + " at " + node_text(flow, state.threads[i].node) + "  " +
        or_nothing(local_text(flow, state.threads[i].node, Cube::only(state.threads[i].values))) +
        "\n";
  return out;
}

std::string shown(const std::vector<StoryEntry>& entries, const TextOptions& options) {
  const StoryColumns columns = measure(entries);
  const bool all = options.verbose || entries.size() <= 2 * kShownAtEachEnd + 1;
  std::string out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!all && i == kShownAtEachEnd)
      out += options.style.dim("  … " + counted(entries.size() - 2 * kShownAtEachEnd, "step") +
                               " not shown (--verbose shows all)") +
             "\n";
    if (all || i < kShownAtEachEnd || i + kShownAtEachEnd >= entries.size())
      out += entry_text(entries[i], columns, options.style);
  }
  return out;
}

std::string element_text(const Flow& flow, const answer::ProgramElement& element) {
  std::string out = shared_text(flow, element.shared);
  out = out.empty() ? "any shared values" : out;
  for (const answer::ThreadCube& thread : element.threads) {
    const std::string values = local_text(flow, thread.node, thread.values);
    out += " | " + node_text(flow, thread.node) + (values.empty() ? "" : " " + values);
  }
  return out;
}

}  // namespace

std::string program_run_text(const model::Task& task, const answer::ProgramRun& run,
                             const TextOptions& options) {
  const auto& program = std::get<model::BooleanProgram>(task.model);
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  if (!flow) return "  the program has no flow graph: " + flow.error() + "\n";
  const bool exists = std::ranges::all_of(
      run.initial.threads, [&](const auto& t) { return t.node.index() < flow->nodes.size(); });
  if (!exists) return "  the run does not start in a state of the program\n";
  State state = run.initial;
  std::vector<StoryEntry> entries;
  std::string end;
  for (const Step& step : run.steps) {
    const auto after = take(*flow, state, step);
    if (!after) {
      end = "  the next step is impossible: " + after.error() + "\n";
      break;
    }
    entries.push_back(entry_of(*flow, state, step, *after, entries.size() + 1));
    state = *after;
  }
  for (std::size_t i = 0; i < state.threads.size() && end.empty(); ++i)
    if (const NodeId node = state.threads[i].node; flow->nodes[node.index()].failed)
      end = "  end    " + thread_name(i) + " has failed at " + node_text(*flow, node) + "\n";
  return start_text(*flow, run.initial) + shown(entries, options) + end;
}

std::string program_basis_text(const model::Task& task, const answer::ProgramBasis& basis,
                               const TextOptions& options) {
  const auto flow = model::boolean::unfold(std::get<model::BooleanProgram>(task.model));
  if (!flow) return "  the program has no flow graph: " + flow.error() + "\n";
  std::string out = basis.minimal.empty() ? "  no thread can get where an assertion fails\n"
                                          : "  no reachable state is one of these " +
                                                counted(basis.minimal.size(), "kind") + ":\n";
  const std::size_t all = basis.minimal.size();
  const std::size_t few = options.verbose || all <= kElementsShown + 1 ? all : kElementsShown;
  for (std::size_t i = 0; i < few; ++i)
    out += "    " + element_text(*flow, basis.minimal[i]) + "\n";
  if (few < all)
    out += options.style.dim("    … " + std::to_string(all - few) + " more (--verbose shows all)") +
           "\n";
  if (basis.thread_states.empty()) return out;
  return out + "  because every thread is in one of " + counted(basis.thread_states.size(), "set") +
         " of thread states\n";
}

}  // namespace heddle::output
