#pragma once

/// Proves that a set of thread states shows that no target can be reached: whatever is reachable
/// consists of them (`why_not_inductive` shows it), and every target asks for something else. Its
/// states must be ones of the model; it speaks about nothing else.

#include "answer/certificate.hpp"
#include "answer/report.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Linear in the model times the logarithm of the set.
answer::CheckResult check_closed_thread_states(const model::Task& task,
                                               const answer::ClosedThreadStates& closed);

}  // namespace heddle::check
