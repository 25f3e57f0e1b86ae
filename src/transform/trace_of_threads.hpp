#pragma once

#include "answer/trace.hpp"
#include "model/thread_system.hpp"
#include "transform/threads_to_net.hpp"

namespace heddle::transform {

/// A trace of the net as one of the thread system. Throws InternalError if it is no trace of the
/// net that ends with the control token in a shared state's place.
answer::Trace trace_of_threads(const model::ThreadSystem& system, const ThreadsAsNet& translation,
                               const answer::Trace& trace);

}  // namespace heddle::transform
