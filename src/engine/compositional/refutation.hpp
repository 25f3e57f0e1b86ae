#pragma once

/// From clauses without a solution to a run that the interpreter executes.

#include <memory>
#include <optional>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::compositional {

/// A sequence of steps of blocks that leads to an error location, with inputs: satisfiable as a
/// formula over the thread program.
struct Interleaving {
  struct Step {
    model::threads::ThreadIndex thread;
    std::uint32_t step = 0;  ///< of BlockProgram::steps
    std::map<std::string, base::Integer> inputs;
  };
  std::vector<Step> steps;
  std::map<std::string, base::Integer> unknown_initial;
};

/// Looks for interleavings by bounded unrolling, shortest first. No thread is replicated.
class InterleavingSearch {
 public:
  explicit InterleavingSearch(const Prepared& prepared);
  InterleavingSearch(InterleavingSearch&&) noexcept;
  InterleavingSearch& operator=(InterleavingSearch&&) noexcept;
  ~InterleavingSearch();

  /// Goes on up to this length, a step of the context for each. None if there is none, or the
  /// context says that the run must end, or the solver gave up.
  std::optional<Interleaving> run(std::size_t length, base::RunContext& context);

 private:
  class Unrolling;
  std::unique_ptr<Unrolling> unrolling_;
};

/// The run of the C program that an interleaving stands for, executed by the interpreter. None if
/// the interpreter does otherwise: then the interleaving is an artefact of abstraction.
std::optional<model::c::Run> replay(const model::c::Program& program, const Prepared& prepared,
                                    const Interleaving& interleaving);

}  // namespace heddle::engine::compositional
