#pragma once

/// Evidence about concurrent pushdown systems: regular sets of stacks.

#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/bound.hpp"
#include "base/type_list.hpp"
#include "model/configuration.hpp"
#include "model/pushdown_system.hpp"

namespace heddle::answer {

/// A deterministic automaton that reads a stack from its top down. Each state stands for the set
/// of stacks that it accepts.
struct StackAutomaton {
  struct State {
    bool accepting = false;
    std::vector<std::pair<model::StackSymbol, std::uint32_t>> edges;  ///< ascending by symbol
    friend bool operator==(const State&, const State&) = default;
  };
  std::vector<State> states;
  friend bool operator==(const StackAutomaton&, const StackAutomaton&) = default;
};

/// All configurations with this shared state whose i-th stack is accepted by state `stacks[i]` of
/// the i-th automaton.
struct StackProduct {
  model::SharedState shared;
  std::vector<std::uint32_t> stacks;
  /// Turns are counted from 1, n to a round, thread by thread; 0 is before the first. Up to a
  /// bound, the configurations of this product are reached after this turn at the latest.
  std::uint32_t turn = 0;
  friend bool operator==(const StackProduct&, const StackProduct&) = default;
};

/// A union of products without a target in it. As a certificate of safety (all turns are 0): it
/// holds the initial configurations and is closed under all steps. As one up to K contexts per
/// thread: for every turn of the first K rounds the products up to that turn are closed under the
/// steps of the thread whose turn it is, and the products of turn 0 hold the initial ones.
struct PushdownInvariant {
  static constexpr std::string_view kName = "pushdown_invariant";
  using Models = base::TypeList<model::PushdownSystem>;
  using Bounds = BoundList<BoundKind::Contexts>;

  std::vector<StackAutomaton> automata;  ///< one per thread
  std::vector<StackProduct> products;
  friend bool operator==(const PushdownInvariant&, const PushdownInvariant&) = default;
};

}  // namespace heddle::answer
