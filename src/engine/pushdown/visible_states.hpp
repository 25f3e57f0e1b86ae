#pragma once

#include <cstdint>
#include <vector>

#include "answer/pushdown_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/products.hpp"
#include "engine/pushdown/visible_set.hpp"
#include "model/task.hpp"

namespace heddle::engine::pushdown {

/// A set of visible states ⟨q | σ₁, …, σₙ⟩ (a shared state and the top of each stack) that holds
/// all that are reachable, whatever the number of contexts (visible_states.cpp).
class VisibleStates {
 public:
  /// Explores, at most `most` states. Precondition of the rest: `complete`.
  VisibleStates(const StackThreads& facts, const model::PushdownQuestion& question,
                std::size_t most, base::RunContext& context);

  /// False if there are more states than allowed or the context ended the exploration.
  bool complete() const { return complete_; }
  std::size_t size() const { return order_.size(); }

  bool meets(const TargetTops& target) const;
  /// The set as products of regular languages.
  answer::PushdownInvariant certificate() const;
  /// Takes away what has a configuration in the product; empty: all visible states are reachable.
  void strike_out(Shared shared, std::span<const Language> stacks) { left_.erase(shared, stacks); }
  bool all_struck_out() const { return left_.empty(); }

 private:
  /// False if that is too much, or the context ended it.
  bool find_what_lies_below(const model::PushdownQuestion& question,
                            const base::RunContext& context);
  void explore(std::size_t most, base::RunContext& context);
  bool add_successors(const Visible& state, std::size_t most);
  bool add(const Visible& state, std::size_t most);
  answer::StackAutomaton automaton(std::size_t thread) const;

  const StackThreads& facts_;
  std::vector<std::vector<std::vector<Symbol>>> below_;  ///< [thread][symbol]: ascending
  VisibleSet states_;
  std::vector<VisibleSet::Code> order_;
  VisibleSet left_;  ///< not struck out
  bool complete_ = false;
};

}  // namespace heddle::engine::pushdown
