/// The way back from the pushdown system of a Boolean program.
///
/// A trace is the run of the steps that its rules are; the second half of a return, and the step
/// that tells a failure, belong to the rule before them. A union of products keeps those of its
/// products whose shared state is a valuation. They are closed under the steps of the program: the
/// step of a return goes from one of them through products between its halves to one of them. The
/// same holds turn by turn, since both halves are steps of one thread: if the first leads to a
/// product of turn t by the thread's turn u, the second leads from there to one of turn u at most.
///
/// In stacks, a symbol for a procedure at a node and one for a procedure that waits there become
/// the same frame: which is meant is clear from its place, top or below.

#include <algorithm>
#include <map>

#include "base/invariant.hpp"
#include "transform/program_to_pushdown.hpp"

namespace heddle::transform {

namespace {

using answer::ProgramStacks;
using answer::PushdownInvariant;
using answer::StackFrame;

answer::ProgramRun run_of(const ProgramAsPushdown& translation, const answer::PushdownRun& stacks) {
  answer::ProgramRun run;
  run.keeps_calls = true;
  run.initial.shared = translation.shared[stacks.initial.shared.index()].values;
  for (const auto& symbols : translation.symbols)
    run.initial.threads.push_back({symbols.front().node, symbols.front().values});
  for (const answer::PushdownStep& step : stacks.steps)
    if (const auto& origin = translation.origins[step.rule.index()])
      run.steps.push_back({step.thread->value, origin->edge, origin->outcome, std::nullopt, {}});
  return run;
}

/// Gives numbers to what the claim speaks of.
class FrameTables {
 public:
  explicit FrameTables(const ProgramAsPushdown& translation) : translation_(translation) {}

  ProgramStacks stacks_of(const PushdownInvariant& invariant) {
    for (const answer::StackProduct& product : invariant.products) {
      const ProgramAsPushdown::Shared& shared = translation_.shared[product.shared.index()];
      if (shared.results) continue;
      answer::StackProduct kept = product;
      kept.shared = model::SharedState(number(shared.values, shared_, out_.shared));
      out_.sets.products.push_back(std::move(kept));
    }
    for (std::size_t i = 0; i < invariant.automata.size(); ++i)
      out_.sets.automata.push_back(automaton(invariant.automata[i], i));
    return std::move(out_);
  }

 private:
  using Edges = std::vector<std::pair<model::StackSymbol, std::uint32_t>>;

  template <class Value>
  static std::uint32_t number(const Value& value, std::map<Value, std::uint32_t>& numbers,
                              std::vector<Value>& table) {
    const auto [it, fresh] = numbers.try_emplace(value, static_cast<std::uint32_t>(table.size()));
    if (fresh) table.push_back(value);
    return it->second;
  }

  /// What is left of the thread's automaton: the states that its products lead to.
  answer::StackAutomaton automaton(const answer::StackAutomaton& given, std::size_t thread) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> kept;
    for (answer::StackProduct& product : out_.sets.products)
      product.stacks[thread] = number(product.stacks[thread], numbers, kept);
    answer::StackAutomaton out;
    for (std::size_t i = 0; i < kept.size(); ++i) {  // grows
      auto& state = out.states.emplace_back(given.states[kept[i]].accepting, Edges{});
      for (const auto& [symbol, target] : given.states[kept[i]].edges)
        state.edges.emplace_back(frame_of(translation_.symbols[thread][symbol.index()]),
                                 number(target, numbers, kept));
      sort(state.edges);
    }
    return out;
  }

  model::StackSymbol frame_of(const ProgramAsPushdown::Symbol& symbol) {
    return model::StackSymbol(number(StackFrame{symbol.node, symbol.values}, frames_, out_.frames));
  }

  static void sort(Edges& edges) {
    std::ranges::sort(edges);
    const auto twice = std::ranges::adjacent_find(
        edges, [](const auto& a, const auto& b) { return a.first == b.first; });
    HEDDLE_INVARIANT(twice == edges.end(), "tops and callers should not be mixed");
  }

  const ProgramAsPushdown& translation_;
  ProgramStacks out_;
  std::map<model::boolean::Valuation, std::uint32_t> shared_;
  std::map<StackFrame, std::uint32_t> frames_;
};

answer::Certificate stacks_of(const ProgramAsPushdown& translation,
                              const answer::Certificate& certificate) {
  return FrameTables(translation).stacks_of(std::get<PushdownInvariant>(certificate));
}

}  // namespace

answer::Verdict translate_back(const ProgramAsPushdown& translation,
                               const answer::Verdict& verdict) {
  if (const auto* unsafe = std::get_if<answer::Unsafe>(&verdict))
    return answer::Unsafe{run_of(translation, std::get<answer::PushdownRun>(unsafe->trace))};
  if (const auto* safe = std::get_if<answer::Safe>(&verdict))
    return answer::Safe{stacks_of(translation, safe->certificate)};
  if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    return answer::SafeUpTo{bounded->bound, stacks_of(translation, bounded->certificate)};
  return verdict;
}

}  // namespace heddle::transform
