#include "engine/onthefly/reachable_pairs.hpp"

/// Backward search for a mutual exclusion meets elements such as ⟨one thread in the section, a
/// second one in front of it, a third one that is about to open the lock⟩. The third one must be in
/// the section, too, and so the element has no reachable state; but to see that takes further
/// steps, for all combinations of three positions, and with several locks of four or five.
///
/// A lemma says of two threads that they never look like this together. If it holds, then its
/// element may be added to the search as if it were a failure: the basis in the end has no initial
/// state, contains every failure and all predecessors, as before, and whatever includes the pair
/// is included. Where do lemmas come from? All states that two or three threads reach are listed.
/// When the search meets an element of which one or two threads are in none of these states, they
/// become a lemma, with as few of their literals as possible. What more threads reach may refute a
/// lemma: then an initial state is met by way of it, and the search has to do without lemmas.

#include <algorithm>
#include <set>

#include "engine/onthefly/forward_states.hpp"

namespace heddle::engine::onthefly {

using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::Valuation;

std::optional<ReachablePairs> ReachablePairs::find(const Flow& given, std::size_t threads,
                                                   base::RunContext& context) {
  const auto few = with_few_starts(given, threads);
  if (!few) return std::nullopt;
  const Flow& flow = *few;
  const auto edges = flow.edges_by_source();
  std::set<State> seen;
  std::vector<const State*> queue;
  bool failed = false;
  const auto meet = [&](State state) {
    std::ranges::sort(state.threads);
    failed = failed || has_failed(flow, state);
    const auto [it, is_new] = seen.insert(std::move(state));
    if (is_new) queue.push_back(&*it);
  };
  ReachablePairs out;
  for (State& state : initial_states(flow, threads)) meet(std::move(state));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (failed || queue.size() > kMostStates || context.step()) return std::nullopt;
    const State& state = *queue[i];
    out.add(state);
    if (state.threads.size() > threads) continue;
    for (std::uint32_t k = 0; k < state.threads.size(); ++k)
      for (const EdgeId edge : edges[state.threads[k].node.index()])
        for_each_outcome(flow.edges[edge.index()], state.shared, state.threads[k].values,
                         [&](const model::boolean::NextValues& outcome) {
                           const Step step{k, edge, outcome, std::nullopt, {}};
                           for_each_completion(flow, state, step,
                                               [&](const Step&, const State& after) {
                                                 meet(after);
                                                 return true;
                                               });
                           return !failed;
                         });
  }
  out.sort();
  return out;
}

void ReachablePairs::add(const State& state) {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const auto& a = state.threads[i];
    threads_[a.node].emplace_back(state.shared, a.values);
    for (std::size_t j = i + 1; j < state.threads.size(); ++j) {
      const auto& b = state.threads[j];  // not before a: threads are sorted
      pairs_[{a.node, b.node}].push_back({state.shared, a.values, b.values});
      if (a.node == b.node) pairs_[{a.node, b.node}].push_back({state.shared, b.values, a.values});
    }
  }
}

void ReachablePairs::sort() {
  const auto tidy = [](auto& list) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  };
  for (auto& entry : pairs_) tidy(entry.second);
  for (auto& entry : threads_) tidy(entry.second);
}

/// Precondition: one or two threads.
bool ReachablePairs::has(const Element& element) const {
  const auto& threads = element.threads;
  if (threads.size() == 1) {
    const auto it = threads_.find(threads[0].node);
    return it != threads_.end() && std::ranges::any_of(it->second, [&](const auto& seen) {
             return element.shared.contains(seen.first) && threads[0].values.contains(seen.second);
           });
  }
  const auto it = pairs_.find({threads[0].node, threads[1].node});
  return it != pairs_.end() && std::ranges::any_of(it->second, [&](const Pair& seen) {
           return element.shared.contains(seen.shared) && threads[0].values.contains(seen.first) &&
                  threads[1].values.contains(seen.second);
         });
}

/// Leaves out literals as long as no state is found that has the others.
void ReachablePairs::widen(Element& element) const {
  const auto drop = [&](Cube& cube) {
    for (Valuation left = cube.mask; left != 0;) {
      const Valuation variable = bit(left.lowest());
      left = left & ~variable;
      const Cube before = cube;
      cube = cube.without(variable);
      if (has(element)) cube = before;
    }
  };
  drop(element.shared);
  for (ThreadCube& thread : element.threads) drop(thread.values);
}

std::optional<Element> ReachablePairs::generalised(const Element& element) const {
  const auto& threads = element.threads;
  const auto as_lemma = [&](Element part) -> std::optional<Element> {
    if (has(part)) return std::nullopt;
    widen(part);
    std::ranges::sort(part.threads);
    return part;
  };
  for (const ThreadCube& thread : threads)
    if (auto lemma = as_lemma({element.shared, {thread}})) return lemma;
  for (std::size_t i = 0; i < threads.size(); ++i)
    for (std::size_t j = i + 1; j < threads.size(); ++j)
      if (auto lemma = as_lemma({element.shared, {threads[i], threads[j]}})) return lemma;
  return std::nullopt;
}

}  // namespace heddle::engine::onthefly
