#include "output/program_text.hpp"

#include <vector>

#include "output/kinds.hpp"
#include "output/listed_run.hpp"
#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using model::values_text;
using model::boolean::Flow;

constexpr std::size_t kElementsShown = 10;

std::string values_or_nothing(const model::NamedValues& values) {
  return values.empty() ? "no variables" : values_text(values);
}

std::string moment_lines(const Moment& moment) {
  std::string out = "  start  shared " + values_or_nothing(moment.values) + "\n";
  for (const ListedThread& thread : moment.threads)
    out += "         " + thread.name + " at " + thread.state + "  " +
           values_or_nothing(thread.values) + "\n";
  return out;
}

std::string element_text(const Flow& flow, const answer::ProgramElement& element) {
  std::string out = values_text(shared_values(flow, element.shared));
  out = out.empty() ? "any shared values" : out;
  for (const answer::ThreadCube& thread : element.threads) {
    const std::string values = values_text(local_values(flow, thread.node, thread.values));
    out += " | " + node_text(flow, thread.node) + (values.empty() ? "" : " " + values);
  }
  return out;
}

std::string these(std::size_t sets) {
  return sets == 1 ? "this set" : "any of these " + counted(sets, "set");
}

/// What the sets of states are in terms of.
std::string abstraction_text(const Flow& flow, const model::boolean::Abstraction& abstraction) {
  return "  abstraction: " +
         counted(abstraction.shared.count() + abstraction.local.count(), "variable") +
         " tracked, the others arbitrary; " + counted(abstraction.classes.size(), "location") +
         " of the program merged into " + std::to_string(flow.nodes.size()) +
         ", each named by its first\n";
}

}  // namespace

std::string program_run_text(const model::ProgramTask& task, const answer::ProgramRun& run,
                             const TextOptions& options) {
  const ListedRun listed = list_run(task, run);
  if (listed.moments.empty()) return "  " + listed.broken + "\n";
  std::vector<StoryEntry> entries;
  for (const ListedStep& step : listed.steps) entries.push_back(step.entry);
  std::string out = moment_lines(listed.moments.front()) + entries_text(entries, "step", options);
  if (!listed.broken.empty()) out += "  the next step is impossible: " + listed.broken + "\n";
  if (!listed.reached.empty()) out += "  end    " + listed.reached + "\n";
  return out;
}

std::string program_basis_text(const model::ProgramTask& task, const answer::ProgramBasis& basis,
                               const TextOptions& options) {
  const auto flow = graph_of(task.model, basis.abstraction);
  if (!flow) return "  " + flow.error() + "\n";
  std::string out = basis.minimal.empty()
                        ? "  no thread can reach a failing assertion\n"
                        : "  no state in " + these(basis.minimal.size()) + " is reachable:\n";
  const std::size_t all = basis.minimal.size();
  const std::size_t few = options.verbose || all <= kElementsShown + 1 ? all : kElementsShown;
  for (std::size_t i = 0; i < few; ++i)
    out += "    " + element_text(*flow, basis.minimal[i]) + "\n";
  if (few < all)
    out += options.style.dim("    … " + std::to_string(all - few) + " more (--verbose shows all)") +
           "\n";
  if (basis.abstraction) out += abstraction_text(*flow, *basis.abstraction);
  if (basis.thread_states.empty()) return out;
  return out + "  because every thread is in one of " + counted(basis.thread_states.size(), "set") +
         " of thread states\n";
}

}  // namespace heddle::output
