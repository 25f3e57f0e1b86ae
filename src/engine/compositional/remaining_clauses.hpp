#pragma once

#include <optional>
#include <vector>

#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

/// What is left of a system when some predicates have their formulas.
struct RemainingClauses {
  term::HornSystem system;            ///< over the other predicates
  std::vector<std::size_t> original;  ///< by predicate of `system`: its number in the original
};

/// The clauses about the predicates that are not known: formulas take the place of those that are.
/// A solution of them, together with the formulas, is one of the original if the clauses about
/// known predicates alone hold, which is not looked at here.
RemainingClauses remaining_clauses(const term::HornSystem& system,
                                   const term::HornSolution& solution,
                                   const std::vector<bool>& is_known);

}  // namespace heddle::engine::compositional
