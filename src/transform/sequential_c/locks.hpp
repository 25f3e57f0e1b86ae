#pragma once

/// Mutexes that are released by those who hold them. See locks.cpp.

#include <set>

#include "transform/sequential_c/places.hpp"

namespace heddle::transform::sequential_c {

/// Names mutexes by their owner cells.
using Mutexes = std::set<std::size_t>;

/// Those whose release no other thread can notice but by taking them: a thread that waits for the
/// mutex can go on, and that is all.
Mutexes disciplined_mutexes(const Program& program, const ControlFlow& flow, const Places& places);

}  // namespace heddle::transform::sequential_c
