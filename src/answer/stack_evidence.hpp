#pragma once

/// Evidence that a Boolean program with fixed threads cannot fail, whatever the depth of its calls:
/// regular sets of stacks. Nodes are those of `model::boolean::keep_calls`.

#include <compare>
#include <string_view>
#include <vector>

#include "answer/bound.hpp"
#include "answer/pushdown_evidence.hpp"
#include "base/type_list.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::answer {

/// A procedure on the stack of a thread, with the values of its local variables: on top, where it
/// is; below, at the call that it waits for.
struct StackFrame {
  model::boolean::NodeId node;
  model::boolean::Valuation values;
  friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
};

/// A union of products that holds the initial configurations, that steps (up to a bound: turns) do
/// not leave, and in which no thread has failed. Its shared states are numbers of `shared`, its
/// stack symbols numbers of `frames`.
struct ProgramStacks {
  static constexpr std::string_view kName = "program_stacks";
  using Models = base::TypeList<model::BooleanProgram>;
  using Bounds = BoundList<BoundKind::Contexts>;

  std::vector<model::boolean::Valuation> shared;  ///< no two of them equal
  std::vector<StackFrame> frames;                 ///< likewise
  PushdownInvariant sets;
  friend bool operator==(const ProgramStacks&, const ProgramStacks&) = default;
};

}  // namespace heddle::answer
