#pragma once

#include "engine/bounded/unrolling.hpp"

namespace heddle::engine::bounded {

/// Requires that every read of shared memory sees the last write before it, where threads take
/// turns in the order of their numbers, round by round. Adds gates and clauses: as many as there
/// are accesses, times rounds, times bits.
void encode_memory(Unrolling& unrolling, Objects& objects);

}  // namespace heddle::engine::bounded
