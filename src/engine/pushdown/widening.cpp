/// Stacks that grow in every round, by languages that do not.
///
/// The search by contexts ends if only finitely many languages come up. So every language that a
/// context leads to is replaced by a larger one out of finitely many: states of its automaton that
/// look alike are made one. This keeps every accepting path, so the language can only grow; and if
/// there are finitely many looks, there are finitely many automata over them.
///
/// What is then reached is closed once each thread has had its turn from every product: what a
/// thread reaches from a product lies in the larger ones that were added for it. So the union holds
/// the initial configurations, and no step leads out of it: if it meets no target it is a
/// certificate of safety. If it does, nothing is known, and the next level is tried, where more is
/// looked at. (Abstract regular model checking: Bouajjani, Habermehl and Vojnar, CAV 2004.)
///
/// What is looked at, for a state of the automaton, that is, a stack cut in two:
///    the next `depth` symbols below the cut, and whether a stack ends there,
///    the last `depth` symbols above it, and whether it begins there,
///    from level 2 on, what returns do: how the thread alone can change the shared state while it
///    takes away all that lies between the cut and a symbol below it, and which symbol that is.
/// The relation of a word w is that of the shared states with w on the stack and those in which w
/// is gone. It is composed from those of w's symbols, so all that is known of returns from ⟨q, a w⟩
/// follows from ⟨q, a⟩ and what is known of w. There are finitely many relations; that calls and
/// returns change something back and forth is among what they tell.

#include "engine/pushdown/widening.hpp"

#include <array>
#include <bit>
#include <set>

namespace heddle::engine::pushdown {

namespace {

/// Relations are rows of single words, and their number is kept small.
constexpr std::size_t kMostSharedStates = 64;
constexpr std::size_t kMostRelations = 256;
/// How often relations are put on top of each other for one language.
constexpr std::size_t kMostCompositions = 1'000'000;
/// A deterministic automaton may be larger than the one that it stands for, but not by much.
constexpr std::size_t kMostGrowth = 1000;

using Classes = std::vector<std::uint32_t>;

/// Numbers what a state looks like.
template <class Look>
class Numbering {
 public:
  std::uint32_t operator()(Look look) {
    return numbers_.try_emplace(std::move(look), static_cast<std::uint32_t>(numbers_.size()))
        .first->second;
  }

 private:
  std::map<Look, std::uint32_t> numbers_;
};

using EdgeLooks = std::set<std::pair<Symbol, std::uint32_t>>;

/// States by the stacks below the cut, as far as `depth` symbols tell them apart.
Classes by_what_is_below(const StackDfa& dfa, std::uint32_t depth) {
  Classes classes;
  for (const StackDfa::State& state : dfa.states) classes.push_back(state.accepting ? 1 : 0);
  for (std::uint32_t i = 0; i < depth; ++i) {
    Numbering<std::pair<bool, EdgeLooks>> number;
    Classes next;
    for (const StackDfa::State& state : dfa.states) {
      EdgeLooks below;
      for (const auto& [symbol, target] : state.edges) below.emplace(symbol, classes[target]);
      next.push_back(number({state.accepting, std::move(below)}));
    }
    classes = std::move(next);
  }
  return classes;
}

/// States by what is above the cut, as far as `depth` symbols tell them apart.
Classes by_what_is_above(const StackDfa& dfa, std::uint32_t depth) {
  Classes classes(dfa.states.size(), 0);
  for (std::uint32_t i = 0; i < depth; ++i) {
    std::vector<EdgeLooks> above(dfa.states.size());
    for (std::size_t s = 0; s < dfa.states.size(); ++s)
      for (const auto& [symbol, target] : dfa.states[s].edges)
        above[target].emplace(symbol, classes[s]);
    Numbering<std::pair<bool, EdgeLooks>> number;
    for (std::size_t s = 0; s < dfa.states.size(); ++s)
      classes[s] = number({s == 0, std::move(above[s])});
  }
  return classes;
}

/// A symbol below the cut that is uncovered, with the relation of what lies above it.
using Uncovered = std::pair<Symbol, Returns::Relation>;

/// States by what returns uncover. All the same if that is too much to find out.
Classes by_returns(const StackDfa& dfa, Symbol bottom, Returns& returns) {
  std::vector<std::set<Uncovered>> uncovered(dfa.states.size());
  for (std::size_t s = 0; s < dfa.states.size(); ++s) {
    if (dfa.states[s].accepting) uncovered[s].emplace(bottom, Returns::kNothing);
    for (const auto& edge : dfa.states[s].edges)
      uncovered[s].emplace(edge.first, Returns::kNothing);
  }
  std::size_t compositions = 0;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t s = dfa.states.size(); s-- > 0;)
      for (const auto& [symbol, target] : dfa.states[s].edges)
        for (const auto& [lower, above] : std::set(uncovered[target])) {
          const auto longer = returns.on_top(symbol, above);
          if (!longer || ++compositions > kMostCompositions) return Classes(dfa.states.size(), 0);
          if (*longer != Returns::kImpossible) grown |= uncovered[s].emplace(lower, *longer).second;
        }
  }
  Numbering<std::set<Uncovered>> number;
  Classes classes;
  for (auto& set : uncovered) classes.push_back(number(std::move(set)));
  return classes;
}

}  // namespace

