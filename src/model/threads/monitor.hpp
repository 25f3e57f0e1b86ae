#pragma once

/// What proofs say about condition variables, as data. See check/c/waiting.cpp for what it has to
/// satisfy.

#include <cstdint>
#include <vector>

#include "term/term.hpp"

namespace heddle::model::threads {

/// Formulas over globals. While a thread sleeps at the condition variable and nobody has woken it,
/// each of them holds, unless a thread is about to wake the sleepers.
struct Monitor {
  std::uint64_t condition = 0;  ///< its invented address
  std::vector<term::Term> holds;
};

using Monitors = std::vector<Monitor>;

}  // namespace heddle::model::threads
