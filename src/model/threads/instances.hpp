#pragma once

/// Names for which copy of a replicated thread one is, and for which of the objects of one place
/// of allocation a thread was given. Proofs about data races may speak about them; whoever writes
/// or checks such a proof adds these variables to the thread program (transform/races/instances.cpp
/// and allocations.cpp say what they mean). No symbol of a covering has a `!` in it.

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

/// How many objects were allocated at the place of an object of the covering that stands for many.
inline term::Term allocated_objects(std::uint32_t object) {
  return term::variable("allocated!" + std::to_string(object), term::Sort::Integer);
}

/// Of a thread: the value of `allocated_objects` when the object was allocated that its argument
/// points into. Different objects have different ones.
inline term::Term given_object(ThreadIndex thread) {
  return term::variable("object!" + std::to_string(thread.value), term::Sort::Integer);
}

}  // namespace heddle::model::threads
