#pragma once

/// R_0, R_1, …, R_n by brute force, with nothing but model::step: what cutoffs are tested against.

#include <map>

#include "model/task.hpp"

namespace heddle::test {

/// Each thread state that at most `most` threads reach, with the fewest that do. In a net, threads
/// are tokens, never more than so many at a time, and thread states are (0, place).
std::map<model::ThreadState, unsigned> naive_first_reached(const model::Task& task, unsigned most);

}  // namespace heddle::test
