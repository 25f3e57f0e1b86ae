#pragma once

#include <optional>
#include <utility>

#include "engine/bounded/encoding.hpp"

namespace heddle::engine::bounded {

/// Adds a violation for every set of accesses of which two may race.
void encode_races(Unrolling& unrolling, Encoding& encoding);

/// Two accesses that race in the solver's model, in the order in which they can be made; the first
/// may have been made already.
std::optional<std::pair<const RacingAccess*, const RacingAccess*>> racing_in(
    const Unrolling& unrolling, Encoding& encoding, Clauses& model);

}  // namespace heddle::engine::bounded
