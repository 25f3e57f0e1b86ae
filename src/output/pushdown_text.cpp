#include "output/pushdown_text.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "output/kinds.hpp"
#include "output/listed_run.hpp"
#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::StackAutomaton;
using answer::StackProduct;

constexpr std::size_t kProductsShown = 10;

/// The heading of a context; told apart from steps by its missing number.
StoryEntry context_heading(std::size_t context, std::uint32_t thread) {
  StoryEntry heading;
  heading.who = "context " + std::to_string(context) + ", thread " + std::to_string(thread);
  return heading;
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

std::string pushdown_trace_text(const model::PushdownTask& task, const answer::PushdownRun& trace,
                                const TextOptions& options) {
  const ListedRun run = list_run(task, trace);
  if (run.moments.empty()) return "  " + run.broken + "\n";
  std::vector<StoryEntry> entries;
  std::size_t contexts = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (i == 0 || run.steps[i].thread != run.steps[i - 1].thread)
      entries.push_back(context_heading(++contexts, run.steps[i].thread));
    entries.push_back(run.steps[i].entry);
  }
  std::string out =
      "  start  " + run.moments.front().text + "\n" + entries_text(entries, "line", options);
  if (!run.broken.empty()) return out + "  the next step is impossible: " + run.broken + "\n";
  out += "  end    " + run.moments.back().text;
  if (run.reached.empty()) return out + "\n";
  return out + "  " + run.reached + "  in " + counted(contexts, "context") + "\n";
}

std::string pushdown_invariant_text(const model::PushdownTask&,
                                    const answer::PushdownInvariant& invariant,
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
