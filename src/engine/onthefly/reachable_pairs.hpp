#pragma once

/// What one or two threads look like in the states that few threads reach: a source of lemmas for
/// the backward search. reachable_pairs.cpp explains it.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/run_context.hpp"
#include "engine/onthefly/antichain.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

class ReachablePairs {
 public:
  /// From so many threads in main, state by state. Nothing if a thread can fail, if there are more
  /// than kMostStates states, or if the context says that the run must end.
  static std::optional<ReachablePairs> find(const model::boolean::Flow& flow, std::size_t threads,
                                            base::RunContext& context);
  static constexpr std::size_t kMostStates = 60'000;

  /// An element that includes this one, has at most two threads, and has none of the states that
  /// were found. Nothing if there is no such element.
  std::optional<Element> generalised(const Element& element) const;

 private:
  using Valuation = model::boolean::Valuation;
  /// The shared variables and those of the threads, which are at the nodes of the key.
  struct Pair {
    Valuation shared;
    Valuation first;
    Valuation second;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  using Nodes = std::pair<model::boolean::NodeId, model::boolean::NodeId>;

  void add(const model::boolean::State& state);
  void sort();
  bool has(const Element& element) const;
  void widen(Element& element) const;

  std::map<Nodes, std::vector<Pair>> pairs_;
  std::map<model::boolean::NodeId, std::vector<std::pair<Valuation, Valuation>>> threads_;
};

}  // namespace heddle::engine::onthefly