Returns::Returns(const ThreadRules& rules) {
  for (const Rule& rule : rules.rules())
    for (const Shared shared : {rule.from, rule.to})
      position_.try_emplace(shared, static_cast<std::uint32_t>(position_.size()));
  if (position_.size() > kMostSharedStates) return;
  find_returns(rules);
  Bits same(position_.size());
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = std::uint64_t{1} << i;
  relations_ = {same, Bits(position_.size())};
  numbers_ = {{relations_[kNothing], kNothing}, {relations_[kImpossible], kImpossible}};
}

/// ⟨q, a⟩ →* ⟨p, empty⟩, by the rules until nothing is added.
void Returns::find_returns(const ThreadRules& rules) {
  returns_.assign(rules.symbol_count(), Bits(position_.size()));
  for (bool grown = true; grown;) {
    grown = false;
    for (const Rule& rule : rules.rules())
      if (rule.top != rules.bottom()) grown |= apply(rule);
  }
}

bool Returns::apply(const Rule& rule) {
  std::uint64_t ends = std::uint64_t{1} << position_.at(rule.to);
  for (std::uint8_t i = 0; i < rule.size; ++i) ends = after(rule.pushed[i], ends);
  std::uint64_t& known = returns_[rule.top][position_.at(rule.from)];
  const std::uint64_t before = std::exchange(known, known | ends);
  return known != before;
}

std::uint64_t Returns::after(Symbol symbol, std::uint64_t from) const {
  std::uint64_t out = 0;
  for (; from != 0; from &= from - 1)
    out |= returns_[symbol][static_cast<std::size_t>(std::countr_zero(from))];
  return out;
}

std::optional<Returns::Relation> Returns::on_top(Symbol top, Relation rest) {
  if (relations_.empty()) return std::nullopt;
  const std::uint64_t key = std::uint64_t{top} << 32 | rest;
  if (const auto it = on_top_.find(key); it != on_top_.end()) return it->second;
  Bits bits;
  for (const std::uint64_t between : returns_[top]) {
    std::uint64_t ends = 0;
    for (std::uint64_t left = between; left != 0; left &= left - 1)
      ends |= relations_[rest][static_cast<std::size_t>(std::countr_zero(left))];
    bits.push_back(ends);
  }
  const auto [it, fresh] =
      numbers_.try_emplace(std::move(bits), static_cast<Relation>(relations_.size()));
  if (fresh && relations_.size() == kMostRelations) {
    relations_.clear();
    return std::nullopt;
  }
  if (fresh) relations_.push_back(it->first);
  return on_top_[key] = it->second;
}

Widening::Widening(StackThreads& facts, std::uint32_t level)
    : facts_(facts),
      depth_(level <= 2 ? 1 : level - 1),
      returns_(facts.count()),
      known_(facts.count()) {
  for (std::size_t i = 0; level >= 2 && i < facts.count(); ++i) returns_[i].emplace(facts.rules(i));
}

Language Widening::operator()(std::size_t thread, Language language) {
  const auto it = known_[thread].find(language.value);
  if (it != known_[thread].end()) return it->second;
  const Language wide = widen(thread, facts_.languages(thread).automaton(language), language);
  return known_[thread].emplace(language.value, wide).first->second;
}

Language Widening::widen(std::size_t thread, const StackDfa& dfa, Language language) {
  const Classes below = by_what_is_below(dfa, depth_);
  const Classes above = by_what_is_above(dfa, depth_);
  const Classes returns = returns_[thread]
                              ? by_returns(dfa, facts_.rules(thread).bottom(), *returns_[thread])
                              : Classes(dfa.states.size(), 0);
  Numbering<std::array<std::uint32_t, 3>> number;
  Classes classes;
  for (std::size_t s = 0; s < dfa.states.size(); ++s)
    classes.push_back(number({below[s], above[s], returns[s]}));
  std::vector<StackDfa::State> quotient(dfa.states.size());
  for (std::size_t s = 0; s < dfa.states.size(); ++s) {
    quotient[classes[s]].accepting |= dfa.states[s].accepting;
    for (const auto& [symbol, target] : dfa.states[s].edges)
      quotient[classes[s]].edges.emplace_back(symbol, classes[target]);
  }
  std::vector<std::uint32_t> starts{classes[0]};
  const auto states = determinise(quotient, starts, [&](std::size_t count) {
    return count <= dfa.states.size() + kMostGrowth;
  });
  if (!states) return language;
  const MinimalStates minimal = minimise(*states);
  return facts_.languages(thread).intern(minimal.states, *minimal.class_of[starts[0]]);
}

}  // namespace heddle::engine::pushdown
