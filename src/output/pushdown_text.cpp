#include "output/pushdown_text.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::StackAutomaton;
using answer::StackProduct;
using model::PushdownConfiguration;
using model::PushdownRule;
using model::PushdownSystem;

constexpr std::size_t kStepsAtEachEnd = 20;
constexpr std::size_t kProductsShown = 10;

StoryEntry entry_of(const PushdownRule& rule, const PushdownConfiguration& after,
                    std::size_t number) {
  StoryEntry entry;
  entry.number = std::to_string(number);
  entry.who = "thread " + std::to_string(rule.thread + 1);
  entry.change = model::to_string(rule);
  entry.where =
      (rule.line == 0 ? "" : "line " + std::to_string(rule.line) + "  ") + model::to_string(after);
  return entry;
}

/// The heading of a context; told apart from steps by its missing number.
StoryEntry context_heading(std::size_t context, std::uint32_t thread) {
  StoryEntry heading;
  heading.who = "context " + std::to_string(context) + ", thread " + std::to_string(thread + 1);
  return heading;
}

std::string entries_text(const std::vector<StoryEntry>& entries, const TextOptions& options) {
  const StoryColumns columns = measure(entries);
  const bool all = options.verbose || entries.size() <= 2 * kStepsAtEachEnd + 1;
  std::string out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!all && i == kStepsAtEachEnd)
      out += options.style.dim("  … " + counted(entries.size() - 2 * kStepsAtEachEnd, "line") +
                               " not shown (--verbose shows all)") +
             "\n";
    if (all || i < kStepsAtEachEnd || i + kStepsAtEachEnd >= entries.size())
      out += entry_text(entries[i], columns, options.style);
  }
  return out;
}

/// The tops of a state's stacks: `1,3,-`; `-` for the empty stack.
std::string tops_text(const StackAutomaton& automaton, std::uint32_t state) {
  if (state >= automaton.states.size()) return "?";
  std::string out;
  for (const auto& edge : automaton.states[state].edges)
    out += (out.empty() ? "" : ",") + std::to_string(edge.first.value);
  if (automaton.states[state].accepting) out += out.empty() ? "-" : ",-";
  return "{" + out + "}";
}

std::string product_text(const answer::PushdownInvariant& invariant, const StackProduct& product) {
  std::string out = std::to_string(product.shared.value) + "|";
  for (std::size_t i = 0; i < product.stacks.size() && i < invariant.automata.size(); ++i)
    out += (i == 0 ? "" : ",") + tops_text(invariant.automata[i], product.stacks[i]);
  return out;
}

}  // namespace

std::string pushdown_trace_text(const model::Task& task, const answer::Trace& trace,
                                const TextOptions& options) {
  const auto& system = std::get<PushdownSystem>(task.model);
  auto state = model::with_tops(system, trace.initial);
  if (!state) return "  the trace does not start in a state of the system\n";
  std::string out = "  start  " + model::to_string(*state) + "\n";
  std::vector<StoryEntry> entries;
  std::size_t steps = 0;
  std::size_t contexts = 0;
  std::uint32_t last = UINT32_MAX;
  for (const answer::TraceBlock& block : trace.blocks)
    for (const answer::TraceStep& step : block.body) {
      const auto after = model::step(system, *state, step.transition);
      if (!after)
        return out + entries_text(entries, options) +
               "  the next step is impossible: " + after.error() + "\n";
      const PushdownRule& rule = system.transitions[step.transition.index()];
      if (rule.thread != last) entries.push_back(context_heading(++contexts, rule.thread));
      last = rule.thread;
      entries.push_back(entry_of(rule, *after, ++steps));
      state = *after;
    }
  out += entries_text(entries, options) + "  end    " + model::to_string(*state);
  for (const model::Region& target : task.question.targets)
    if (model::target_region_contains(target, model::visible(*state)))
      return out + "  reaches " + model::target_to_string(task.model, target) + "  in " +
             counted(contexts, "context") + "\n";
  return out + "\n";
}

std::string pushdown_invariant_text(const model::Task&, const answer::PushdownInvariant& invariant,
                                    const TextOptions& options) {
  std::set<model::SharedState> shared;
  for (const StackProduct& product : invariant.products) shared.insert(product.shared);
  const std::size_t all = invariant.products.size();
  const bool bounded = std::ranges::any_of(
      invariant.products, [](const StackProduct& product) { return product.turn > 0; });
  std::string out = (bounded ? "  every configuration within the bound is in one of "
                             : "  every reachable configuration is in one of ") +
                    counted(all, "set") + " over " + counted(shared.size(), "shared state") +
                    "; with the tops that are seen in them:\n";
  const std::size_t few = options.verbose || all <= kProductsShown + 1 ? all : kProductsShown;
  for (std::size_t i = 0; i < few; ++i)
    out += "    " + product_text(invariant, invariant.products[i]) + "\n";
  if (few < all)
    out += options.style.dim("    … " + std::to_string(all - few) + " more (--verbose shows all)") +
           "\n";
  return out;
}

}  // namespace heddle::output
