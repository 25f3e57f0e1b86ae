#pragma once

/// Coarser views of a flow graph: some variables may have any value at any time, some waits end
/// at any time, and some nodes are taken for one. Each of these only adds runs, so what no run of
/// the coarse graph does, no run of the original one does either, whatever the abstraction is. The
/// coarse graph is defined here once, as `unfold` defines the original one; whoever reads evidence
/// about it computes it anew.
///
///  * A *hidden* variable is chosen anew wherever it is read, as if it were a `*`, and assignments
///    to it are left out. Within one step it has one value.
///  * A step that only moves its thread to another node, and looks at nothing else, may be made not
///    to see a variable that others see. Threads outside of atomic sections then move on while
///    another one is inside.
///  * If the bit of atomic sections is hidden, no node is inside of one.
///  * A `wait` for a hidden condition is a step that can always be taken; a `broadcast` or `signal`
///    of it moves nobody.
///  * A class of nodes is a node of the coarse graph. Its threads are somewhere in the class.
///  * A step inside of a class that changes nothing is left out.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

struct Abstraction {
  Valuation shared;                    ///< the shared variables that are not hidden
  Valuation local;                     ///< likewise, by position, whatever the procedure
  Valuation conditions;                ///< likewise, of those that threads wait for
  Valuation unseen_by_moves;           ///< shared variables that steps that only move do not see
  std::vector<std::uint32_t> classes;  ///< by node, numbered from 0
  friend bool operator==(const Abstraction&, const Abstraction&) = default;

  /// Conditions beyond the first kMostVariables are never hidden.
  bool shows_condition(std::uint32_t condition) const {
    return condition >= kMostVariables || conditions[condition];
  }
};

/// The edge with everything hidden that the abstraction hides; source, target and child are nodes
/// of the original graph. Choices are numbered in the order in which they occur, and what depends
/// on nothing but choices of its own is one choice or a constant, so that edges that look alike to
/// everybody mostly are alike.
/// More than kMostVariables choices: nobody may use the edge.
/// Precondition: it is no Call and no Return.
FlowEdge hide(const FlowEdge& edge, const Abstraction& abstraction);

/// A step to the node behind a `wait`, if the abstraction hides what is waited for there.
std::optional<FlowEdge> free_wake(const FlowNode& node, NodeId which,
                                  const Abstraction& abstraction);

/// Does the edge, if it is taken, change nothing but its thread's node?
bool only_moves(const FlowEdge& edge);

/// A coarse graph, and where its edges come from.
struct CoarseFlow {
  Flow flow;
  /// By edge of the original graph: that of the coarse one, if it has not been left out.
  std::vector<std::optional<EdgeId>> edge_of;
  /// By node of the original graph: the edge that leaves its `wait` freely, likewise.
  std::vector<std::optional<EdgeId>> wake_of;
};

/// The error says why the abstraction does not fit the graph: classes of other nodes, or of nodes
/// that differ in being inside atomic sections, in their threads' procedure, in what they wait for
/// or where they are woken to; a step with more than kMostVariables choices and hidden variables.
/// Precondition: calls are unfolded.
std::expected<CoarseFlow, std::string> coarsen(const Flow& flow, const Abstraction& abstraction);

/// What evidence about a program is about: its graph with calls unfolded, a coarse one if there is
/// an abstraction. The error says why there is none.
std::expected<Flow, std::string> graph_of(const BooleanProgram& program,
                                          const std::optional<Abstraction>& abstraction);

}  // namespace heddle::model::boolean
