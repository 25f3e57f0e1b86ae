#pragma once

/// Invariants made of bounds, for Horn clauses of any encoding. See bounds.cpp.

#include <optional>

#include "base/run_context.hpp"
#include "engine/compositional/samples.hpp"
#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

/// What bounds are looked for.
enum class BoundForms : std::uint8_t {
  Intervals,  ///< of single parameters: few, so they are found soon
  All
};

struct Bounds {
  /// Satisfies every clause with a head: what holds of the least solution, too.
  term::HornSolution solution;
  bool is_proof = false;  ///< satisfies the others as well
};

/// None if the context is stopped, if the solver gives up, or after `most_queries` queries. Bounds
/// that samples violate are not asked about.
std::optional<Bounds> find_bounds(const term::HornSystem& system, BoundForms forms,
                                  std::size_t most_queries, base::RunContext& context,
                                  const Samples& samples = {});

/// The clauses with what is known added to their bodies; those that can never apply are left out.
term::HornSystem strengthened(const term::HornSystem& system, const term::HornSolution& known);

}  // namespace heddle::engine::compositional
