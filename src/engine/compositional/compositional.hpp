#pragma once

/// Proofs for threads over unbounded data: reduction to blocks, then Horn clauses.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"
#include "model/c/program.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::compositional {

struct ProveOptions {
  bool reduction = true;
  bool modular = true;
  bool product = true;
  std::size_t most_tuples = 600;
  std::size_t most_places = 60;  ///< at which a predicate may say that another thread stands
  bool pairs = true;
  std::size_t most_clauses_about_three = 1500;
  bool refutation = true;
  std::size_t most_steps = 100;  ///< of a run, in blocks
  /// Of the solver for a first attempt, and the length of runs looked for; each round doubles both.
  std::uint64_t first_effort = 1'500'000;
  std::size_t first_length = 8;
  /// Without a time limit, gives up when one attempt has had this much.
  std::uint64_t most_effort = 3'000'000;
  std::uint64_t most_instructions = 300'000;  ///< of a plain run
};

struct CompositionalResult {
  enum class Answer : std::uint8_t { Safe, Unsafe, Unknown };
  Answer answer = Answer::Unknown;
  std::shared_ptr<const Prepared> prepared;          ///< of the proof or the run
  std::optional<model::threads::ThreadProof> proof;  ///< if Safe
  std::optional<model::c::Run> run;                  ///< if Unsafe: the interpreter has executed it
  std::string why;                                   ///< if Unknown; how, if Safe
  bool is_refused = false;                           ///< Unknown: it cannot be translated
};

/// Facts, movers, blocks and their steps. `boundaries`: points that must be some, by thread and
/// point, or empty.
Prepared prepare(model::threads::ThreadProgram program, bool reduction,
                 const base::RunContext& context,
                 const std::vector<std::vector<bool>>& boundaries = {});

CompositionalResult prove(const model::c::Program& program, const ProveOptions& options,
                          base::RunContext& context);

/// The same from a thread program on.
CompositionalResult prove(model::threads::ThreadProgram program, const ProveOptions& options,
                          base::RunContext& context);

}  // namespace heddle::engine::compositional
