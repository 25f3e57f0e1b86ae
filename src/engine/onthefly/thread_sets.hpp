#pragma once

/// What a number of threads reaches together, as decision diagrams: one thread that takes any edge,
/// the *tracked* one, and *helpers*, which take some of the edges. That is less than all that the
/// threads can do, unless the helpers take all edges, but it is reachable, and few edges of the
/// helpers are often enough to show all that the tracked thread can meet.
///
/// A set of states is kept for each node of the tracked thread (and one for states before it is
/// started): over the helpers' nodes, in binary, the shared variables and everybody's local ones.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/run_context.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/question.hpp"
#include "model/boolean_program/thread_states.hpp"
#include "solver/bdd.hpp"

namespace heddle::engine::onthefly {

/// An edge as a relation. Values after the step are those of the `Next` copies where the edge
/// assigns; other variables keep their values.
struct EdgeRelation {
  solver::Bdd relation;
  model::boolean::Valuation shared;  ///< assigned
  model::boolean::Valuation local;   ///< likewise
};

/// The order of the variables: scratch, helpers' nodes, shared variables with their values after a
/// step, for each local variable that of the tracked thread, after a step and of another thread,
/// and then the local variables of one helper after the other. Threads know little of each other,
/// so that a set is nearly a product of one set for each, for given shared variables: in this
/// order, their diagrams follow each other and are not multiplied.
class ThreadVariables {
 public:
  ThreadVariables(const model::boolean::Flow& flow, std::uint32_t helpers);

  std::uint32_t count() const;
  std::uint32_t scratch(std::uint32_t i) const { return i; }
  std::uint32_t shared(std::uint32_t i) const { return shared_ + 2 * i; }
  std::uint32_t next_shared(std::uint32_t i) const { return shared(i) + 1; }
  std::uint32_t next_local(std::uint32_t i) const { return local(0, i) + 1; }
  std::uint32_t other_local(std::uint32_t i) const { return local(0, i) + 2; }
  /// Of the tracked thread (0) or of a helper (1, …).
  std::uint32_t local(std::uint32_t slot, std::uint32_t i) const {
    return local_ + (slot == 0 ? 3 * i : (slot + 2) * local_count_ + i);
  }
  std::uint32_t node_bit(std::uint32_t slot, std::uint32_t bit) const {
    return scratch_ + (slot - 1) * node_bits_ + bit;
  }
  std::uint32_t node_bits() const { return node_bits_; }

 private:
  std::uint32_t scratch_, node_bits_, shared_, local_, helpers_, local_count_;
};

enum class Explored : std::uint8_t {
  Everything,
  Part,     ///< it takes more steps than were allowed
  Stopped,  ///< the context says so
};

class ThreadSets {
 public:
  /// The flow and the question must outlive it.
  ThreadSets(const model::boolean::Flow& flow, const std::vector<model::ThreadsInMain>& initial,
             std::uint32_t threads, base::RunContext& context);

  /// The helpers are 1, …, threads − 1.
  void add_helper_edges(std::uint32_t helper, const std::set<model::boolean::EdgeId>& edges);
  /// Finds everything that can be reached, unless that takes more steps.
  Explored explore(std::optional<std::uint64_t> most_steps = std::nullopt);

  /// What the tracked thread meets at a node: over the shared variables and its own.
  const solver::Bdd& at(model::boolean::NodeId node);

  const solver::BddSpace& space() const { return space_; }
  const ThreadVariables& variables() const { return variables_; }
  const EdgeRelation& relation(model::boolean::EdgeId edge) { return relation_of(edge, 0); }
  /// Over scratch variables from 0 on: the values that passive assignments of the edge give.
  solver::Bdd messages(const model::boolean::FlowEdge& edge, std::uint32_t slot) const;
  solver::Bdd formula(const model::boolean::Formula& formula, std::uint32_t slot,
                      const model::boolean::FlowEdge& edge) const;
  solver::Bdd state_cube(const model::boolean::ThreadStateTarget& state) const;
  /// The passive assignments of an edge, made to a thread with these local variables. The
  /// messages are among the set's variables; they are forgotten by `forget_messages`.
  solver::Bdd assigned_passively(const solver::Bdd& set, const model::boolean::FlowEdge& edge,
                                 std::uint32_t slot) const;
  solver::Bdd forget_messages(const solver::Bdd& set, const model::boolean::FlowEdge& edge) const;

 private:
  using EdgeId = model::boolean::EdgeId;
  using NodeId = model::boolean::NodeId;
  using Set = solver::Bdd;

  const EdgeRelation& relation_of(EdgeId edge, std::uint32_t slot);
  EdgeRelation encode(const model::boolean::FlowEdge& edge) const;
  Set node_is(std::uint32_t slot, std::optional<NodeId> node) const;
  Set initial_values(std::uint32_t slot) const;
  void start();
  void find_live(std::uint32_t slot);
  Set without_dead(const Set& set, std::uint32_t slot, NodeId node) const;
  void add(std::size_t where, Set set);
  void expand(std::size_t where, const Set& fresh);
  struct Moved {
    std::size_t where;  ///< of the tracked thread
    Set set;
  };
  /// The step of a slot by an edge, from states in which it can be taken: its node bits are gone.
  std::vector<Moved> step(EdgeId edge, std::uint32_t slot, std::size_t where, const Set& from);
  std::vector<Moved> with_others(const model::boolean::FlowEdge& edge, std::uint32_t slot,
                                 Moved moved) const;
  std::vector<Moved> woken_by_signal(const model::boolean::FlowEdge& edge, std::uint32_t slot,
                                     const Moved& moved) const;
  Moved woken_by_broadcast(const model::boolean::FlowEdge& edge, std::uint32_t slot,
                           Moved moved) const;
  Set waiting(std::uint32_t slot, std::uint32_t condition) const;
  Set wake(const Set& set, std::uint32_t slot, std::uint32_t condition) const;
  bool tracked_waits(std::size_t where, std::uint32_t condition) const;
  Set assign_others(Set set, const model::boolean::FlowEdge& edge, std::uint32_t slot,
                    std::size_t where) const;
  Set rooted_like(std::uint32_t slot, NodeId node) const;
  std::vector<Moved> with_child(const model::boolean::FlowEdge& edge, std::uint32_t slot,
                                const Moved& moved) const;

  const model::boolean::Flow& flow_;
  const std::vector<model::ThreadsInMain>& initial_;
  std::uint32_t threads_;
  base::RunContext& context_;
  ThreadVariables variables_;
  solver::BddSpace space_;
  std::size_t unborn_;  ///< where the tracked thread is before it is started
  std::vector<std::vector<EdgeId>> out_of_;
  /// By slot and node: the edges that the helper takes, and the local variables that they read.
  std::vector<std::vector<std::set<EdgeId>>> helper_edges_;
  std::vector<std::vector<model::boolean::Valuation>> live_;
  bool has_passive_ = false;  ///< some edges assign to other threads' variables
  std::vector<std::vector<std::optional<EdgeRelation>>> relations_;  ///< by slot and edge
  std::vector<Set> reached_;
  std::vector<Set> fresh_;
  std::vector<std::optional<Set>> seen_;  ///< by node: what `at` has found
  std::set<std::size_t> open_;
  Set helpers_only_;  ///< their nodes and local variables, as an argument of `exists`
};

}  // namespace heddle::engine::onthefly
