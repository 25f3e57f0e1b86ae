#pragma once

/// A program with its calls kept, as relations over decision diagrams: what its edges do, whoever
/// takes them and in whichever round.

#include <optional>
#include <vector>

#include "engine/context/variables.hpp"
#include "model/boolean_program/flow.hpp"
#include "solver/bdd.hpp"

namespace heddle::engine::context {

using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using solver::Bdd;
using solver::BddRenaming;
using solver::BddSpace;

/// From a set of facts to those after the edge: conjoin with `relation`, forget `forgotten`, and
/// rename.
struct EdgeRelation {
  Bdd relation;
  Bdd forgotten;
  BddRenaming renaming;
};

class System {
 public:
  /// The flow must outlive it.
  System(const Flow& flow, std::uint32_t rounds,
         std::optional<std::uint64_t> memory_mb = std::nullopt);

  const Flow& flow() const { return flow_; }
  const BddSpace& space() const { return space_; }
  const Variables& variables() const { return variables_; }

  /// Of a Step: over Current, Local and, where they are assigned, Next and NextLocal.
  /// Of a Call: over Current, Local and Argument; `forgotten` and `renaming` lead behind the call
  /// from facts that are joined with a summary in the caller's terms.
  /// Of a Return: over Current, Local and Result; `forgotten` are the callee's local variables.
  const EdgeRelation& relation(EdgeId edge) const { return relations_[edge.index()]; }

  /// From facts with arguments to those of the procedure's entry.
  Bdd entered(EdgeId call, const Bdd& called) const;
  /// The facts with which a frame is entered: nothing has changed since, parameters have their
  /// first values and the other variables those of their declarations. Entry is left open if only
  /// starts of threads call the procedure: it is called once, by a caller without variables, so
  /// where it goes on does not depend on how it began.
  const Bdd& entry_base(EdgeId call) const { return entry_bases_[call.index()]; }
  /// Is the procedure with this entry called by starts of threads only?
  bool starts_threads(NodeId entry) const { return !called_by_others_[entry.index()]; }
  /// A summary in the caller's terms: Entry is Current, Parameter is Argument, Current is Next.
  Bdd for_caller(const Bdd& summary) const { return for_caller_(summary); }
  Bdd for_callee(const Bdd& summary) const { return for_callee_(summary); }

  const std::vector<EdgeId>& edges_from(NodeId node) const { return from_[node.index()]; }
  const std::vector<EdgeId>& edges_into(NodeId node) const { return into_[node.index()]; }
  /// The calls of a frame.
  const std::vector<EdgeId>& calls_of(std::uint32_t frame) const { return calls_[frame]; }
  const std::vector<EdgeId>& returns_of(std::uint32_t frame) const { return returns_[frame]; }
  std::uint32_t callee(EdgeId call) const {
    return flow_.nodes[flow_.edges[call.index()].child.index()].frame;
  }

  /// Does it matter whether a turn ends here rather than at the next such node? Not if the steps
  /// from here leave the shared variables alone, nor inside an atomic section, where nobody else
  /// can step.
  bool may_switch(NodeId node) const { return may_switch_[node.index()]; }
  /// Can the shared variables have changed in the step that led here?
  bool may_have_changed(NodeId node) const { return may_have_changed_[node.index()]; }
  /// A number for each node, small for those that are reached early.
  std::uint32_t rank(NodeId node) const { return ranks_[node.index()]; }

  /// One copy equals another.
  Bdd equal(Family a, std::uint32_t round_a, Family b, std::uint32_t round_b) const;
  Bdd all(Family family, std::uint32_t round = 0) const;
  Bdd rename(const Bdd& set, Family from, std::uint32_t round_from, Family to,
             std::uint32_t round_to) const;
  Bdd initial(Family family, std::uint32_t round) const;  ///< the shared variables' first values

 private:
  void relate(EdgeId id);
  EdgeRelation step_relation(const FlowEdge& edge) const;
  EdgeRelation call_relation(const FlowEdge& edge) const;
  EdgeRelation return_relation(const FlowEdge& edge) const;
  Bdd base_of(const FlowEdge& call) const;
  void find_called();
  void find_switches();
  void rank_nodes();

  const Flow& flow_;
  Variables variables_;
  BddSpace space_;
  std::vector<EdgeRelation> relations_;
  std::vector<Bdd> entry_bases_;
  BddRenaming for_caller_;
  BddRenaming for_callee_;
  BddRenaming arguments_to_parameters_;
  std::vector<std::vector<EdgeId>> from_, into_, calls_, returns_;
  std::vector<bool> called_by_others_;  ///< by node: is it an entry of calls other than starts?
  std::vector<bool> may_switch_, may_have_changed_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace heddle::engine::context
