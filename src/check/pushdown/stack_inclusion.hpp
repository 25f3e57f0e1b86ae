#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "answer/pushdown_evidence.hpp"

namespace heddle::check {

/// Questions about the languages of one thread's automaton; a language is a state. Own code: no
/// engine's automata are used here.
class StackInclusion {
 public:
  using State = std::uint32_t;

  /// The automaton must be well formed (`is_well_formed`) and must outlive this.
  explicit StackInclusion(const answer::StackAutomaton& automaton);

  /// All targets exist and symbols ascend.
  static bool is_well_formed(const answer::StackAutomaton& automaton);

  bool is_empty(State state) const { return !productive_[state]; }
  bool accepts_empty_stack(State state) const { return automaton_.states[state].accepting; }
  /// Has the language a stack with this top?
  bool has_top(State state, model::StackSymbol top) const;
  /// The state behind a word, topmost symbol first; nothing if no stack begins like this.
  std::optional<State> behind(State state, const std::vector<model::StackSymbol>& word) const;

  /// Is every stack of `part` one of some language of `whole`? By the subset construction, on
  /// demand: exponential in the size of `whole` at worst. Remembers answers for single languages.
  bool is_within(State part, std::vector<State> whole);

 private:
  std::optional<State> next(State state, model::StackSymbol symbol) const;
  bool search(State part, const std::vector<State>& whole) const;

  const answer::StackAutomaton& automaton_;
  std::vector<bool> productive_;  ///< accepts some stack
  std::map<std::pair<State, std::vector<State>>, bool> known_;
};

}  // namespace heddle::check
