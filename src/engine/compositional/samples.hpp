#pragma once

/// States that Horn clauses derive, found by evaluating them forwards. See samples.cpp.

#include <vector>

#include "base/integer.hpp"
#include "base/run_context.hpp"
#include "term/horn_system.hpp"

namespace heddle::engine::compositional {

struct Samples {
  /// By predicate: values of its parameters, a Boolean is 0 or 1. Every solution contains them.
  std::vector<std::vector<std::vector<base::Integer>>> states;
  bool is_refuted = false;  ///< false was derived: there is no solution
  bool are_all = false;     ///< nothing else is derived: they are the least solution
};

/// The states as formulas: a solution if they are all and nothing is refuted.
term::HornSolution solution_of(const term::HornSystem& system, const Samples& samples);

Samples sample(const term::HornSystem& system, base::RunContext& context);

}  // namespace heddle::engine::compositional
