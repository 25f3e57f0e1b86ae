#pragma once

#include "engine/bounded/encoding.hpp"

namespace heddle::engine::bounded {

/// Adds the violation that all threads have ended or wait for ever, and one waits.
void encode_deadlock(Unrolling& unrolling, Encoding& encoding);

}  // namespace heddle::engine::bounded
