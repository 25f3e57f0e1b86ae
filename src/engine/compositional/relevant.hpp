#pragma once

/// Variables that no decision depends on.

#include "engine/compositional/encoding.hpp"

namespace heddle::engine::compositional {

/// The same program without the variables that matter for no guard, neither by themselves nor by
/// what is computed from them. Owners of mutexes and the states of threads stay: who holds what and
/// who has ended is what proofs about several threads speak about. For proofs only: a run needs the
/// values of all variables.
Prepared only_relevant(const Prepared& prepared);

}  // namespace heddle::engine::compositional
