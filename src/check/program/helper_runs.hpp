#pragma once

/// The checker's own exploration of what some threads of a Boolean program reach: one that takes
/// any edge, and others that take some. All that is found is reachable, because every step is one
/// of the program.
///
/// Threads have numbers from 0 on; thread 0 takes any edge. Its node is kept apart, as a number
/// (`kAbsent`: it is not started yet); the other threads' nodes are bits, 0 if they are not.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/question.hpp"
#include "solver/bdd.hpp"

namespace heddle::check {

/// Where the variables are: choices and messages first, then nodes, shared variables (before and
/// after a step), and local ones: for each, thread 0's, after a step, a child's, and the others'.
struct RunLayout {
  std::uint32_t first_node = 0, bits = 0, first_shared = 0, first_local = 0, width = 0, total = 0;

  RunLayout(const model::boolean::Flow& flow, std::uint32_t threads);
  std::uint32_t node(std::uint32_t thread, std::uint32_t bit) const {
    return first_node + (thread - 1) * bits + bit;
  }
  std::uint32_t shared(std::uint32_t i) const { return first_shared + 2 * i; }
  std::uint32_t shared_after(std::uint32_t i) const { return first_shared + 2 * i + 1; }
  std::uint32_t local(std::uint32_t thread, std::uint32_t i) const {
    return first_local + width * i + (thread == 0 ? 0 : 2 + thread);
  }
  std::uint32_t local_after(std::uint32_t i) const { return first_local + width * i + 1; }
  std::uint32_t child(std::uint32_t i) const { return first_local + width * i + 2; }
};

/// One step by an edge of a thread, as a relation between values before and after.
class StepRelations {
 public:
  StepRelations(const model::boolean::Flow& flow, const RunLayout& layout,
                const solver::BddSpace& space)
      : flow_(flow), layout_(layout), space_(space) {}

  /// Guard, assignments and constraint, a child's values, and the messages to other threads; the
  /// choices are gone.
  solver::Bdd of(const model::boolean::FlowEdge& edge, std::uint32_t thread) const;
  /// The other thread's variables get the messages' values, or any.
  solver::Bdd deliver(const model::boolean::FlowEdge& edge, std::uint32_t to,
                      const solver::Bdd& set) const;
  /// Without the messages.
  solver::Bdd drop(const model::boolean::FlowEdge& edge, const solver::Bdd& set) const;

 private:
  solver::Bdd value(const model::boolean::Formula& formula, const model::boolean::FlowEdge& edge,
                    std::uint32_t thread) const;

  const model::boolean::Flow& flow_;
  const RunLayout& layout_;
  const solver::BddSpace& space_;
};

class HelperRuns {
 public:
  HelperRuns(const model::boolean::Flow& flow, const RunLayout& layout,
             const solver::BddSpace& space, std::uint32_t threads,
             const std::vector<std::vector<model::boolean::EdgeId>>& helpers,
             base::RunContext& context);

  /// From all initial states with these numbers of threads. False if the context says stop.
  bool run(const std::vector<model::ThreadsInMain>& initial);
  /// What thread 0 meets at the node: shared variables and its own.
  solver::Bdd met_at(model::boolean::NodeId node) const;

 private:
  using Where = std::uint32_t;
  struct Branch {
    Where where;
    solver::Bdd states;
  };
  static constexpr Where kAbsent = ~std::uint32_t{0};

  solver::Bdd at(std::uint32_t thread, std::uint32_t node_plus_one) const;
  solver::Bdd starting(std::uint32_t thread) const;
  void find_needed(std::uint32_t thread);
  solver::Bdd forget(std::uint32_t thread, model::boolean::NodeId node,
                     const solver::Bdd& states) const;
  void reach(Where where, const solver::Bdd& states);
  solver::Bdd with_helpers(Where where, const solver::Bdd& states);
  std::vector<Branch> take(const model::boolean::FlowEdge& edge, std::uint32_t thread, Where where,
                           const solver::Bdd& states);
  bool waits(Where where, std::uint32_t condition) const;
  solver::Bdd moved_on(std::uint32_t thread, std::uint32_t condition,
                       const solver::Bdd& states) const;
  std::vector<Branch> wake_all(const model::boolean::FlowEdge& edge, std::uint32_t thread,
                               Branch branch) const;
  std::vector<Branch> wake_one(const model::boolean::FlowEdge& edge, std::uint32_t thread,
                               const Branch& branch) const;
  solver::Bdd inform(const model::boolean::FlowEdge& edge, std::uint32_t thread,
                     const Branch& branch) const;
  std::vector<Branch> start(const model::boolean::FlowEdge& edge, std::uint32_t thread,
                            const Branch& branch) const;

  const model::boolean::Flow& flow_;
  const RunLayout& layout_;
  const solver::BddSpace& space_;
  std::uint32_t threads_;
  /// By thread and node: the edges that it takes, and the local variables that these may read,
  /// at once or later, before they assign them.
  std::vector<std::vector<std::vector<model::boolean::EdgeId>>> taken_;
  std::vector<std::vector<model::boolean::Valuation>> needed_;
  base::RunContext& context_;
  StepRelations relations_;
  std::vector<std::vector<model::boolean::EdgeId>> out_of_;
  std::map<std::pair<const model::boolean::FlowEdge*, std::uint32_t>, solver::Bdd> known_;
  std::map<Where, solver::Bdd> reached_;
  std::map<Where, solver::Bdd> open_;
};

}  // namespace heddle::check
