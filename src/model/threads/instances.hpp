#pragma once

/// Names for which copy of a replicated thread one is. Proofs about data races may speak about
/// them; whoever writes or checks such a proof adds these variables to the thread program
/// (transform/races/instances.cpp says what they mean). No symbol of a covering has a `!` in it.

#include <string>

#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

/// Of a copy: how many copies were created before it. Different copies have different ones.
inline term::Term instance_number(ThreadIndex thread) {
  return term::variable("nth!" + std::to_string(thread.value), term::Sort::Integer);
}

/// How many copies were created.
inline term::Term created_copies(ThreadIndex thread) {
  return term::variable("created!" + std::to_string(thread.value), term::Sort::Integer);
}

/// How often a copy was joined.
inline term::Term joined_copies(ThreadIndex thread) {
  return term::variable("joined!" + std::to_string(thread.value), term::Sort::Integer);
}

/// So far, copies were joined in the order of their creation.
inline term::Term joined_in_order(ThreadIndex thread) {
  return term::variable("ordered!" + std::to_string(thread.value), term::Sort::Boolean);
}

}  // namespace heddle::model::threads
