#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/run_context.hpp"
#include "engine/pushdown/languages.hpp"
#include "engine/pushdown/thread_rules.hpp"

namespace heddle::engine::pushdown {

/// A shared state with the stacks that a thread may have in it.
struct SharedStacks {
  Shared shared = 0;
  Language stacks;
  friend bool operator==(const SharedStacks&, const SharedStacks&) = default;
};

/// What one thread alone reaches from ⟨q, w⟩ for any w of a language: a finite automaton that is
/// saturated by the thread's rules (post_star.cpp has the rules and the proof).
class PostStar {
 public:
  /// Saturates, unless the context ends it (`stopped`). `start` is a language of `languages`.
  PostStar(const ThreadRules& rules, const Languages& languages, SharedStacks start,
           base::RunContext& context);

  const std::optional<base::StopReason>& stopped() const { return stopped_; }

  /// All that is reached, by shared state, ascending; nothing if the context ended it. Includes the
  /// start. The cost of making an automaton deterministic: exponential at worst, small for the
  /// stacks of programs. A state of it is a step.
  std::optional<std::vector<SharedStacks>> reached(Languages& languages,
                                                   base::RunContext& context) const;

  /// How a stack was reached.
  struct Witness {
    std::vector<Symbol> start;  ///< a stack of the start, topmost first, without bottom
    std::vector<model::TransitionId> steps;
  };
  /// Precondition: ⟨shared, stack⟩ is reached; the stack is given topmost first, without bottom.
  Witness witness(Shared shared, const std::vector<Symbol>& stack) const;

 private:
  using State = std::uint32_t;
  using Edge = std::uint32_t;  ///< an index of `edges_`

  static constexpr Symbol kEpsilon = UINT32_MAX;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Why an edge is there: `rule` was applied where `cause` leads from its head, or (without a
  /// rule) the ε-edge `cause` was followed by `next`. Neither: it is of the start.
  struct Reason {
    std::uint32_t rule = kNone;  ///< of `rules_.rules()`
    Edge cause = kNone;
    Edge next = kNone;
  };
  struct AutomatonEdge {
    State from = 0;
    Symbol symbol = 0;
    State to = 0;
    Reason reason;
  };
  struct EdgeKey {
    State from;
    Symbol symbol;
    State to;
    friend bool operator==(const EdgeKey&, const EdgeKey&) = default;
  };
  struct EdgeHash {
    std::size_t operator()(const EdgeKey& key) const;
  };

  State state_of(Shared shared);
  State middle_of(Shared shared, Symbol top);
  State new_state();
  void add(State from, Symbol symbol, State to, Reason reason);
  void add_start(const StackDfa& stacks, Shared shared);
  void saturate(base::RunContext& context);
  void apply_rules(Edge edge, Shared shared);
  void apply(const Rule& rule, std::uint32_t index, Edge edge);
  std::vector<StackDfa::State> without_bottom() const;
  std::vector<Edge> path(Shared shared, const std::vector<Symbol>& stack) const;

  const ThreadRules& rules_;
  std::vector<AutomatonEdge> edges_;  ///< in the order in which they came; taken up in this order
  std::unordered_map<EdgeKey, Edge, EdgeHash> known_;
  std::vector<std::vector<Edge>> out_;            ///< by state, without ε-edges
  std::vector<std::vector<Edge>> epsilon_in_;     ///< by state: the ε-edges that lead to it
  std::vector<std::optional<Shared>> shared_of_;  ///< the states that stand for shared states
  std::unordered_map<Shared, State> state_of_shared_;
  std::unordered_map<std::uint64_t, State> middles_;
  State final_ = 0;
  std::optional<base::StopReason> stopped_;
};

}  // namespace heddle::engine::pushdown
