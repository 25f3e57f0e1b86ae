#include "check/pushdown/stack_inclusion.hpp"

#include <algorithm>
#include <set>

namespace heddle::check {

StackInclusion::StackInclusion(const answer::StackAutomaton& automaton)
    : automaton_(automaton), productive_(automaton.states.size()) {
  std::vector<std::vector<State>> sources(automaton.states.size());
  std::vector<State> work;
  for (State i = 0; i < automaton.states.size(); ++i) {
    for (const auto& edge : automaton.states[i].edges) sources[edge.second].push_back(i);
    if (automaton.states[i].accepting) work.push_back(i);
  }
  while (!work.empty()) {
    const State state = work.back();
    work.pop_back();
    if (productive_[state]) continue;
    productive_[state] = true;
    work.insert(work.end(), sources[state].begin(), sources[state].end());
  }
}

bool StackInclusion::is_well_formed(const answer::StackAutomaton& automaton) {
  return std::ranges::all_of(automaton.states, [&](const auto& state) {
    const auto disorder = std::ranges::adjacent_find(
        state.edges, [](const auto& a, const auto& b) { return a.first >= b.first; });
    return disorder == state.edges.end() && std::ranges::all_of(state.edges, [&](const auto& edge) {
             return edge.second < automaton.states.size();
           });
  });
}

std::optional<StackInclusion::State> StackInclusion::next(State state,
                                                          model::StackSymbol symbol) const {
  const auto& edges = automaton_.states[state].edges;
  const auto it =
      std::ranges::lower_bound(edges, symbol, {}, [](const auto& e) { return e.first; });
  if (it == edges.end() || it->first != symbol || is_empty(it->second)) return std::nullopt;
  return it->second;
}

bool StackInclusion::has_top(State state, model::StackSymbol top) const {
  return next(state, top).has_value();
}

std::optional<StackInclusion::State> StackInclusion::behind(
    State state, const std::vector<model::StackSymbol>& word) const {
  std::optional<State> at = state;
  for (const model::StackSymbol symbol : word)
    if (at) at = next(*at, symbol);
  return at;
}

bool StackInclusion::is_within(State part, std::vector<State> whole) {
  if (is_empty(part) || std::ranges::count(whole, part) > 0) return true;
  std::ranges::sort(whole);
  const auto repeated = std::ranges::unique(whole);
  whole.erase(repeated.begin(), repeated.end());
  const auto [it, fresh] = known_.try_emplace({part, whole}, false);
  if (fresh) it->second = search(part, whole);
  return it->second;
}

bool StackInclusion::search(State part, const std::vector<State>& whole) const {
  std::set<std::pair<State, std::vector<State>>> seen{{part, whole}};
  std::vector<std::pair<State, std::vector<State>>> work{{part, whole}};
  while (!work.empty()) {
    const auto [left, right] = work.back();
    work.pop_back();
    const auto accepts = [&](State state) { return accepts_empty_stack(state); };
    if (accepts(left) && std::ranges::none_of(right, accepts)) return false;
    for (const auto& [symbol, target] : automaton_.states[left].edges) {
      if (is_empty(target)) continue;
      std::set<State> targets;
      for (const State state : right)
        if (const auto other = next(state, symbol)) targets.insert(*other);
      if (targets.empty()) return false;
      std::pair<State, std::vector<State>> pair{target, {targets.begin(), targets.end()}};
      if (!targets.contains(target) && seen.insert(pair).second) work.push_back(std::move(pair));
    }
  }
  return true;
}

}  // namespace heddle::check
