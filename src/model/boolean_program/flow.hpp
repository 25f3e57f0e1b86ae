#pragma once

/// A Boolean program as a finite control-flow graph that every thread walks: what engines and
/// checkers work on. semantics.hpp says what the program means; a thread can fail in the graph if
/// and only if it can fail there. There are two forms of graphs. With calls *unfolded*, a call is a
/// step into a copy of its procedure; that is a finite graph if no procedure is recursive. With
/// calls *kept*, a thread has a stack of callers, and a procedure has one copy for all of them (or
/// one for each depth of atomic sections in which it is called, as far as that matters).
///
/// A state is a valuation of the shared variables and, for each thread, a node and a valuation of
/// its local variables. An edge is one step of the thread at its source, the *active* one:
///
///   choose a value for each `*`; the guard must hold; assign in parallel (a variable that is not
///   assigned keeps its value); the constraint, over old and new values, must hold.
///
/// Then, by the edge's kind: a Spawn creates a thread at `child` whose local variables are those of
/// the active thread *before* the step, but for `child_values`; a Broadcast moves every *other*
/// thread that waits for its condition on to the node behind its `wait`; a Signal does so with one
/// of them, if there is any. `passive` assigns to local variables of every other thread whose
/// outermost procedure is the active thread's, the *receivers*; the values are computed from the
/// active thread's and the receiver's variables before the step, and from choices that each
/// receiver makes for itself. So a receiver changes by a relation in which every state has a
/// successor, and no receiver ever blocks the step. A Call leaves the active thread's node and
/// variables behind on its stack and goes on at `child` with local variables that are 0 but for
/// `child_values`. A Return takes the caller from the stack and goes on at the target of its Call,
/// whose `received` variables get the values that `child_values` computes.
///
/// How the meaning is encoded:
///
///  * Atomic sections are a bit of the shared state: is a thread inside one? A thread outside steps
///    only while the bit is 0, a thread inside only while it is 1; entering sets it, leaving the
///    outermost section clears it, and so does a thread that ends inside. How many sections a
///    thread is inside of is part of its node.
///  * Local variables of a procedure that has returned are 0: they are nobody's any more.
///
/// More threads never disable a step, so `covers` is a simulation (the bit is what makes atomic
/// sections monotone).

#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/id.hpp"
#include "model/boolean_program/cube.hpp"
#include "model/boolean_program/formula.hpp"
#include "model/boolean_program/syntax.hpp"
#include "model/named_values.hpp"

namespace heddle::model::boolean {

struct NodeTag;
using NodeId = base::Id<NodeTag>;
struct EdgeTag;
using EdgeId = base::Id<EdgeTag>;

struct Assignment {
  std::uint32_t index = 0;
  Formula value;
  friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// Is the value a `*`, and nothing else?
bool is_free(const Assignment& assignment);
/// Of a passive assignment: does the value depend on the active thread alone, so that all receivers
/// get the same one?
bool is_same_for_all(const Assignment& passive);

enum class EdgeKind { Step, Spawn, Broadcast, Signal, Call, Return };

struct FlowEdge {
  EdgeKind kind = EdgeKind::Step;
  NodeId source;
  NodeId target;                        ///< of a Return, its own source: the stack knows better
  Formula guard = constant(true);       ///< over old values and choices
  std::vector<Assignment> shared;       ///< sorted by index, one each
  std::vector<Assignment> local;        ///< likewise
  Formula constraint = constant(true);  ///< over old and new values and choices
  std::uint32_t choices = 0;            ///< how many `*` there are

  NodeId child;                          ///< of a Spawn; of a Call, where the procedure starts
  std::vector<Assignment> child_values;  ///< over old values and choices; of a Return, its results
  /// Of a Call: for each result, the shared or local variable that gets it, if any.
  std::vector<std::optional<Atom>> received;
  std::uint32_t condition = 0;        ///< of a Broadcast or Signal
  std::vector<Assignment> passive;    ///< local variables of the receivers
  std::uint32_t passive_choices = 0;  ///< how many `*` each receiver chooses

  Position at;
  std::string text;  ///< the statement
};

/// Who owns which local variables: a procedure that was called from another one.
struct Frame {
  std::uint32_t procedure = 0;
  std::uint32_t first_local = 0;
  std::uint32_t caller = 0;  ///< a frame; its own number for the outermost one
};

struct FlowNode {
  std::uint32_t frame = 0;
  std::uint32_t atomic_depth = 0;
  bool failed = false;  ///< a thread here has violated the property
  bool waits = false;
  std::uint32_t condition = 0;  ///< what it waits for
  NodeId woken;                 ///< where it goes then
  std::optional<EdgeId> call;   ///< the call that is made here, if calls are kept
  Position at;
};

struct Flow {
  std::vector<std::string> shared_names;
  std::uint32_t local_count = 0;
  std::vector<std::string> procedures;                ///< names
  std::vector<std::vector<std::string>> local_names;  ///< of each procedure, parameters first
  /// What variables encode, by the index of the first one; of procedures as in `local_names`.
  std::vector<Encoding> shared_encodings;
  std::vector<std::vector<Encoding>> local_encodings;
  std::vector<std::uint32_t> parameter_counts;  ///< of each procedure
  std::vector<Frame> frames;
  std::vector<FlowNode> nodes;
  std::vector<FlowEdge> edges;

  NodeId start;
  /// With calls kept, where threads start: one thread at each, if the program lists its threads;
  /// otherwise any number at the only one.
  std::vector<NodeId> starts;
  bool lists_threads = false;
  /// The shared variable that is 1 while a thread is inside an atomic section, if there are any.
  std::optional<std::uint32_t> atomic_bit;
  Cube initial_shared;
  Cube initial_local;

  /// The outermost frame of a node's.
  std::uint32_t root_of(NodeId node) const;
  std::vector<std::vector<EdgeId>> edges_by_source() const;
  /// Precondition: a thread waits there for a call to return.
  const FlowEdge& call_at(NodeId node) const;
};

/// Unfolds calls. The error says why that cannot be done: recursion, too many variables or nodes.
/// Precondition: the names are right (frontend::boolean_program::check_names finds no problem).
/// Deterministic, so that numbers of nodes and edges can stand in evidence.
std::expected<Flow, std::string> unfold(const BooleanProgram& program);

/// Keeps calls. Each thread starts in a node of its own that calls its procedure. The error says
/// why that cannot be done: threads that are created or wait for each other, a procedure that
/// returns in other atomic sections than it was called in, too many variables or nodes.
/// Precondition and numbers as with `unfold`.
std::expected<Flow, std::string> keep_calls(const BooleanProgram& program);

/// The variables of which the cube knows something, those of the innermost procedure first. Bits
/// of an integer that it does not know are question marks: `0b1?0`.
NamedValues shared_values(const Flow& flow, const Cube& shared);
NamedValues local_values(const Flow& flow, NodeId node, const Cube& local);
/// `main:12`, a procedure and a line of the file.
std::string node_text(const Flow& flow, NodeId node);

}  // namespace heddle::model::boolean
