#pragma once

/// Evidence that a Boolean program with fixed threads cannot fail within a number of rounds: sets
/// of facts about each thread, as decision diagrams, that are closed under the rules of the
/// analysis (docs/evidence.md has the rules). Nodes and frames are those of
/// `model::boolean::keep_calls`.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "answer/bound.hpp"
#include "base/type_list.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::answer {

/// Copies of the program's variables. Inputs, Outputs and First have one copy for each round.
enum class Family : std::uint8_t {
  Input,      ///< shared variables when the thread's turn in a round begins
  Output,     ///< shared variables when it ends
  First,      ///< shared variables when the round begins
  Entry,      ///< shared variables when the thread entered its current procedure
  Current,    ///< shared variables now
  Next,       ///< shared variables after a step
  Parameter,  ///< parameters when the thread entered its current procedure
  Argument,   ///< parameters of a procedure that is called
  Local,      ///< local variables now
  NextLocal,  ///< local variables after a step
  Result,     ///< what a procedure returns
  Choice      ///< of a step
};
inline constexpr std::size_t kFamilies = 12;

struct DiagramVariable {
  Family family = Family::Current;
  std::uint32_t round = 0;  ///< from 1; 0 for families without rounds
  std::uint32_t index = 0;  ///< of the variable, parameter, result or choice
  friend auto operator<=>(const DiagramVariable&, const DiagramVariable&) = default;
};

/// Numbers of nodes: 0 is false, 1 is true, i + 2 is the i-th of the list, which comes before all
/// nodes that lead to it and has a later variable.
struct DiagramNode {
  std::uint32_t variable = 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  friend bool operator==(const DiagramNode&, const DiagramNode&) = default;
};

enum class RelationKind : std::uint8_t {
  Reached,  ///< at a node, in a round, in a procedure entered in a round
  Summary,  ///< of a frame that was entered in a round and returned in a round
  Effect,   ///< inputs and outputs of a thread up to a round
  Turn,     ///< inputs up to a round and outputs before it with which the thread's turn may begin
  Before,   ///< First and inputs of a thread: what the threads before it may have done
  After     ///< outputs before a round and First: what the threads behind it may have done
};

inline constexpr std::size_t kRelationKinds = 6;

struct ContextRelation {
  RelationKind kind = RelationKind::Reached;
  std::uint32_t thread = 0;
  std::uint32_t where = 0;    ///< a node or a frame; 0 for the other kinds
  std::uint32_t entered = 0;  ///< a round; 0 for the other kinds
  std::uint32_t round = 0;
  std::uint32_t root = 0;  ///< the number of its diagram
  friend bool operator==(const ContextRelation&, const ContextRelation&) = default;
};

/// A relation that is not listed is empty.
struct ContextRelations {
  static constexpr std::string_view kName = "context_relations";
  using Models = base::TypeList<model::BooleanProgram>;
  using Bounds = BoundList<BoundKind::Contexts>;

  std::uint32_t rounds = 0;
  /// By thread: the thread under whose number what it reaches, its summaries and its effects are
  /// listed; one that does the same, perhaps itself.
  std::vector<std::uint32_t> analyses;
  std::vector<DiagramVariable> variables;  ///< in the order of the diagrams
  std::vector<DiagramNode> nodes;
  std::vector<ContextRelation> relations;
  friend bool operator==(const ContextRelations&, const ContextRelations&) = default;
};

}  // namespace heddle::answer
