#pragma once

/// Evidence that a Boolean program with fixed threads cannot fail, at all or within a number of
/// rounds: sets of configurations, as decision diagrams, that are closed under steps and turns, or
/// of facts about the turns of each thread (docs/evidence.md has the rules). Nodes and edges are
/// those of `model::boolean::keep_calls`.

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "answer/bound.hpp"
#include "answer/context_evidence.hpp"
#include "base/type_list.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::answer {

/// Calls that have not returned, outermost first, and where the innermost procedure is.
struct CallStack {
  std::vector<model::boolean::EdgeId> calls;
  model::boolean::NodeId node;
  friend auto operator<=>(const CallStack&, const CallStack&) = default;
};

struct ConfigurationVariable {
  enum class Kind : std::uint8_t {
    Shared,
    NextShared,  ///< after a step
    Place,       ///< a binary digit of the number of the thread's place
    Local,       ///< of the procedures on the thread's stack, outermost first
    NextLocal,
    Choice,       ///< of a step
    BeginShared,  ///< when the turn began
    BeginPlace,
    BeginLocal
  };
  Kind kind = Kind::Shared;
  std::uint32_t thread = 0;  ///< 0 for those that are shared and for Choice
  std::uint32_t index = 0;
  friend auto operator<=>(const ConfigurationVariable&, const ConfigurationVariable&) = default;
};
inline constexpr std::size_t kConfigurationVariableKinds = 9;

/// Configurations at the begin of the thread's turn (`place` is 0), or in it, when it is at the
/// place; then digits of its own place do not matter.
struct ConfigurationSet {
  std::uint32_t round = 1;
  std::uint32_t thread = 0;
  std::uint32_t place = 0;
  std::uint32_t root = 0;  ///< the number of its diagram
  friend bool operator==(const ConfigurationSet&, const ConfigurationSet&) = default;
};

/// What diagrams about configurations are about.
struct PlaceDiagrams {
  std::uint32_t rounds = 0;                    ///< 0: any number of rounds
  std::vector<std::vector<CallStack>> places;  ///< of each thread, numbered from 1
  std::vector<ConfigurationVariable> variables;
  std::vector<DiagramNode> nodes;
  friend bool operator==(const PlaceDiagrams&, const PlaceDiagrams&) = default;
};

/// A set that is not listed is empty. For any number of rounds, the sets are those of round 1.
struct ConfigurationSets : PlaceDiagrams {
  static constexpr std::string_view kName = "configuration_sets";
  using Models = base::TypeList<model::BooleanProgram>;
  using Bounds = BoundList<BoundKind::Contexts>;

  std::vector<ConfigurationSet> sets;
  friend bool operator==(const ConfigurationSets&, const ConfigurationSets&) = default;
};

/// What a thread can have done in a turn when it is at the place, whatever the round: its view of
/// the configuration with which the turn began (the shared variables, its place, its local
/// variables) and what has become of it.
struct TurnFactSet {
  std::uint32_t thread = 0;
  std::uint32_t place = 1;
  std::uint32_t root = 0;  ///< the number of its diagram
  friend bool operator==(const TurnFactSet&, const TurnFactSet&) = default;
};

/// A set that is not listed is empty.
struct TurnFacts : PlaceDiagrams {
  static constexpr std::string_view kName = "turn_facts";
  using Models = base::TypeList<model::BooleanProgram>;
  using Bounds = BoundList<BoundKind::Contexts>;

  std::vector<TurnFactSet> sets;
  friend bool operator==(const TurnFacts&, const TurnFacts&) = default;
};

}  // namespace heddle::answer
