#pragma once

#include <cstdint>
#include <vector>

#include "model/counting.hpp"

namespace heddle::check {

/// The transitions that some run may take and that change something, ascending: their source lies
/// in the least set of thread states that contains the initial ones and is closed under steps in
/// the sense of invariants.cpp, and they are not moves of a thread to where it is, with nobody else
/// moving. Time in the order of that set times the transitions out of a shared state.
std::vector<std::uint32_t> live_transitions(const model::ThreadSystem& system,
                                            const model::CountingQuestion& question);

}  // namespace heddle::check
