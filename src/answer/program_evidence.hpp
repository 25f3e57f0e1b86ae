#pragma once

/// Evidence about Boolean programs. Their states are valuations, far too many to be numbered, so
/// evidence names nodes and edges of the flow graph (model/boolean_program/flow.hpp) and cubes.

#include <optional>
#include <string_view>
#include <vector>

#include "answer/bound.hpp"
#include "base/type_list.hpp"
#include "model/boolean_program/abstraction.hpp"
#include "model/boolean_program/cube.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::answer {

/// A run that ends with a thread that has failed.
struct ProgramRun {
  model::boolean::State initial;
  std::vector<model::boolean::Step> steps;
  bool keeps_calls = false;  ///< its nodes and edges are those of the graph with calls kept
  friend bool operator==(const ProgramRun&, const ProgramRun&) = default;
};

/// Threads at a node with local variables in a cube.
struct ThreadCube {
  model::boolean::NodeId node;
  model::boolean::Cube values;
  friend auto operator<=>(const ThreadCube&, const ThreadCube&) = default;
};

/// All states whose shared variables lie in `shared` and that have different threads for all of
/// `threads` (and perhaps more). Threads are sorted.
struct ProgramElement {
  model::boolean::Cube shared;
  std::vector<ThreadCube> threads;
  friend auto operator<=>(const ProgramElement&, const ProgramElement&) = default;
};

/// A thread at `node` while the shared variables lie in `shared` and its own in `local`.
struct ThreadFact {
  model::boolean::NodeId node;
  model::boolean::Cube shared;
  model::boolean::Cube local;
  friend auto operator<=>(const ThreadFact&, const ThreadFact&) = default;
};

/// The union of the elements contains every state in which a thread has failed, no initial state,
/// and every predecessor of its states, but for states that the invariant excludes: in every
/// reachable state each thread satisfies one of `thread_states` (no such claim if there are none),
/// and at most one thread is inside an atomic section.
struct ProgramBasis {
  static constexpr std::string_view kName = "program_basis";
  using Models = base::TypeList<model::BooleanProgram>;
  using Bounds = BoundList<>;

  std::vector<ProgramElement> minimal;
  std::vector<ThreadFact> thread_states;
  /// If there is one, all this is about the coarse graph that it defines, of which every run of
  /// the program is one.
  std::optional<model::boolean::Abstraction> abstraction = std::nullopt;
  friend bool operator==(const ProgramBasis&, const ProgramBasis&) = default;
};

}  // namespace heddle::answer
