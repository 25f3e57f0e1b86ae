#pragma once

#include "model/c/state.hpp"

namespace heddle::model::c {

/// Whether two states, neither in an atomic section, hold the same: threads with the same frames
/// and registers, objects at the same addresses with the same bytes. Whatever can be executed from
/// the one can be executed from the other, step by step. Costs a look at every byte.
bool is_same_state(const State& a, const State& b);

}  // namespace heddle::model::c
