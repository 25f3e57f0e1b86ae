#pragma once

/// Regular sets of stacks, each with one number: the minimal deterministic automaton of a language
/// is unique, so two languages are equal exactly if their automata, numbered breadth first, are.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/pushdown/thread_rules.hpp"

namespace heddle::engine::pushdown {

/// A deterministic automaton over stacks, topmost symbol first, without the bottom. State 0 is the
/// start; every state leads to an accepting one, and is reached, so no language is empty.
struct StackDfa {
  struct State {
    bool accepting = false;
    std::vector<std::pair<Symbol, std::uint32_t>> edges;  ///< ascending by symbol

    std::optional<std::uint32_t> next(Symbol symbol) const;
    friend bool operator==(const State&, const State&) = default;
  };
  std::vector<State> states;
  friend bool operator==(const StackDfa&, const StackDfa&) = default;
};

struct LanguageTag;
using Language = base::Id<LanguageTag>;

/// All languages of one thread's stacks that came up.
class Languages {
 public:
  /// The number of the language that `states`, a deterministic automaton without states that lead
  /// nowhere and without two states of one language, accepts from `start`.
  Language intern(const std::vector<StackDfa::State>& states, std::uint32_t start);

  /// The language of one word, topmost symbol first.
  Language word(const std::vector<Symbol>& symbols);

  const StackDfa& automaton(Language language) const { return *automata_[language.index()]; }
  std::size_t size() const { return automata_.size(); }

  /// Is every stack of `a` one of `b`? Remembers the answer. The product of the automata at most.
  bool includes(Language b, Language a);

 private:
  struct Hash {
    std::size_t operator()(const StackDfa& dfa) const;
  };

  std::unordered_map<StackDfa, Language, Hash> numbers_;
  std::vector<const StackDfa*> automata_;  ///< keys of `numbers_`, which stay where they are
  std::unordered_map<std::uint64_t, bool> included_;
};

/// The subset construction. `given` may have several edges with one symbol, in any order; `starts`
/// are states of it and become those of the result. Nothing if it is not to go on with so many
/// states of that.
std::optional<std::vector<StackDfa::State>> determinise(
    const std::vector<StackDfa::State>& given, std::vector<std::uint32_t>& starts,
    const std::function<bool(std::size_t)>& continues);

/// The quotient of a deterministic automaton by equality of languages, without states that lead
/// nowhere: its states, and for each given state the class that it is in (nothing: none accepts).
/// Quadratic at worst, nearly linear where languages are finite.
struct MinimalStates {
  std::vector<StackDfa::State> states;
  std::vector<std::optional<std::uint32_t>> class_of;
};
MinimalStates minimise(const std::vector<StackDfa::State>& given);

}  // namespace heddle::engine::pushdown
