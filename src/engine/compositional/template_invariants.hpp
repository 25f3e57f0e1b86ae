#pragma once

/// Solutions of Horn clauses made of simple inequalities. See template_invariants.cpp.

#include <cstdint>
#include <optional>

#include "base/run_context.hpp"
#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

/// Which candidates there are.
enum class Stock : std::uint8_t {
  Signs,  ///< Booleans, variables that are 0 or not negative
  All     ///< also bounds, differences, addresses, differences of two threads
};

/// The strongest solution that is a conjunction of candidates; none if it does not exclude what the
/// clauses without heads exclude, if a query was not decided, or if the context stopped.
std::optional<term::HornSolution> fit_templates(const term::HornSystem& system, Stock stock,
                                                base::RunContext& context);

}  // namespace heddle::engine::compositional
