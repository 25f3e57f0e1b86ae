#include "engine/pushdown/languages.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::engine::pushdown {

namespace {

using State = StackDfa::State;

/// The part that `start` reaches, numbered breadth first along ascending symbols.
StackDfa reached_from(const std::vector<State>& states, std::uint32_t start) {
  StackDfa dfa;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers{{start, 0}};
  std::vector<std::uint32_t> order{start};
  for (std::size_t i = 0; i < order.size(); ++i) {
    State state{states[order[i]].accepting, {}};
    for (const auto& [symbol, target] : states[order[i]].edges) {
      const auto [it, fresh] =
          numbers.try_emplace(target, static_cast<std::uint32_t>(order.size()));
      if (fresh) order.push_back(target);
      state.edges.emplace_back(symbol, it->second);
    }
    dfa.states.push_back(std::move(state));
  }
  return dfa;
}

/// Which states lead to an accepting one?
std::vector<bool> productive(const std::vector<State>& states) {
  std::vector<std::vector<std::uint32_t>> sources(states.size());
  std::vector<std::uint32_t> work;
  std::vector<bool> good(states.size());
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    for (const auto& edge : states[s].edges) sources[edge.second].push_back(s);
    if (!states[s].accepting) continue;
    good[s] = true;
    work.push_back(s);
  }
  while (!work.empty()) {
    const std::uint32_t s = work.back();
    work.pop_back();
    for (const std::uint32_t source : sources[s]) {
      if (good[source]) continue;
      good[source] = true;
      work.push_back(source);
    }
  }
  return good;
}

/// What sets a state apart, given the classes so far.
using Signature = std::pair<bool, std::vector<std::pair<Symbol, std::uint32_t>>>;

Signature signature(const State& state, const std::vector<bool>& good,
                    const std::vector<std::uint32_t>& classes) {
  Signature out{state.accepting, {}};
  for (const auto& [symbol, target] : state.edges)
    if (good[target]) out.second.emplace_back(symbol, classes[target]);
  return out;
}

}  // namespace

std::optional<std::uint32_t> State::next(Symbol symbol) const {
  const auto it =
      std::ranges::lower_bound(edges, symbol, {}, [](const auto& e) { return e.first; });
  if (it == edges.end() || it->first != symbol) return std::nullopt;
  return it->second;
}

/// Classes only split, since a state's class of the last pass is part of what sets it apart; when
/// a pass splits none, states of one class agree on acceptance and go to one class with each
/// symbol, hence accept the same words.
MinimalStates minimise(const std::vector<State>& given) {
  const std::vector<bool> good = productive(given);
  std::vector<std::uint32_t> classes(given.size(), 0);
  std::size_t count = 1;
  std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> found;
  for (;;) {
    found.clear();
    std::vector<std::uint32_t> refined(given.size(), 0);
    for (std::size_t s = 0; s < given.size(); ++s)
      if (good[s])
        refined[s] = found
                         .try_emplace({classes[s], signature(given[s], good, classes)},
                                      static_cast<std::uint32_t>(found.size()))
                         .first->second;
    classes = std::move(refined);
    if (found.size() == count) break;
    count = found.size();
  }
  MinimalStates out;
  out.states.resize(found.size());
  for (std::size_t s = 0; s < given.size(); ++s) {
    out.class_of.push_back(good[s] ? std::optional(classes[s]) : std::nullopt);
    if (!good[s]) continue;
    Signature edges = signature(given[s], good, classes);
    out.states[classes[s]] = {edges.first, std::move(edges.second)};
  }
  return out;
}

std::size_t Languages::Hash::operator()(const StackDfa& dfa) const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  for (const State& state : dfa.states) {
    add(state.accepting ? 1 : 2);
    for (const auto& [symbol, target] : state.edges) add((std::uint64_t{symbol} << 32) | target);
  }
  return hash ^ (hash >> 29);
}

Language Languages::intern(const std::vector<State>& states, std::uint32_t start) {
  const auto [it, fresh] =
      numbers_.try_emplace(reached_from(states, start), Language(automata_.size()));
  if (fresh) automata_.push_back(&it->first);
  return it->second;
}

Language Languages::word(const std::vector<Symbol>& symbols) {
  std::vector<State> states(symbols.size() + 1);
  for (std::uint32_t i = 0; i < symbols.size(); ++i) states[i].edges = {{symbols[i], i + 1}};
  states.back().accepting = true;
  return intern(states, 0);
}

bool Languages::includes(Language b, Language a) {
  if (a == b) return true;
  const auto [it, fresh] = included_.try_emplace((std::uint64_t{a.value} << 32) | b.value, true);
  if (!fresh) return it->second;
  const StackDfa& small = automaton(a);
  const StackDfa& large = automaton(b);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen{{0, 0}};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work{{0, 0}};
  while (!work.empty()) {
    const auto [s, t] = work.back();
    work.pop_back();
    bool within = large.states[t].accepting || !small.states[s].accepting;
    for (const auto& [symbol, target] : small.states[s].edges) {
      const auto other = large.states[t].next(symbol);
      within = within && other;
      if (within && seen.emplace(target, *other).second) work.emplace_back(target, *other);
    }
    if (!within) return it->second = false;
  }
  return true;
}

}  // namespace heddle::engine::pushdown
