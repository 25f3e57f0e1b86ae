#include "output/program_text.hpp"

#include <vector>

#include "output/listed_run.hpp"
#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using model::boolean::Flow;
using model::boolean::values_text;

constexpr std::size_t kElementsShown = 10;

std::string values_or_nothing(const model::boolean::NamedValues& values) {
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

}  // namespace

std::string program_run_text(const model::Task& task, const answer::Trace& trace,
                             const TextOptions& options) {
  const ListedRun run = list_run(task, trace);
  if (run.moments.empty()) return "  " + run.broken + "\n";
  std::vector<StoryEntry> entries;
  for (const ListedStep& step : run.steps) entries.push_back(step.entry);
  std::string out = moment_lines(run.moments.front()) + entries_text(entries, "step", options);
  if (!run.broken.empty()) out += "  the next step is impossible: " + run.broken + "\n";
  if (!run.reached.empty()) out += "  end    " + run.reached + "\n";
  return out;
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
