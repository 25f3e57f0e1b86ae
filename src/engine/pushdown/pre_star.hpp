#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <unordered_map>
#include <vector>

#include "answer/pushdown_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/thread_rules.hpp"

namespace heddle::engine::pushdown {

/// From where can one thread alone reach a visible state? A finite automaton over all its
/// configurations, saturated backward by its rules (pre_star.cpp has the rules and the proof).
class PreStar {
 public:
  /// Saturates, unless the context ends it (`stopped`). Targets are those of a single thread.
  PreStar(const ThreadRules& rules, const std::vector<TargetTops>& targets,
          base::RunContext& context);

  const std::optional<base::StopReason>& stopped() const { return stopped_; }

  /// Can it be reached from here? The stack is given topmost first, without bottom.
  bool holds(Shared shared, const std::vector<Symbol>& stack) const;

  /// How. Precondition: `holds`.
  std::vector<model::TransitionId> witness(Shared shared, const std::vector<Symbol>& stack) const;

  /// All configurations from where it cannot, of shared states below `shared_count`: closed under
  /// steps and without a target. Exponential at worst: the automaton is made deterministic. A state
  /// of it is a step; the error says why the context ended it.
  std::expected<answer::PushdownInvariant, base::StopReason> complement(
      Shared shared_count, base::RunContext& context) const;

 private:
  using State = std::uint32_t;
  using Edge = std::uint32_t;  ///< an index of `edges_`

  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Why an edge is there: after `rule`, the edges `first` and `second`, as many as the rule
  /// writes symbols, lead to where it leads. No rule: it is of the target.
  struct Reason {
    std::uint32_t rule = kNone;
    Edge first = kNone;
    Edge second = kNone;
  };
  struct AutomatonEdge {
    State from = 0;
    Symbol symbol = 0;
    State to = 0;
    Reason reason;
  };
  /// Rule `rule` writes two symbols, and `first` leads over the upper one.
  struct HalfWay {
    std::uint32_t rule;
    Edge first;
  };

  State state_of(Shared shared);
  State new_state();
  void add(State from, Symbol symbol, State to, Reason reason);
  void add_targets(const std::vector<TargetTops>& targets);
  void saturate(base::RunContext& context);
  void apply_rules(Edge edge, Shared shared);
  void apply_half_way(Edge edge);
  std::optional<std::vector<Edge>> path(Shared shared, const std::vector<Symbol>& stack) const;

  const ThreadRules& rules_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> writers_;  ///< of ⟨p, upper symbol⟩
  std::vector<AutomatonEdge> edges_;  ///< in the order in which they came; taken up in this order
  std::unordered_map<std::uint64_t, std::vector<Edge>> out_;          ///< by state and symbol
  std::vector<std::vector<Edge>> all_out_;                            ///< by state
  std::unordered_map<std::uint64_t, std::vector<HalfWay>> half_way_;  ///< by state and symbol
  std::unordered_map<Shared, State> state_of_shared_;
  std::vector<std::optional<Shared>> shared_of_;
  State final_ = 0;
  std::optional<base::StopReason> stopped_;
};

}  // namespace heddle::engine::pushdown
