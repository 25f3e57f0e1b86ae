#pragma once

/// The checker's own encoding of one edge of a flow graph in propositional logic, and queries about
/// it: is there a step by this edge such that …? Independent of how engines compute preimages.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "answer/program_evidence.hpp"
#include "model/boolean_program/flow.hpp"
#include "solver/sat.hpp"

namespace heddle::check {

/// One literal for each variable.
using Bits = std::vector<solver::Literal>;

class EdgeEncoding {
 public:
  EdgeEncoding(const model::boolean::Flow& flow, const model::boolean::FlowEdge& edge);

  const Bits& shared() const { return shared_; }              ///< before the step
  const Bits& shared_after() const { return shared_after_; }  ///
  const Bits& local() const { return local_; }                ///< of the active thread
  const Bits& local_after() const { return local_after_; }    ///
  const Bits& child() const { return child_; }                ///< of a Spawn's new thread
  /// Of the k-th other thread, before the step and after it. `same_root`: passive assignments of
  /// the edge reach it.
  const Bits& other(std::size_t k);
  Bits other_after(std::size_t k, bool same_root);

  /// A query is what is assumed since the last `forget`.
  void assume(const model::boolean::Cube& cube, const Bits& bits);
  /// One of these thread states holds of the thread.
  void assume_one_of(std::span<const answer::ThreadFact> facts, const Bits& shared,
                     const Bits& local);

  /// A cube of values of some bits.
  struct Part {
    model::boolean::Cube cube;
    const Bits* bits = nullptr;
  };
  /// Not all parts hold together.
  void assume_not(std::span<const Part> parts);

  /// Is there a step as assumed? Unknown if the context's limits ended the search, or the solver
  /// gave up.
  solver::SatAnswer find_step(const base::RunContext& context);
  /// The bits' values in the step that `find_step` has found.
  model::boolean::Valuation value(const Bits& bits) const;
  void forget();

 private:
  solver::Literal fresh();
  Bits fresh_bits(std::size_t count);
  void clause(std::initializer_list<solver::Literal> literals);
  solver::Literal literal_of(const model::boolean::Formula& formula);
  solver::Literal atom(const model::boolean::Atom& atom);
  solver::Literal all_of(const model::boolean::Cube& cube, const Bits& bits,
                         solver::Literal implied_by);
  Bits assigned(const Bits& before, const std::vector<model::boolean::Assignment>& assignments);
  /// Switches clauses of the current query on; made when the first is added.
  solver::Literal query();

  const model::boolean::FlowEdge& edge_;
  solver::SatSolver solver_;
  solver::Literal true_;
  Bits shared_, local_, shared_after_, local_after_, child_, choices_;
  Bits receiver_;  ///< of the thread whose passive values are encoded
  std::map<std::size_t, Bits> others_;
  std::vector<solver::Literal> assumptions_;
  solver::Literal query_ = 0;
};

/// Why an answer of the solver is Unknown.
std::string why_unknown(const base::RunContext& context);

}  // namespace heddle::check
