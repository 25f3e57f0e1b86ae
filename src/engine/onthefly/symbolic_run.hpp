#pragma once

/// A run whose steps are known and whose values are not: which threads take which edges in which
/// order. A SAT solver says whether there are such values and, if not, which of the hidden
/// variables are to blame.

#include <cstdint>
#include <optional>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "model/boolean_program/abstraction.hpp"
#include "solver/sat.hpp"

namespace heddle::engine::onthefly {

/// Hidden variables, as an abstraction shows them.
struct Variables {
  model::boolean::Valuation shared;
  model::boolean::Valuation local;
  std::size_t count() const { return shared.count() + local.count(); }

  friend bool operator==(const Variables&, const Variables&) = default;
};

/// Why there are no values for a run: if these variables are not hidden, these steps contradict
/// each other (and the initial values).
struct Conflict {
  Variables variables;
  std::vector<std::size_t> steps;     ///< positions in the run, ascending
  std::vector<solver::Literal> core;  ///< the same, for `reduce`
};

class SymbolicRun {
 public:
  /// All must outlive it. So many threads at the start of main.
  SymbolicRun(const model::boolean::Flow& flow, const model::boolean::Abstraction& abstraction,
              std::size_t threads, const base::RunContext& context);

  model::boolean::NodeId node(std::uint32_t thread) const { return now_.threads[thread].node; }
  std::size_t threads() const { return now_.threads.size(); }
  std::size_t size() const { return steps_.size(); }
  std::size_t wakes() const;                           ///< how many of the steps are a `push_wake`
  model::boolean::Valuation woken_conditions() const;  ///< what they have waited for

  /// Adds a step. Precondition: the thread is at the edge's source; `woken`, if any, waits.
  void push(std::uint32_t thread, model::boolean::EdgeId edge, std::optional<std::uint32_t> woken);
  /// The thread goes on behind its `wait`, whoever wakes it.
  void push_wake(std::uint32_t thread);
  /// Takes the last step back.
  void pop();

  /// Are there values? Unknown as with solvers.
  solver::SatAnswer solve();
  /// Precondition: there were none.
  Conflict conflict() const;
  /// Leaves out variables of a conflict, local ones first, as long as it stays one.
  Conflict reduce(const Conflict& conflict);

  /// Precondition: there were values, and no step is a `push_wake`.
  answer::ProgramRun values() const;

 private:
  using Literals = std::vector<solver::Literal>;
  struct Thread {
    model::boolean::NodeId node;
    Literals local;
  };
  struct Values {
    Literals shared;
    std::vector<Thread> threads;
  };
  struct Taken {
    std::uint32_t thread = 0;
    std::optional<model::boolean::EdgeId> edge;  ///< nothing: a `push_wake`
    std::optional<std::uint32_t> woken;
    Literals child;
    solver::Literal active = 0;  ///< if it holds, the step is one of the run
    Values before;
  };
  /// Literals for the atoms of one step.
  struct Reading {
    std::uint32_t thread = 0;
    Literals choices;
    Literals shared;  ///< 0 until read
    Literals local;   ///< likewise
    const Literals* next_shared = nullptr;
    const Literals* next_local = nullptr;
    std::optional<std::uint32_t> receiver = {};  ///< a thread, of passive values
    Literals received = {};                      ///< its variables, 0 until read
  };

  solver::Literal fresh() { return solver_.new_variable(); }
  void clause(std::initializer_list<solver::Literal> literals) {
    solver_.add_clause(std::span(literals.begin(), literals.size()));
  }
  Literals first_values(const model::boolean::Cube& initial, std::size_t count);
  solver::Literal selector(bool shared, std::uint32_t index);
  solver::Literal read(Reading& reading, model::boolean::AtomKind kind, std::uint32_t index);
  solver::Literal literal_of(const model::boolean::Formula& formula, Reading& reading);
  void assign(Literals& values, const std::vector<model::boolean::Assignment>& assignments,
              Reading& reading);
  void move_others(const model::boolean::FlowEdge& edge, const Taken& taken);
  /// The local variables that the thread has after the edge's passive assignments.
  Literals received(const model::boolean::FlowEdge& edge, std::uint32_t active,
                    std::uint32_t receiver);
  model::boolean::Valuation valuation(const Literals& literals) const;
  bool value(solver::Literal literal) const;
  Conflict named(Literals core) const;

  const model::boolean::Flow& flow_;
  const model::boolean::Abstraction& abstraction_;
  const base::RunContext& context_;
  solver::SatSolver solver_;
  solver::Literal true_;
  Literals shared_selectors_, local_selectors_;  ///< by variable; 0 if there is none yet
  Values now_;
  Values first_;
  std::vector<Taken> steps_;
};

}  // namespace heddle::engine::onthefly
