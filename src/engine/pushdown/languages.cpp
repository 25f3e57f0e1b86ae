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

/// What sets a state apart, given classes of the states that it leads to.
using Signature = std::pair<bool, std::vector<std::pair<Symbol, std::uint32_t>>>;

/// Puts the states of one language into one class, those that lead nowhere into none.
///
/// First the states of finite languages, that is, those that lead to no cycle: from the ends of
/// stacks upwards a state's signature, which names classes of languages, tells its language. All
/// others have infinite languages, hence share no class with these. They are refined (Moore): they
/// start in one class and a pass splits classes by signatures. The class of the last pass is part
/// of what sets a state apart, so classes only split; when a pass splits none, states of one class
/// agree on acceptance and go to one class with each symbol, hence accept the same words.
class Minimisation {
 public:
  explicit Minimisation(const std::vector<State>& given)
      : given_(given), good_(productive(given)), classes_(given.size(), kNone) {}

  MinimalStates run() {
    classify_finite();
    refine_infinite();
    MinimalStates out;
    out.states.resize(count_);
    for (std::size_t s = 0; s < given_.size(); ++s) {
      out.class_of.push_back(good_[s] ? std::optional(classes_[s]) : std::nullopt);
      if (!good_[s]) continue;
      Signature found = signature(s);
      out.states[classes_[s]] = {found.first, std::move(found.second)};
    }
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  Signature signature(std::size_t s) const {
    Signature out{given_[s].accepting, {}};
    for (const auto& [symbol, target] : given_[s].edges)
      if (good_[target]) out.second.emplace_back(symbol, classes_[target]);
    return out;
  }

  void classify_finite() {
    std::vector<std::vector<std::uint32_t>> sources(given_.size());
    std::vector<std::size_t> waits_for(given_.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t s = 0; s < given_.size(); ++s) {
      for (const auto& edge : given_[s].edges)
        if (good_[s] && good_[edge.second]) {
          sources[edge.second].push_back(s);
          ++waits_for[s];
        }
      if (good_[s] && waits_for[s] == 0) order.push_back(s);
    }
    std::map<Signature, std::uint32_t> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
      classes_[order[i]] = found.try_emplace(signature(order[i]), count_).first->second;
      count_ = static_cast<std::uint32_t>(found.size());
      for (const std::uint32_t source : sources[order[i]])
        if (--waits_for[source] == 0) order.push_back(source);
    }
  }

  void refine_infinite() {
    std::vector<std::uint32_t> states;
    for (std::uint32_t s = 0; s < given_.size(); ++s)
      if (good_[s] && classes_[s] == kNone) states.push_back(s);
    if (states.empty()) return;
    for (const std::uint32_t s : states) classes_[s] = count_;
    std::uint32_t classes = 1;
    for (bool split = true; split;) {
      std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> found;
      std::vector<std::uint32_t> refined;
      for (const std::uint32_t s : states) {
        const auto next = count_ + static_cast<std::uint32_t>(found.size());
        refined.push_back(found.try_emplace({classes_[s], signature(s)}, next).first->second);
      }
      for (std::size_t i = 0; i < states.size(); ++i) classes_[states[i]] = refined[i];
      split = found.size() > classes;
      classes = static_cast<std::uint32_t>(found.size());
    }
    count_ += classes;
  }

  const std::vector<State>& given_;
  std::vector<bool> good_;
  std::vector<std::uint32_t> classes_;
  std::uint32_t count_ = 0;  ///< of classes
};

}  // namespace

std::optional<std::uint32_t> State::next(Symbol symbol) const {
  const auto it =
      std::ranges::lower_bound(edges, symbol, {}, [](const auto& e) { return e.first; });
  if (it == edges.end() || it->first != symbol) return std::nullopt;
  return it->second;
}

std::optional<std::vector<State>> determinise(const std::vector<State>& given,
                                              std::vector<std::uint32_t>& starts,
                                              const std::function<bool(std::size_t)>& continues) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> subsets;
  const auto number = [&](std::vector<std::uint32_t> subset) {
    std::ranges::sort(subset);
    const auto repeated = std::ranges::unique(subset);
    subset.erase(repeated.begin(), repeated.end());
    const auto [it, fresh] =
        numbers.try_emplace(subset, static_cast<std::uint32_t>(subsets.size()));
    if (fresh) subsets.push_back(std::move(subset));
    return it->second;
  };
  for (std::uint32_t& start : starts) start = number({start});
  std::vector<State> out;
  for (std::size_t i = 0; i < subsets.size(); ++i) {  // grows
    if (!continues(subsets.size())) return std::nullopt;
    std::map<Symbol, std::vector<std::uint32_t>> successors;
    State made;
    for (const std::uint32_t state : subsets[i]) {
      made.accepting |= given[state].accepting;
      for (const auto& [symbol, target] : given[state].edges) successors[symbol].push_back(target);
    }
    for (auto& [symbol, subset] : successors)
      made.edges.emplace_back(symbol, number(std::move(subset)));
    out.push_back(std::move(made));
  }
  return out;
}

MinimalStates minimise(const std::vector<State>& given) { return Minimisation(given).run(); }

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
