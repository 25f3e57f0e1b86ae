#pragma once

/// R_0, R_1, …, R_n by brute force, with nothing but model::step: what cutoffs are tested against.

#include <map>
#include <string>

#include "answer/cutoff.hpp"
#include "model/counting.hpp"

namespace heddle::test {

/// Each thread state that at most `most` threads reach, with the fewest that do. In a net, threads
/// are tokens, never more than so many at a time, and thread states are (0, place).
std::map<model::ThreadState, unsigned> naive_first_reached(const model::CountingTask& task,
                                                           unsigned most);

/// What brute force with up to `most` threads has against a cutoff of a Boolean program; nothing if
/// there are too many states.
std::string naive_objection(const model::ProgramTask& task, const answer::Cutoff& cutoff,
                            unsigned most);

}  // namespace heddle::test
