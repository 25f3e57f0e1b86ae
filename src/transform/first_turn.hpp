#pragma once

#include <cstdint>

namespace heddle::transform {

/// Which thread has the first turn of each round: the first one, or any; the others follow in the
/// order of their numbers, and those with smaller ones behind the last.
enum class FirstTurn : std::uint8_t { First, Any };

}  // namespace heddle::transform
